"""The session by itself: whose move it is, passes, taking back, the engine's move and what follows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from othello_bot.base.clocks import Clocks, ClockState, TimeLeft
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, Color, parse_move
from othello_bot.engine import Choice, ChosenBy, Engine, Limits, OptionError, SearchRequest, SearchResult
from othello_bot.formats.record import GameRecord, MoveNote
from othello_bot.game import WrongColor
from othello_bot.protocol.time_commands import parse_time_settings
from othello_bot.rules import Game, Position
from othello_bot.session import Output
from othello_bot.session import session as session_module
from othello_bot.session.session import Session
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, CollectingWriter, job_of
from tests.session.test_keeping import Somebody

B, W = Color.BLACK, Color.WHITE
F5, D6, C3, F4 = map(parse_move, ("f5", "d6", "c3", "f4"))
MUST_PASS = Position.parse("X" * 62 + "O- O")
"""White has no move, and Black's h8 ends the game."""

FOUND = SearchResult((EvaluatedMove(F5, 3, (F5, D6, C3), 8, 73, False),), 100, 0.1)
SEARCHED = Choice.of_search(FOUND)
MINUTE = Clocks.start(parse_time_settings(("60", "0", "0")))


@pytest.fixture
def session() -> Iterator[Session]:
    """Return a session without a book, whose engine may think ahead."""
    with Engine(SMALL.with_value("book", "off").with_value("ponder", "on"), search=FakeSearch()) as engine:
        yield Session(engine)


