"""NBoard 2 as text, in both directions."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, START, Board, Color, parse_square
from othello_bot.protocol import nboard, nboard_values
from othello_bot.protocol.nboard import SearchLine
from othello_bot.protocol.nboard_values import Depth, NBoardError, format_game, parse_game

F5, D6, C3 = (parse_square(name) for name in ("f5", "d6", "c3"))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("nboard 2", nboard.Hello(2)),
        ("nboard 1", nboard.Hello(1)),
        ("nboard", nboard.Hello(1)),
        ("set depth 12", nboard.SetDepth(12)),
        ("set depth 0", nboard.SetDepth(1)),
        ("set game (;GM[Othello]TY[8]B[F5//2.449];)", nboard.SetGame("(;GM[Othello]TY[8]B[F5//2.449];)")),
        ("set game (;CO[# not a comment];)", nboard.SetGame("(;CO[# not a comment];)")),
        ("set game", nboard.SetGame("")),
        ("set contempt -100", nboard.SetContempt(-100)),
        ("move F5/1.25/3.2", nboard.Move(EvaluatedMove(F5, 1.25, time_s=3.2))),
        ("move F5//2.4", nboard.Move(EvaluatedMove(F5, None, time_s=2.4))),
        ("move F5", nboard.Move(EvaluatedMove(F5))),
        # What a Java program writes on a German or Arabic desktop, all digits of a double, and what tells nothing.
        ("move F5/1,25/3,2", nboard.Move(EvaluatedMove(F5, 1.25, time_s=3.2))),
        ("move F5/\u2212\u0663\u066b\u0665/\u200e\u0662", nboard.Move(EvaluatedMove(F5, -3.5, time_s=2.0))),
        ("move F5//2.7680000000000002", nboard.Move(EvaluatedMove(F5, None, time_s=2.7680000000000002))),
        ("move F5/0.00/1.2345678901234567E-5", nboard.Move(EvaluatedMove(F5, 0.0, time_s=1.2345678901234567e-5))),
        (f"move F5//0.{'3' * 900}", nboard.Move(EvaluatedMove(F5, None, time_s=float(f"0.{'3' * 900}")))),
        ("move F5/ 1.25 / 3.2", nboard.Move(EvaluatedMove(F5, 1.25, time_s=3.2))),
        ("move F5/x/3.2", nboard.Move(EvaluatedMove(F5, None, time_s=3.2))),
        ("move F5/NaN/-Infinity", nboard.Move(EvaluatedMove(F5))),
        ("move F5/1.5e300/1\u00a0234,5", nboard.Move(EvaluatedMove(F5))),
        ("move F5/1/2/3", nboard.Move(EvaluatedMove(F5, 1, time_s=2))),
        ("move PA", nboard.Move(EvaluatedMove(PASS))),
        ("move pass", nboard.Move(EvaluatedMove(PASS))),
        ("F5", nboard.Move(EvaluatedMove(F5))),
        ("f5/1/2", nboard.Move(EvaluatedMove(F5, 1, time_s=2))),
        ("PA", nboard.Move(EvaluatedMove(PASS))),
        ("hint 3", nboard.Hint(3)),
        ("hint", nboard.Hint(1)),
        ("hint 0", nboard.Hint(1)),
        ("go", nboard.Go()),
        ("GO\r", nboard.Go()),
        ("ping 17", nboard.Ping(17)),
        ("learn", nboard.Learn()),
        ("analyze", nboard.Analyze()),
        ("new", nboard.New()),
        ("new 8", nboard.New()),
        ("quit", nboard.Quit()),
    ],
)
def test_commands(line: str, command: nboard.Command) -> None:
    assert nboard.parse_command(line) == command


@pytest.mark.parametrize(
    "line", ["", "  ", "remove_tree", "draw_tree 3", "set", "set time 300", "set myname Foo", "gone", "f5 d6", "# go"]
)
def test_unknown_lines_are_ignored(line: str) -> None:
    assert nboard.parse_command(line) is None


@pytest.mark.parametrize(
    "line",
    ["ping", "ping x", "set depth", "set depth x", "set contempt x", "move", "move z9", "move /1/2", "hint x",
     "nboard two"],
)  # fmt: skip
def test_damaged_commands(line: str) -> None:
    with pytest.raises(NBoardError):
        nboard.parse_command(line)


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("=== F5/12.34/1.5", nboard.Chosen(EvaluatedMove(F5, 12.34, time_s=1.5))),
        ("=== F5/NaN/1.5", nboard.Chosen(EvaluatedMove(F5, None, time_s=1.5))),
        ("=== F5/1,25/x", nboard.Chosen(EvaluatedMove(F5, 1.25))),
        ("=== PA", nboard.Chosen(EvaluatedMove(PASS))),
        ("=== PASS", nboard.Chosen(EvaluatedMove(PASS))),
        ("=== F5//1.5", nboard.Chosen(EvaluatedMove(F5, None, time_s=1.5))),
        ("=== d6 2.00 0.0", nboard.Chosen(EvaluatedMove(D6, 2.0, time_s=0.0))),
        ("search F5d6C3 1.23 0 14 free text", SearchLine((F5, D6, C3), 1.23, Depth(14), "free text")),
        ("search F5-D6-C3 -1 0 14", SearchLine((F5, D6, C3), -1, Depth(14))),
        ("search F5 1,2 0 14", SearchLine((F5,), 1, Depth(14), white_draws=2)),
        ("search F5??? 1 0 14", SearchLine((F5,), 1, Depth(14))),
        ("search F5 0 0 100%", SearchLine((F5,), 0, Depth(100, solve=True))),
        ("search F5 0 0 100%W x", SearchLine((F5,), 0, Depth(100, solve=True, wld=True), "x")),
        ("book F5d6 0.5 37 12@73% opening", SearchLine((F5, D6), 0.5, Depth(12), "opening", True, 37)),
        ("nodestats 12345678901 1.5", nboard.NodeStats(12345678901, 1.5)),
        ("nodestats 1e5 1,5", nboard.NodeStats(100000, 1.5)),
        ("status thinking hard", nboard.Status("thinking hard")),
        ("status", nboard.Status()),
        ("set myname Foo12", nboard.MyName("Foo12")),
        ("set myname Foo 12", nboard.MyName("Foo")),
        ("pong 4", nboard.Pong(4)),
        ("learned", nboard.Learned()),
        ("learn", nboard.Learned()),
        ("analysis 0 -2.5", nboard.Analysis(0, -2.5)),
    ],
)
def test_responses(line: str, response: nboard.Response) -> None:
    assert nboard.parse_response(line) == response


def test_an_evaluation_may_be_no_number() -> None:
    response = nboard.parse_response("search PA NaN,NaN 0 12")
    assert isinstance(response, SearchLine)
    assert response.pv == (PASS,)
    assert math.isnan(response.evaluation)
    assert str(response) == "search PA NaN,NaN 0 12"


@pytest.mark.parametrize("line", ["", "hello", "warning: ===", "Status x", "=== ".strip() + "F5", "statuses"])
def test_chatter_is_ignored(line: str) -> None:
    assert nboard.parse_response(line) is None


@pytest.mark.parametrize(
    "line",
    ["===", "=== z9", "search", "search F5", "search F5 1 0", "search F5 x 0 14", "search F5 1 0 deep",
     "search F5 1 x 14", "search z9 1 0 14", "nodestats", "nodestats 1", "nodestats x 1", "pong", "pong x",
     "analysis 1", "set myname", "set other x"],
)  # fmt: skip
def test_damaged_responses(line: str) -> None:
    with pytest.raises(NBoardError):
        nboard.parse_response(line)


@pytest.mark.parametrize(
    ("text", "depth", "exact"),
    [
        ("14", Depth(14), False),
        ("100%", Depth(100, solve=True), True),
        ("100%W", Depth(100, solve=True, wld=True), False),
        ("98%", Depth(98, solve=True), False),
        ("14@73%", Depth(14), False),
        ("14 plies", Depth(14), False),
    ],
)
def test_depths(text: str, depth: Depth, exact: bool) -> None:
    assert nboard_values.parse_depth(text) == depth
    assert depth.exact is exact


def test_a_midgame_depth_never_looks_like_a_solve() -> None:
    assert "%" not in str(Depth(14))
    assert [str(Depth(98, solve=True)), str(Depth(100, solve=True, wld=True))] == ["98%", "100%W"]


@pytest.mark.parametrize(("name", "word"), [("othello-bot 0.1", "othellobot01"), ("Foo12", "Foo12"), ("…", "engine")])
def test_a_name_is_one_word(name: str, word: str) -> None:
    assert str(nboard.MyName(name)) == f"set myname {word}"


def test_a_status_is_one_line() -> None:
    assert str(nboard.Status("a\n=== F5")) == "status a === F5"
    assert str(nboard.Status()) == "status"


MOVES = st.integers(0, PASS)
HUNDREDTHS = st.integers(-(10**6), 10**6).map(lambda number: number / 100)
TIMES = st.integers(0, 10**6).map(lambda number: number / 100)
TIMED = st.builds(EvaluatedMove, MOVES, st.none() | HUNDREDTHS, time_s=st.none() | TIMES)
WORDS = st.from_regex(r"[!-~]{1,6}( [!-~]{1,6}){0,3}", fullmatch=True)
DEPTHS = st.builds(Depth, st.integers(0, 100)) | st.builds(
    lambda n, w: Depth(n, True, w), st.integers(0, 100), st.booleans()
)
COMMANDS = st.one_of(
    st.builds(nboard.Hello, st.integers(0, 9)),
    st.builds(nboard.SetDepth, st.integers(1, 99)),
    st.builds(nboard.SetGame, WORDS),
    st.builds(nboard.SetContempt, st.integers(-6400, 6400).map(float)),
    st.builds(nboard.Move, TIMED),
    st.builds(nboard.Hint, st.integers(1, 64)),
    st.builds(nboard.Ping, st.integers(0, 10**9)),
    st.sampled_from((nboard.Go(), nboard.Learn(), nboard.Analyze(), nboard.New(), nboard.Quit())),
)
RESPONSES = st.one_of(
    st.builds(nboard.Chosen, TIMED),
    st.builds(
        SearchLine,
        st.lists(MOVES, min_size=1, max_size=9).map(tuple),
        HUNDREDTHS,
        DEPTHS,
        st.just("") | WORDS,
        st.just(False),
        st.just(0),
        st.none() | HUNDREDTHS,
    ),
    st.builds(
        SearchLine,
        st.lists(MOVES, min_size=1, max_size=9).map(tuple),
        HUNDREDTHS,
        DEPTHS,
        st.just(""),
        st.just(True),
        st.integers(0, 10**6),
    ),
    st.builds(nboard.NodeStats, st.integers(0, 10**15), TIMES),
    st.builds(nboard.Status, st.just("") | WORDS),
    st.builds(nboard.MyName, st.from_regex(r"[A-Za-z0-9]{1,12}", fullmatch=True)),
    st.builds(nboard.Pong, st.integers(0, 10**9)),
    st.builds(nboard.Analysis, st.integers(0, 120), HUNDREDTHS),
    st.just(nboard.Learned()),
)


@pytest.mark.slow
@given(COMMANDS)
def test_a_command_reads_back(command: nboard.Command) -> None:
    line = str(command)
    assert "\n" not in line
    assert nboard.parse_command(line) == command


@given(RESPONSES)
def test_a_response_reads_back(response: nboard.Response) -> None:
    line = str(response)
    assert "\n" not in line
    assert nboard.parse_response(line) == response


def test_a_game_as_text() -> None:
    white_first = Board(START.cells, Color.WHITE)
    assert format_game(START, [F5, D6, PASS], names=("A b", "C")) == (
        "(;GM[Othello]PC[NBoard]PB[Ab]PW[C]RE[?]TY[8]"
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6]B[PA];)"
    )
    assert format_game(white_first, [F5]).endswith("-------- O]W[F5];)")


def test_a_game_has_a_limit_of_moves() -> None:
    with pytest.raises(NBoardError, match="at most 128 moves"):
        parse_game("(;GM[Othello]" + "B[F5]" * 129 + ";)")


def clock_at_the_end(game: str, color: str, tag: str) -> float:
    """Return what a reader of GGF computes: the clock at the start, less each move's time, plus increments."""
    clock = re.search(rf"{tag}\[(\d+):(\d+)/(\d+):(\d+)/0\]", game)
    assert clock is not None
    minutes, seconds, increment_minutes, increment_seconds = map(int, clock.groups())
    left = 60.0 * minutes + seconds
    for move in re.findall(rf"\b{color}\[([^\]]*)\]", game.split("BO[")[1]):
        _, _, time_s = move.partition("//")
        left += 60 * increment_minutes + increment_seconds - float(time_s or 0)
    return left


