"""Games as we follow them: the board that comes next, our clock, the record, and the plan for two boards."""

from __future__ import annotations

from pathlib import Path

from othello_bot.base.clocks import ClockState, TimeControl
from othello_bot.base.notation import PASS
from othello_bot.ggs.games import FIRST_DELAY_S, SAFETY_S, Delay, Following, ahead_of, first_of, goes_on, joined
from othello_bot.ggs.ledger import LedgerFile
from othello_bot.protocol.ggs import parse_frame
from othello_bot.protocol.ggs_values import BoardText
from othello_bot.rules import Position
from tests.ggs.fake_match import ServedGame, ServedMatch


class ShownMatch:
    """A match of the fake server, and its boards as the protocol reads them."""

    def __init__(self, kind: str = "8b", start: Position | None = None) -> None:
        games = [
            ServedGame(black, start or Position.start(), [300.0, 300.0]) for black in range(1 + kind.startswith("s"))
        ]
        self.match = ServedMatch(".5", ("ann", "ben"), kind, "05:00//02:00", True, games)

    def play(self, move: int, index: int = 0) -> None:
        game = self.match.games[index]
        game.moves.append((move, "1.00", "2.50"))
        game.position = game.position.play(move)

    def board(self, *, join: bool, index: int = 0) -> BoardText:
        lines = (self.match.join if join else self.match.update)(index)
        (message,) = parse_frame([f"/os: {lines[0]}", *(f"|{line}" for line in lines[1:])])
        assert isinstance(message, BoardText)
        return message

    def joined(self, name: str = "ann", now_s: float = 100.0, index: int = 0) -> Following:
        game = joined(self.board(join=True, index=index), name, TimeControl(300.0, 0.0, grace_s=120.0), now_s)
        assert game is not None
        return game


def test_a_game_is_followed_move_by_move() -> None:
    shown = ShownMatch()
    game = shown.joined()
    assert game.is_our_turn and game.opponent == "ben"
    for move in (37, 43, 34):
        shown.play(move)
        assert game.follow(shown.board(join=False), 101.0)
    assert game.ply == 3 and game.record.game.moves == (37, 43, 34) and not game.is_our_turn
    assert game.record.notes[0].seconds == 2.5
    assert game.follow(shown.board(join=False), 102.0), "the same board again"
    assert game.ply == 3


def test_a_board_that_does_not_follow_changes_nothing() -> None:
    shown = ShownMatch()
    game = shown.joined()
    for move in (37, 43):
        shown.play(move)
    assert not game.follow(shown.board(join=False), 101.0), "a move was missed"
    assert (game.ply, game.record.game.moves) == (0, ())
    again = shown.joined()
    assert again.record.game.moves == (37, 43) and again.ply == 2


def test_a_game_of_others_and_a_komi_game_are_not_followed() -> None:
    shown = ShownMatch()
    assert joined(shown.board(join=True), "eve", None, 0.0) is None


def test_passes_are_moves() -> None:
    shown = ShownMatch(start=Position.parse("X" + "O" * 6 + "-" + "-" * 56 + " O"))
    game = shown.joined("ben")
    assert shown.match.games[0].position.must_pass and game.is_our_turn
    shown.play(PASS)
    assert game.follow(shown.board(join=False), 1.0) and game.record.game.moves == (PASS,)
    shown.play(7)
    assert game.follow(shown.board(join=False), 1.0) and game.record.game.is_over and not game.is_our_turn


def test_a_sent_move_is_not_sent_again_before_its_echo() -> None:
    shown = ShownMatch()
    game = shown.joined()
    game.answered_ply = 0
    assert not game.is_our_turn and game.waits_for_echo
    shown.play(37)
    assert game.follow(shown.board(join=False), 101.0)
    assert not game.waits_for_echo
    shown.play(43)
    assert game.follow(shown.board(join=False), 101.0) and game.is_our_turn


def test_our_clock_is_the_servers_figure_less_delay_and_what_passed() -> None:
    game = ShownMatch().joined(now_s=100.0)
    kept_s = SAFETY_S + 0.5 * 30  # thirty moves to come
    assert game.clock(0.5, now_s=103.0) == ClockState(300.0 - 3.0 - kept_s)
    assert game.clock(0.5, boards=2, now_s=103.0).remaining_s == (300.0 - 3.0 - kept_s) / 2
    assert game.clock(0.5, now_s=390.0).remaining_s == 5.0, "half of what is left"
    assert game.clock(0.5, now_s=1000.0).remaining_s > 0, "a move is due even without time"


def test_a_clock_that_cannot_be_true_is_not_believed() -> None:
    shown = ShownMatch()
    shown.match.clocks["ann"] = "99:99:99,0:0//02:00,0:0"
    assert shown.joined().clock(0.0, now_s=100.0).remaining_s <= 300.0 + 120.0
    shown.match.clocks["ann"] = "-05:00,0:0//02:00,0:0"
    assert shown.joined().clock(0.0, now_s=100.0).remaining_s > 0


def test_the_delay_is_the_longest_of_the_last_ones() -> None:
    delay = Delay()
    assert delay.reserve_s == FIRST_DELAY_S
    for seconds in (0.9, *[0.1] * 15):
        delay.measure(seconds)
    assert delay.reserve_s == 0.9
    delay.measure(0.2)
    assert delay.reserve_s == 0.2


def test_the_board_with_the_least_time_comes_first_and_shares_the_clock() -> None:
    one, two = ShownMatch("s8").joined(), ShownMatch("s8").joined()
    two.id = ".5.1"
    first, boards = first_of([one, two])
    assert first is one and boards == 2
    two.ours = ShownMatch("s8").joined().ours
    two.record.game.play(37)
    assert first_of([one, two]) == (one, 1)
    assert first_of([two]) == (None, 0)


def test_thinking_ahead_is_on_the_board_whose_opponent_moves_the_longest() -> None:
    one, two = ShownMatch("s8").joined(now_s=1.0), ShownMatch("s8").joined(now_s=2.0)
    assert ahead_of([one, two]) is None, "both wait for us"
    one.record.game.play(37)
    two.record.game.play(37)
    assert ahead_of([one, two]) is one
    one.ended = True
    assert ahead_of([one, two]) is two


def test_records_that_go_on() -> None:
    shown = ShownMatch()
    shown.play(37)
    earlier = shown.joined().record
    shown.play(43)
    later = shown.joined().record
    assert goes_on(earlier, later) and goes_on(later, later) and not goes_on(later, earlier)
    other = ShownMatch()
    other.play(44)
    assert not goes_on(earlier, other.joined().record)


def test_games_are_appended_as_lines(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "folder" / "games.ggf")
    file.check()
    shown = ShownMatch()
    shown.play(37)
    record = shown.joined().record
    assert not file.holds(record)
    file.save(record)
    file.path.write_bytes(file.path.read_bytes() + b"(;GM[Othello]PB[half a li")
    shown.play(43)
    file.save(shown.joined().record)
    assert file.holds(record) and file.holds(shown.joined().record)
    lines = file.path.read_text().splitlines()
    assert len(lines) == 3 and lines[2].endswith(";)")