class PonderRequests:
    """What the engine was asked to think ahead about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.requests: list[tuple[Position, int | None, ClockState, float]] = []
        monkeypatch.setattr(Engine, "ponder", self._ponder)

    def _ponder(
        self, position: Position, expected: int | None, clock: ClockState, longest_s: float, level: int | None
    ) -> None:
        self.requests.append((position, expected, clock, longest_s))


def moves(session: Session) -> tuple[int, ...]:
    return session.game.moves


def game_with_a_pass(parity: int) -> tuple[int, ...]:
    """Return moves up to the one after a pass at an even ply (0) or an odd one (1); two moves can follow."""
    for choice in range(40):
        game = Game()
        while not game.is_over:
            legal = game.position.legal_moves or (PASS,)
            game.play(legal[choice % len(legal)])
            position = game.position
            goes_on = position.legal_moves and position.play(position.legal_moves[0]).legal_moves
            if game.moves.count(PASS) == 1 and game.moves[-2] == PASS and game.ply % 2 == parity and goes_on:
                return game.moves
    raise AssertionError("no such game")


@pytest.mark.parametrize("parity", [0, 1])
def test_a_pass_that_was_left_out_is_taken_back_wherever_it_is(session: Session, parity: int) -> None:
    played = game_with_a_pass(parity)
    for ply, move in enumerate(played):
        if move != PASS:
            session.play(Color(ply % 2), [move])
    assert moves(session) == played
    session.undo()
    assert moves(session) == played[:-2]
    session.undo()
    assert moves(session) == played[:-3]
    session.redo(2)
    assert moves(session) == played
    for _ in range(2):
        session.play(None, session.position.legal_moves[:1])
    session.undo(3)
    assert moves(session) == played[:-2]


def test_a_pass_taken_back_is_forgotten_as_left_out(session: Session) -> None:
    session.new_game(MUST_PASS)
    session.play(B, [63])
    session.undo()
    session.play(W, [PASS])
    session.play(B, [63])
    session.undo()
    assert moves(session) == (PASS,)


def test_only_the_first_of_several_moves_has_the_colour(session: Session) -> None:
    session.play(B, [F5, D6, C3])
    assert session.game.transcript() == "f5d6c3"


def test_the_position_for_a_colour(session: Session) -> None:
    start = Position.start()
    assert session.live.position_for(None) == session.live.position_for(B) == start
    with pytest.raises(WrongColor):
        session.live.position_for(W)
    session.new_game(MUST_PASS)
    assert session.live.position_for(W) == session.live.position_for(None) == MUST_PASS
    assert session.live.position_for(B) == MUST_PASS.play(PASS)
    session.play(B, [63])
    assert session.live.position_for(W) == session.live.position_for(B) == session.position


def test_a_new_game_forgets_the_old_one(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(Engine, "clear", lambda engine: calls.append("clear"))
    session.clocks = MINUTE.spent(B, 5)
    session.last_result = FOUND
    session.new_game(MUST_PASS)
    assert calls == ["clear"] and session.clocks == MINUTE and session.last_result is None
    session.play(B, [63])
    session.new_game()
    session.play(B, [F5])
    session.play(W, [D6])
    session.undo()
    assert moves(session) == (F5,)


def test_another_game_is_taken_with_what_its_file_says(session: Session) -> None:
    game = Game.from_transcript("f5d6")
    session.take_game(game, GameRecord(game, black="Ann"))
    assert session.game == game and session.record().black == "Ann" and session.log.is_saved(game)
    session.take_game(game)
    assert session.record().black == "" and not session.log.is_saved(game)
    assert session.record().comment == f"seed {session.engine.options.seed}"


def test_a_move_is_charged_noted_and_played(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "time", SimpleNamespace(monotonic=lambda: 12.5))
    session.clocks = MINUTE
    session.finish_move(job_of(5.0), B, SEARCHED)
    assert session.clocks.state(B) == ClockState(52.5) and session.clocks.state(W) == ClockState(60)
    assert moves(session) == (F5,)
    session.finish_move(job_of(12.0), W, Choice(D6, source=ChosenBy.BOOK))
    session.finish_move(job_of(12.0), B, Choice(C3, source=ChosenBy.BOOK))
    record = session.record()
    assert record.notes == {0: MoveNote(3, 7.5), 1: MoveNote(None, 0.5), 2: MoveNote(None, 0.5)}
    assert record.black == record.white == session.engine.options.name


def test_what_is_thought_about_ahead(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = PonderRequests(monkeypatch)
    monkeypatch.setattr(session_module, "time", SimpleNamespace(monotonic=lambda: 10.0))
    session.clocks = MINUTE.time_left(TimeLeft(W, 40))
    session.finish_move(job_of(0.0), B, SEARCHED)
    session.when_idle()
    session.when_idle()  # once only
    assert asked.requests == [(session.position, D6, ClockState(50), 40)]


ALONE = SearchResult((EvaluatedMove(F5, 0, (F5,), 1, 73, False),), 1, 0.1)


@pytest.mark.parametrize("choice", [Choice(F5, source=ChosenBy.BOOK), Choice.of_search(ALONE)])
def test_without_a_longer_line_no_reply_is_expected(
    session: Session, monkeypatch: pytest.MonkeyPatch, choice: Choice
) -> None:
    asked = PonderRequests(monkeypatch)
    session.clocks = MINUTE
    session.finish_move(job_of(0.0), B, choice)
    session.when_idle()
    assert [expected for _, expected, _, _ in asked.requests] == [None]


@pytest.mark.parametrize(
    ("name", "text"),
    [("ponder", "off"), (None, "clock"), (None, "moved")],
)
def test_when_nothing_is_thought_about_ahead(
    session: Session, monkeypatch: pytest.MonkeyPatch, name: str | None, text: str
) -> None:
    asked = PonderRequests(monkeypatch)
    session.clocks = Clocks() if text == "clock" else MINUTE
    if name is not None:
        session.set_option(name, text)
    session.finish_move(job_of(0.0), B, SEARCHED)
    if text == "moved":
        session.play(W, [D6])
    session.when_idle()
    assert asked.requests == []


@pytest.mark.parametrize(("name", "text", "thinks"), [("name", "Rose", 1), ("level", "5", 1), ("ponder", "off", 0)])
def test_an_option_set_right_after_the_move_counts_when_thinking_ahead_begins(
    session: Session, monkeypatch: pytest.MonkeyPatch, name: str, text: str, thinks: int
) -> None:
    asked = PonderRequests(monkeypatch)
    session.clocks = MINUTE
    session.finish_move(job_of(0.0), B, SEARCHED)
    session.set_option(name, text)
    session.when_idle()
    assert len(asked.requests) == thinks


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_move_that_a_stop_forced_is_not_followed_by_thinking_ahead(
    session: Session, monkeypatch: pytest.MonkeyPatch, interrupted: bool
) -> None:
    """A stop means that the processor is needed; without it, the engine thinks ahead after the same move."""
    asked = PonderRequests(monkeypatch)
    session.clocks = MINUTE
    job = job_of(0.0)
    job.interrupted = interrupted
    session.finish_move(job, B, SEARCHED)
    session.when_idle()
    assert len(asked.requests) == (not interrupted)


def test_nothing_is_thought_about_where_the_opponent_has_no_move(session: Session) -> None:
    session.new_game(MUST_PASS)
    session.clocks = MINUTE
    session.finish_move(job_of(0.0), B, replace(SEARCHED, move=63))
    session.when_idle()
    assert not session.engine.pondering and moves(session) == (PASS, 63)


def test_a_pass_is_not_followed_by_thinking_ahead(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = PonderRequests(monkeypatch)
    session.new_game(MUST_PASS)
    session.clocks = MINUTE
    session.finish_move(job_of(0.0), W, Choice(PASS, source=ChosenBy.RULES))
    session.when_idle()
    assert asked.requests == [] and moves(session) == (PASS,)


def test_the_expected_reply_goes_on_and_another_game_stops_thinking_ahead(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[str] = []
    monkeypatch.setattr(Engine, "stop_pondering", lambda engine: stopped.append("stop"))
    session.play(B, [F5])
    session.think_ahead(session.position, D6, ClockState(60), ClockState(60))
    stopped.clear()
    session.play(None, [])
    session.play(W, [D6])
    session.take_game(session.game.copy())
    assert stopped == []  # nothing, one reply, or a game with that position
    session.play(B, [C3])
    session.undo()
    session.redo()
    session.take_game(Game())
    session.stop_thinking_ahead()
    assert len(stopped) == 5


def chosen(
    session: Session, position: Position, result: SearchResult, considered: frozenset[int] = frozenset()
) -> list[object]:
    """Return the requests of the steps to a move, and the choice."""
    steps = session.chosen(position, Limits(level=3, considered=considered))
    requests: list[object] = []
    try:
        request = next(steps)
        while True:
            requests.append(request)
            request = steps.send(result)
    except StopIteration as done:
        return [*requests, done.value]


def test_how_a_move_is_chosen(session: Session) -> None:
    assert chosen(session, MUST_PASS, FOUND) == [Choice(PASS, source=ChosenBy.RULES)]
    start = Position.start()
    request, choice = chosen(session, start, FOUND, considered=frozenset({F5, 19}))
    assert isinstance(request, SearchRequest)
    assert request.limits == Limits(level=3, considered=frozenset({F5, 19}), multi_pv=2)
    assert choice == SEARCHED and session.last_result is FOUND
    session.last_result = None
    assert chosen(session, start, FOUND)[-1] == SEARCHED and session.last_result is FOUND


def test_a_textbook_player_chooses_and_is_named_in_files(session: Session) -> None:
    session.set_option("strategy", "alphabeta")
    request, choice = chosen(session, Position.start(), FOUND)
    assert isinstance(request, SearchRequest) and request.chooser is not None
    assert choice == Choice(F5, source=ChosenBy.STRATEGY) and session.last_result is None
    session.finish_move(job_of(0.0), B, Choice(F5, source=ChosenBy.STRATEGY))
    assert session.record().black == "alphabeta"


def test_a_log_is_kept_as_long_as_its_option_says(session: Session, tmp_path: Path) -> None:
    path, writer = tmp_path / "session.log", CollectingWriter()
    output = Output(writer, session.traffic)
    session.set_option("log_file", str(path))
    session.traffic.received("name")
    assert path.read_text().endswith("< name\n")
    output.line("=")
    for name in ("contempt", "seed"):
        session.set_option(name, "5")
    session.traffic.received("version")
    output.write("= 0.1.0\n")
    session.set_option("log_file", "none")
    session.traffic.received("quit")
    assert [line.split()[1:] for line in path.read_text().splitlines()] == [
        *(["<", "name"], [">", "="], ["<", "version"], [">", "=", "0.1.0"])
    ]
    assert writer.text == "=\n= 0.1.0\n"


@pytest.mark.parametrize(("answer", "saved"), [("game.txt", True), ("no", False), (None, False)])
def test_a_game_that_would_be_lost_is_offered_to_be_saved(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, saved: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    person = Somebody(answer)
    session.leave()
    session.person = person
    session.leave()
    assert person.asked == []
    session.play(B, [F5])
    session.leave()
    assert len(person.asked) == 1 and (tmp_path / "game.txt").exists() is saved
    assert session.log.is_saved(session.game) is saved


def test_a_log_that_cannot_be_written_is_refused(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = session.engine.options
    with pytest.raises(OptionError, match=r"option log_file '-': expected a writable file .*/dev/stdout"):
        session.set_option("log_file", "-")
    with pytest.raises(OptionError, match=r"expected a writable file \(Is a directory\)"):
        session.set_option("log_file", str(tmp_path))
    assert session.engine.options == before and list(tmp_path.iterdir()) == []
    store = tmp_path / "matches.db"
    store.write_bytes(b"SQLite format 3\0")
    with pytest.raises(OptionError, match="expected a file of text, or a new name"):
        session.set_option("log_file", str(store))
    assert session.engine.options == before and store.read_bytes() == b"SQLite format 3\0"


def test_a_drawn_board_names_the_opening() -> None:
    with Engine(SMALL, search=FakeSearch()) as engine:
        session = Session(engine)
        assert session.draw_board(session) == str(Position.start())
        session.play(B, [F5, D6])
        assert session.draw_board(session) == f"{session.position}\nopening: {session.opening_name()}"
        assert session.opening_name() and not session.draws_live
