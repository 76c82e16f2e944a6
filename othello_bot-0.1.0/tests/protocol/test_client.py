"""One interface for all dialects, with engines that behave and engines that do not."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from othello_bot.base.clocks import ClockState, ClockStates, TimeSettings, TimeSystem
from othello_bot.base.notation import START, Board, Color, parse_square
from othello_bot.protocol.client import LAST_LINE_CHARACTERS, LAST_LINES, Client, _left
from othello_bot.protocol.conversation import Deadlines, Receive
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import (
    Awaited,
    EngineCrashed,
    EngineError,
    EngineExited,
    EngineGarbage,
    EngineRefused,
    EngineStalled,
    EngineUnsupported,
)
from othello_bot.rules.position import Position
from tests.mocks import mock
from tests.protocol.processes import DEADLINES, OBEDIENT, PATIENCE, is_alive

pytestmark = pytest.mark.process

F5 = parse_square("f5")
GAME_DIALECTS = (Dialect.GTP, Dialect.NBOARD)


def client(dialect: Dialect, *flags: str, deadlines: Deadlines = DEADLINES) -> Client:
    """Return a client of a mock engine."""
    name = "gtp" if dialect is Dialect.NATIVE else dialect.value
    return Client(mock(name, *flags), dialect, deadlines=deadlines, patience=PATIENCE if flags else OBEDIENT)


def play_game(black: Client, white: Client, clocks: ClockStates | None = None) -> Position:
    """Play a game, judged by the rules, and return its last position."""
    position = Position.start()
    players = (black, white)
    for player in players:
        player.new_game(time=TimeSettings(TimeSystem.FISCHER, 10, 0.1))
    while not position.is_over:
        mover, other = players[position.color], players[position.color.opponent]
        move = mover.best_move(clocks).move
        assert move is not None
        position = position.play(move)
        other.play(move)
    assert black.moves == white.moves
    return position


@pytest.mark.parametrize("black", GAME_DIALECTS)
@pytest.mark.parametrize("white", GAME_DIALECTS)
def test_a_whole_game_between_dialects(black: Dialect, white: Dialect) -> None:
    with client(black) as one, client(white) as other:
        position = play_game(one, other, (ClockState(10, 0.1), ClockState(9.5, 0.1)))
        assert position.is_over
        # And once more with the same processes: a new game forgets the old one.
        again = play_game(other, one)
        assert again.is_over
    assert (one.process.exit_code, other.process.exit_code) == (0, 0)


def test_an_engine_has_the_name_that_it_gives_itself() -> None:
    with client(Dialect.GTP) as engine:
        assert (engine.info.name, engine.info.version, engine.process.name) == ("Mock", "1.5", "Mock")
    named = Client(mock("gtp"), name="second", deadlines=DEADLINES, patience=OBEDIENT)
    with named as engine:
        assert (engine.info.name, engine.process.name) == ("Mock", "second")


@pytest.mark.parametrize("quirks", ["upper", "spaced", "glued", "edax", "ntest"])
def test_the_habits_of_real_engines(quirks: str) -> None:
    dialect = Dialect.NBOARD if quirks in ("edax", "ntest") else Dialect.GTP
    with client(dialect, "--quirks", quirks) as engine:
        if dialect is Dialect.NBOARD:
            engine.set_option("depth", 12)
        engine.new_game()
        assert engine.best_move().move in Position.start().legal_moves
        if quirks == "ntest":
            assert engine.info.name == "Ntest12"


def test_an_engine_that_lists_nothing_and_chatters() -> None:
    with client(Dialect.GTP, "--no-list", "--banner", "--noise", "3") as engine:
        engine.new_game()
        engine.play(F5)
        position = Position.start().play(F5)
        assert engine.best_move((ClockState(1), ClockState(1))).move in position.legal_moves


@pytest.mark.parametrize("dialect", GAME_DIALECTS)
@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ("crash", EngineCrashed),
        ("die", EngineCrashed),
        ("exit", EngineExited),
        ("mute", EngineExited),
        ("stall", EngineStalled),
        ("garbage", EngineGarbage),
        ("nonsense", EngineGarbage),
        ("endless", EngineGarbage),
    ],
)
def test_troubles_are_told_apart_and_nobody_is_left(dialect: Dialect, trouble: str, kind: type[EngineError]) -> None:
    within_s = 0.1 if trouble == "stall" else None
    with client(dialect, f"--{trouble}-at", "2") as engine:
        engine.new_game()
        first = engine.best_move()
        pid = engine.process.pid
        assert pid is not None
        with pytest.raises(kind) as caught:
            engine.best_move(within_s=within_s)
        assert type(caught.value) is kind
        assert not is_alive(pid)
        assert engine.moves == (first.move,)
        # Every further request fails immediately with its own error.
        with pytest.raises(EngineError):
            engine.ping()
    if trouble == "crash":
        assert caught.value.exit_code == 3
        assert caught.value.stderr[-1] == "assertion failed: the corner is a lie"
    if trouble == "stall":
        assert isinstance(caught.value, EngineStalled)
        assert caught.value.awaited is Awaited.MOVE


@pytest.mark.parametrize("dialect", list(Dialect))
def test_an_engine_that_crashes_at_the_start(dialect: Dialect) -> None:
    engine = client(dialect, "--crash-on-start")
    with pytest.raises(EngineCrashed) as caught:
        engine.start()
    assert caught.value.stderr == ("no weights found",)
    assert not engine.process.running


@pytest.mark.parametrize("dialect", list(Dialect))
def test_an_engine_that_starts_too_slowly(dialect: Dialect) -> None:
    engine = client(dialect, "--start-delay", "60", deadlines=Deadlines(start_s=0.1))
    with pytest.raises(EngineStalled) as caught:
        engine.start()
    assert caught.value.awaited is Awaited.START
    assert not engine.process.running


def test_a_refusal_is_survived() -> None:
    with client(Dialect.GTP, "--refuse-at", "1") as engine:
        with pytest.raises(EngineRefused, match="out of ideas"):
            engine.best_move()
        with pytest.raises(EngineRefused) as caught:
            engine.play(0)
        assert caught.value.command == "play b a1"
        assert engine.moves == ()
        engine.play(F5)
        assert engine.ping() >= 0


def test_positions_and_options(tmp_path: Path) -> None:
    log = tmp_path / "log"
    wide = Board("-" * 26 + "XO" + "-" * 36, Color.BLACK)
    with client(Dialect.NATIVE, "--log", str(log)) as engine:
        engine.set_option("level", 5)
        with pytest.raises(EngineRefused):
            engine.set_option("nonexistent", "1")
        engine.set_position(START, [F5])
        assert engine.best_move().move in Position.start().play(F5).legal_moves
        engine.set_position(wide)
        assert engine.best_move().move == parse_square("e4")
    sent = log.read_text().splitlines()
    assert sent[3:] == [
        "setoption name level value 5",
        "setoption name nonexistent value 1",
        "play b f5",
        "genmove w",
        f"setposition {wide}",
        "genmove b",
        "quit",
    ]


def test_what_a_dialect_cannot_do_is_said_and_survived() -> None:
    with client(Dialect.CASSIO) as engine:
        with pytest.raises(EngineUnsupported):
            engine.play(F5)
        assert engine.best_move().score == 2.0
        assert engine.ping() >= 0


def test_a_caller_that_is_interrupted_leaves_nobody() -> None:
    with pytest.raises(KeyboardInterrupt), client(Dialect.GTP) as engine:
        pid = engine.process.pid
        engine.best_move()
        raise KeyboardInterrupt
    assert pid is not None
    assert not is_alive(pid)


@pytest.mark.parametrize("dialect", GAME_DIALECTS)
def test_the_last_lines_of_a_conversation_are_kept(dialect: Dialect) -> None:
    engine = client(dialect, "--crash-at", "1", "--flood-stderr", "60")
    with pytest.raises(EngineCrashed), engine:
        engine.new_game()
        engine.best_move()
    words = engine.last_words
    traffic = [line for line in words if not line.startswith("! ")]
    assert traffic[-1] == ("> go" if dialect is Dialect.NBOARD else "> genmove b")
    assert ("< set myname Mock15" if dialect is Dialect.NBOARD else "< = Mock") in traffic
    assert words[-1] == "! assertion failed: the corner is a lie"
    assert len(words) - len(traffic) == LAST_LINES


def test_the_last_lines_are_cut_and_so_is_their_number() -> None:
    noisy = client(Dialect.GTP, "--noise", "60")
    with noisy as engine:
        engine.set_option("name", "x" * 5000)
    assert len(noisy.last_words) == LAST_LINES
    assert noisy.last_words[-1] == "< ="
    long = client(Dialect.GTP)
    with long as engine:
        engine.set_option("name", "x" * 5000)
    assert engine.last_words[-2].startswith("> setoption name name value xxx")
    assert len(engine.last_words[-2]) == LAST_LINE_CHARACTERS + 2


@pytest.mark.parametrize(("since", "left_s"), [(97.5, 4.5), (93.5, 0.5), (93.0, 0.0), (5.0, 0.0)])
def test_a_deadline_counts_from_the_moment_of_sending(
    since: float, left_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othello_bot.protocol.client.time", SimpleNamespace(monotonic=lambda: 98.0))
    assert _left(Receive(since, 5.0)) == left_s
