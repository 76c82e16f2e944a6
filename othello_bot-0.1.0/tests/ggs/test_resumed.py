"""Which matches go on: those that the server resumes, told by their number or their moves, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.base.notation import parse_move
from othello_bot.formats import ggf
from othello_bot.ggs.client import GgsClient
from othello_bot.ggs.ledger import Ledger, LedgerFile
from othello_bot.ggs.policy import Acceptance, Policy
from othello_bot.protocol import ggs
from othello_bot.protocol.ggs_commands import GgsCommand, Password
from othello_bot.rules import Position
from tests.ggs.fake_match import ServedGame, ServedMatch


class Table:
    """A client, ann, that hears what a server would tell it of matches with ben."""

    def __init__(self, folder: Path, breaks: int = 2) -> None:
        self.sent: list[str] = []
        self.reports: list[str] = []
        self.now_s = 0.0
        self.file = LedgerFile(folder / "ann.ggf")
        self.ledger = Ledger(self.file, self.reports.append, lambda: self.now_s)
        policy = Policy(Acceptance(breaks=breaks))
        self.client = GgsClient("ann", policy, self.ledger, self._take, self.reports.append, lambda: self.now_s)
        self.client.connected(Password("secret"))
        self.hear(": Enter login (yours, or one you'd like to use).")
        self.hear(": Enter your password.")

    def _take(self, command: GgsCommand) -> None:
        self.sent.append(str(command))

    def hear(self, *lines: str) -> None:
        for message in ggs.parse_frame(lines):
            self.client.handle(message)

    def ask(self, request: str, stored: str = "") -> bool:
        """Let ben propose a match; return whether it is accepted."""
        self.hear(f"/os: +   {request} 1720.0 ben 05:00//02:00       8b R 1720.0 ann {stored}".rstrip())
        return self.sent[-1] == f"tell /os accept {request}" or f"tell /os accept {request}" in self.sent[-2:]

    def begin(self, match: ServedMatch) -> None:
        self.hear(f"/os: + match {match.head} ")
        for index in range(len(match.games)):
            self.show(match.join(index))

    def show(self, lines: list[str]) -> None:
        self.hear(f"/os: {lines[0]}", *(f"|{line}" for line in lines[1:]))

    def play(self, match: ServedMatch, moves: str, index: int = 0) -> None:
        game = match.games[index]
        for move in map(parse_move, moves.split()):
            game.moves.append((move, "", "1.00"))
            game.position = game.position.play(move)
            self.show(match.update(index))

    def end(self, match: ServedMatch, text: str) -> None:
        self.hear(f"/os: - match {match.head} {text}")

    def saved(self) -> list[str]:
        text = self.file.path.read_text() if self.file.path.exists() else ""
        return [record.game.transcript() for record in ggf.FORMAT.records(text)]


def served(number: str, kind: str = "8b") -> ServedMatch:
    games = [ServedGame(1 - index, Position.start(), [300.0, 300.0]) for index in range(1 + kind.startswith("s"))]
    return ServedMatch(number, ("ann", "ben"), kind, "05:00//02:00", True, games)


@pytest.mark.parametrize("again", ("", "f5 d6 c3"), ids=("another game", "the same moves"))
def test_a_new_match_is_not_the_stored_one(tmp_path: Path, again: str) -> None:
    table = Table(tmp_path)
    left = served(".5")
    table.begin(left)
    table.play(left, "f5 d6 c3")
    table.end(left, "ben left .1000")
    new = served(".6")
    assert table.ask(".20")
    table.begin(new)
    table.play(new, again or "f5 f6 e6")
    table.show(new.join(0))  # as after a board that could not be read
    assert [game.ply for game in table.ledger.interrupted] == [3], "the stored match still waits"
    table.end(new, "+64.00 .1001")
    assert table.saved() == [(again or "f5 f6 e6").replace(" ", "")]
    table.hear("/os: stored 0 ann")
    table.now_s = 1000.0
    table.hear("/os: stored 0 ann")
    assert len(table.saved()) == 2, "neither game is lost"


def test_who_leaves_and_begins_anew_has_broken_the_match(tmp_path: Path) -> None:
    table = Table(tmp_path, breaks=2)
    for number in (5, 6):
        assert table.ask(f".2{number}")
        match = served(f".{number}")
        table.begin(match)
        table.play(match, "f5 d6")
        table.end(match, f"ben left .100{number}")
    assert not table.ask(".30") and any("tell ben Sorry, you left" in line for line in table.sent)
    assert table.ask(".31", stored=".1005"), "a stored match may go on"
    resumed = served(".7")
    for move in ("f5", "d6"):
        resumed.games[0].moves.append((parse_move(move), "", "1.00"))
        resumed.games[0].position = resumed.games[0].position.play(parse_move(move))
    table.begin(resumed)
    assert len(table.ledger.interrupted) == 1
    table.play(resumed, "c3")
    table.end(resumed, "+64.00 .1010")
    assert table.ask(".32"), "a match that went on is forgiven"


def test_a_match_goes_on_by_its_moves_where_no_number_is_told(tmp_path: Path) -> None:
    table = Table(tmp_path)
    short, long = served(".5"), served(".6")
    table.begin(short)
    table.play(short, "f5 d6")
    table.end(short, "ben left .1000")
    table.begin(long)
    table.play(long, "f5 d6 c3 d3 c4")
    table.client.lost()
    assert [game.ply for game in table.ledger.interrupted] == [2, 5]
    long.id = ".7"
    game = long.games[0]
    game.moves.append((parse_move("f4"), "", "1.00"))
    game.position = game.position.play(parse_move("f4"))
    table.begin(long)
    assert [game.ply for game in table.ledger.interrupted] == [2], "only the longer one goes on"


def test_no_moves_continue_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path)
    left = served(".5")
    table.begin(left)
    table.end(left, "ben left .1000")
    table.begin(served(".6"))
    assert [game.match for game in table.ledger.interrupted] == [".5"]
    new = served(".6")
    table.play(new, "f5 d6")
    (archived,) = (new.ggf(game) for game in new.games)
    table.ledger.take_archived(archived)
    assert [game.match for game in table.ledger.interrupted] == [".5"] and not table.saved()


def test_both_games_of_a_synchro_match_go_on(tmp_path: Path) -> None:
    table = Table(tmp_path)
    match = served(".5", "s8")
    table.begin(match)
    table.play(match, "f5 d6 c3", 0)
    table.play(match, "f5 d6", 1)
    table.end(match, "ben left .1000")
    match.games[0].undo()  # the server takes back what the other board has not answered
    match.id = ".9"
    assert table.ask(".30", stored=".1000")
    table.begin(match)
    assert not table.ledger.interrupted
    assert sorted(game.ply for game in table.client.games.values()) == [2, 2]