@given(
    st.lists(MOVES, max_size=60),
    st.sampled_from(Color),
    st.tuples(st.integers(0, 10**7), st.integers(0, 10**7)),
    st.integers(0, 20),
)
def test_a_game_carries_the_clocks(moves: list[int], first: Color, left_ms: tuple[int, int], increment_s: int) -> None:
    clocks = tuple(ClockState(left / 1000, increment_s) for left in left_ms)
    game = format_game(Board(START.cells, first), moves, (clocks[0], clocks[1]))
    for color, letter, tag in zip(Color, "BW", ("TB", "TW"), strict=True):
        told = clock_at_the_end(game, letter, tag)
        played = len(moves[color ^ first :: 2])
        # Without a move of its own only whole seconds can be told.
        assert math.isclose(told, left_ms[color] / 1000, abs_tol=0.0011 if played else 1.0)
        assert told <= left_ms[color] / 1000 + 0.0011


@pytest.mark.parametrize("first", Color)
def test_a_clock_that_has_run_out_is_not_told_as_none(first: Color) -> None:
    game = parse_game(format_game(Board(START.cells, first), [F5, D6, F5], (ClockState(0.0), ClockState(0.4))))
    for color, left_s in ((Color.BLACK, 0.0), (Color.WHITE, 0.4)):
        setting = game.clocks[color]
        assert setting is not None
        used_s = sum(played.time_s or 0.0 for side, played in game.moves if side is color)
        assert math.isclose(setting.main_s - used_s, left_s, abs_tol=0.0011)
