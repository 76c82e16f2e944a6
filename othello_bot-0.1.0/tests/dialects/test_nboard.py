"""NBoard 2: the GUI's messages and the expected answers; the GUI's own update cycle replayed."""

from __future__ import annotations

import math
import os
import re
import subprocess

import pytest

from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.dialects.nboard import depth_of
from othello_bot.engine.time_manager import UNLIMITED
from othello_bot.protocol.nboard import parse_response
from othello_bot.rules.game import Game
from tests.session.fake_search import FakeSearch
from tests.session.harness import COMMAND, SMALL, TIMEOUT_S, LiveSession, in_process, real_process

START = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[{clock}]TY[8]BO[8 {board} *]{moves};)"
USUAL = "---------------------------O*------*O---------------------------"
NO_BOOK = SMALL.with_value("book", "off")
BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"


def game(moves: str, clock: str = "05:00", board: str = USUAL) -> str:
    """Return a `set game` line: moves of two characters each, colours in turn, black first."""
    words = re.findall("..", moves)
    text = "".join(f"{'BW'[ply % 2]}[{word.upper()}//1.5]" for ply, word in enumerate(words))
    return f"set game {START.format(clock=clock, board=board, moves=text)}\n"


def answer(text: str) -> list[str]:
    """Return the lines of the output except progress reports."""
    kinds = ("search", "nodestats", "status", "book")
    return [line for line in text.splitlines() if line.split()[0] not in kinds]


# The lines sent, and the expected answers except progress reports.
TABLE = [
    ("nboard 2\n", ["set myname othellobot"]),
    ("nboard 1\n", ["set myname othellobot"]),
    ("nboard 2\nset depth 4\n", ["set myname othellobot", "set myname othellobot4"]),
    ("nboard 2\nset depth 99\nping 1\n", ["set myname othellobot", "set myname othellobot60", "pong 1"]),
    ("nboard 2\nping 1\nping 2\n", ["set myname othellobot", "pong 1", "pong 2"]),
    ("nboard 2\nlearn\n", ["set myname othellobot", "learned"]),
    ("nboard 2\nset contempt 100\nset contempt -9999\nping 1\n", ["set myname othellobot", "pong 1"]),
    # Unknown and damaged lines are ignored.
    ("nboard 2\nfoo\n=5\nset\nset depth x\nset game\nset game (;GM[Go];)\nmove z9\nping\n\nping 3\n", None),
    ("nboard 2\nmove A1\nping 3\n", None),
    # A pass at the end of the game that the GUI sends, and one that it sends as a move.
    (
        f"nboard 2\nset depth 1\n{game(BLACK_MUST_PASS)}go\n",
        ["set myname othellobot", "set myname othellobot1", "=== PA"],
    ),
    (f"nboard 2\nset depth 1\n{game('d3c3f5f4f3d2d1e3b3')}go\nanalyze\nhint 2\n", None),
]


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "expected"), TABLE)
def test_table(sent: str, expected: list[str] | None) -> None:
    found = answer(in_process(sent, options=NO_BOOK))
    if expected is not None:
        assert found == expected
    elif sent.endswith("ping 3\n"):
        assert found == ["set myname othellobot", "pong 3"]


def test_a_strength_below_the_champion_is_not_changed_by_the_depth() -> None:
    options = NO_BOOK.with_value("strength", "beginner").with_value("seed", "1")
    named, asked = "set myname othellobotbeginner", f"nboard 2\n{{}}{game('f5d6c3')}go\n"
    plain, deep = (answer(in_process(asked.format(depth), options=options)) for depth in ("", "set depth 20\n"))
    assert plain[0] == named and deep[:2] == [named, named]
    assert plain[-1] == deep[-1] and plain[-1].startswith("=== ")


@pytest.mark.parametrize(
    ("depth", "selectivity", "score", "bound", "shown"),
    [
        (14, 73, 3, Bound.EXACT, "14"),
        (20, 98, 3, Bound.EXACT, "98%"),
        (20, 100, 3, Bound.EXACT, "100%"),
        (20, 100, 0, Bound.EXACT, "100%"),
        (20, 100, 3, Bound.LOWER, "100%W"),
        (20, 100, -3, Bound.UPPER, "100%W"),
        (20, 100, -3, Bound.LOWER, "20"),
        (20, 100, 0, Bound.LOWER, "20"),
    ],
)
def test_depths_and_proofs(depth: int, selectivity: int, score: int, bound: Bound, shown: str) -> None:
    line = EvaluatedMove(19, score, (19,), depth, selectivity, selectivity == 100 and bound is Bound.EXACT, bound)
    assert str(depth_of(line, empties=20)) == shown


def test_a_finished_game() -> None:
    text = in_process(f"nboard 2\nset depth 1\n{game('d3c3f5f4f3d2d1e3b3')}go\nanalyze\n", options=NO_BOOK)
    found = answer(text)
    assert found[2] == "=== PA"
    values = [line.split() for line in found[3:]]
    assert [int(words[1]) for words in values] == list(range(9, -1, -1))
    assert float(values[0][2]) == -64.0  # White is to move and has nothing left


def test_after_a_human_pass_the_move_is_legal() -> None:
    """The GUI requests a move with a pass at the end of the game (okuhara/edax-reversi-AVX#1)."""
    text = in_process(f"nboard 2\nset depth 2\n{game(BLACK_MUST_PASS + 'pa')}go\n", options=NO_BOOK)
    assert re.fullmatch(r"=== (A3|B4|D6)/-?\d+\.\d\d/\d+\.\d\d", answer(text)[-1])


def test_go_answers_once_and_does_not_play() -> None:
    text = in_process(
        f"nboard 2\nset depth 3\n{game('f5')}go\ngo\nmove D6/1.25/3.2\nmove C3//2\nmove d3\ngo\n", options=NO_BOOK
    )
    moves = [line for line in answer(text) if line.startswith("===")]
    assert len(moves) == 3
    assert moves[0].split("/")[:2] == moves[1].split("/")[:2]
    assert re.search(r"^search [A-H][1-8]\S* -?\d+\.\d\d 0 3 3@\d+%$", text, re.MULTILINE)
    assert re.search(r"^nodestats \d+ \d+\.\d{3}$", text, re.MULTILINE)


def test_a_game_from_a_set_up_position() -> None:
    board = USUAL[:18] + "O" + USUAL[19:]
    text = in_process(f"nboard 2\nset depth 2\n{game('', board=board)}go\n", options=NO_BOOK)
    assert re.match("=== [A-H][1-8]", answer(text)[-1])


def test_a_solved_position_is_marked() -> None:
    # 60 discs, four empty squares at the end of the last row: h8, g8, f8 and e8.
    board = "*" * 28 + "O" * 27 + "*****" + "----"
    text = in_process(f"nboard 2\nset depth 2\n{game('', board=board)}hint 4\n", options=NO_BOOK)
    lines = [line for line in text.splitlines() if line.startswith("search")]
    assert lines and lines[-1].split()[4] == "100%"


def test_clocks_come_from_the_game() -> None:
    search = FakeSearch()
    lines = [game("f5d6"), "go\n", game("f5d6", clock="00:05"), "go\n", game("f5d6", clock="0"), "go\n"]
    in_process("nboard 2\n" + "".join(lines) + "move C3/0/100\nmove d3\ngo\n", search=search, options=NO_BOOK)
    optima = [budget.optimum_s for _, _, budget, _ in search.runs]
    assert math.isfinite(optima[0]) and math.isfinite(optima[1]) and optima[0] > optima[1] > 0
    assert search.runs[2][2] == UNLIMITED
    assert search.runs[2][1].level == 21


def test_the_time_of_a_move_counts_against_its_player() -> None:
    search = FakeSearch()
    rest = "move C3/0/100\nmove d3/0/1\ngo\n"
    in_process(f"nboard 2\n{game('f5d6')}go\n{rest}", search=search, options=NO_BOOK)
    before, after = (budget.optimum_s for _, _, budget, _ in search.runs)
    assert after < before


def test_contempt_is_what_a_proven_draw_is_worth() -> None:
    search = FakeSearch(reports=1, exact=True)  # its best line has the score 0
    for moves, shown in (("", "D3C3 1.00"), ("f5", "F4C3 -1.00")):
        with LiveSession(search, NO_BOOK) as live:
            live.send("nboard 2", "set contempt 100", game(moves).strip(), "hint 1")
            live.wait_for(f"search {shown} 0 1")
            live.send("ping 1")
            live.wait_for("pong 1")


def test_a_hint_goes_on_until_something_comes_and_nothing_old_follows_the_pong() -> None:
    search = FakeSearch(blocks=True, reports=2)
    with LiveSession(search, NO_BOOK) as live:
        live.send("nboard 2", game("f5").strip(), "hint 3")
        live.wait_for("nodestats 200")
        assert search.runs[0][1].infinite and search.runs[0][1].multi_pv == 3
        live.send("ping 7")
        live.wait_for("pong 7\n")
        live.send("move D6", "hint 1")
        live.wait_for("pong 7\nstatus Analyzing\nsearch C3")
        # A move without a ping ends the analysis of the position before it too.
        live.send("move C3", "ping 8")
        live.wait_for("pong 8\n")
    assert live.writer.text.endswith("pong 8\n")


def test_ping_ends_a_go() -> None:
    search = FakeSearch(blocks=True, reports=1)
    with LiveSession(search, NO_BOOK) as live:
        live.send("nboard 2", "go")
        assert search.began.wait(30)
        live.send("ping 1")
        live.wait_for("pong 1\n")
    assert live.writer.text.count("===") == 1
    assert live.writer.text.index("===") < live.writer.text.index("pong")


@pytest.mark.process
def test_the_update_cycle_of_the_gui() -> None:
    """`ParsedEngine.updateState`: position, contempt, depth, ping, request; over a few moves."""
    sent = ["nboard 2"]
    moves = ""
    for number, move in enumerate(("f5", "d6", "c3", "d3", "c4")):
        moves += move
        sent += [game(moves).strip(), "set contempt 0", "set depth 3", f"ping {number}", "go", f"ping {number + 100}"]
    found = answer(real_process("\n".join(sent) + "\nquit\n"))
    cycle = found[1:]
    assert len(cycle) == 5 * 4
    for number in range(5):
        name, before, move, after = cycle[4 * number : 4 * number + 4]
        assert (name, before, after) == ("set myname othellobot3", f"pong {number}", f"pong {number + 100}")
        assert re.match("=== [A-H][1-8]", move)


PERSON = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[{clock}]TY[8]BO[8 " + USUAL + " *]B[F5/{score}/{time}]W[D6];)"
"""A game as NBoard sends it after two moves of a person."""


@pytest.mark.parametrize(
    ("clock", "score", "time"),
    [
        ("5:00", "", "2.7680000000000002"),
        ("5:00", "0,00", "2.768"),
        ("4:32,5", "-3,25", "1.0E-4"),
        ("\u0665:\u0660\u0660", "\u0660\u066b\u0660\u0660", "Infinity"),
        ("a while", "NaN", "long"),
    ],
)
def test_a_detail_never_costs_a_game(clock: str, score: str, time: str) -> None:
    sent = f"nboard 2\nset depth 1\nset game {PERSON.format(clock=clock, score=score, time=time)}\n"
    sent += "go\nmove C3/0,00/1.5760000000000001\ngo\n"
    chosen = [line for line in answer(in_process(sent, options=NO_BOOK)) if line.startswith("===")]
    expected = answer(in_process(f"nboard 2\nset depth 1\n{game('f5d6')}go\nmove C3\ngo\n", options=NO_BOOK))[2:]
    assert [line.split("/")[:2] for line in chosen] == [line.split("/")[:2] for line in expected]


def test_a_persons_seconds_count_against_his_clock() -> None:
    search = FakeSearch()
    games = (PERSON.format(clock="0:30", score="0,00", time=time) for time in ("0,5", "25,2560000000000002"))
    in_process("nboard 2\n" + "".join(f"set game {sent}\ngo\n" for sent in games), search=search, options=NO_BOOK)
    short, long = (budget.optimum_s for _, _, budget, _ in search.runs)
    assert math.isfinite(short) and long < short


REFUSED = [
    (game("f5a1"), "move 2: illegal move 'a1': expected f4 d6 f6"),
    (game("f5d6").replace("W[D6", "B[D6"), "move 2: move out of turn 'd6': expected a move of white"),
    (game("f5").replace("TY[8]", "TY[8a]"), "expected Othello on 8x8 squares, got '8a'"),
    (game("f5").replace("BO[8", "BO[10"), f"expected a board of size 8, got '10 {USUAL[:54]}...'"),
    (game("f5").replace("Othello", "Go"), "expected the game Othello, got 'Go'"),
    ("set game\n", "expected a game in GGF, (;GM[Othello]...;), got ''"),
    (f"set game (;{'x' * 66_000};)\n", f"expected a line of at most 65536 bytes, got 'set game (;{'x' * 46}...'"),
]


@pytest.mark.parametrize(("line", "reason"), REFUSED)
def test_no_move_answers_for_the_game_before_a_refused_one(line: str, reason: str) -> None:
    asked = "go\nhint 2\nmove D6\nanalyze\nlearn\nset depth 2\nping 1\n"
    text = in_process(f"nboard 2\n{game('f5')}{line}{asked}", options=NO_BOOK)
    status = f"status no position, because set game was refused: {reason}"
    assert text.splitlines()[1:] == [*[status] * 5, "set myname othellobot2", "pong 1"]
    again = answer(in_process(f"nboard 2\n{line}{asked}{game('f5d6')}go\n{line}new\nmove F5\ngo\n", options=NO_BOOK))
    after_d6, after_f5 = (found[4:6] for found in again if found.startswith("==="))
    assert Game.from_transcript(f"f5d6{after_d6}").ply == 3 and Game.from_transcript(f"f5{after_f5}").ply == 2


def test_a_refused_game_ends_a_hint_and_waits_for_a_go() -> None:
    search = FakeSearch(blocks=True, reports=1)
    with LiveSession(search, NO_BOOK) as live:
        live.send("nboard 2", game("f5").strip(), "hint 2")
        assert search.began.wait(30)
        live.send(game("f5d6").strip(), game("f5a1").strip(), "hint 1", "ping 1")
        live.wait_for("pong 1\n")
        live.send(game("f5d6c3").strip(), "hint 1")
        live.wait_for("pong 1\nstatus Analyzing\nsearch ")
    assert live.writer.text.count("no position") == 1


@pytest.mark.process
def test_no_line_on_stderr_can_be_mistaken() -> None:
    """Not even where a program before the host has set COLUMNS, as those that use readline do."""
    done = subprocess.run(
        [*COMMAND, "--option", "hash=1"],
        input=b"nboard 2\nset game bad\nmove z9\nset depth x\nmove a1\n" + b"x" * 70_000 + b"\nping 1\n",
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
        env={**os.environ, "COLUMNS": "40"},
    )
    found = done.stdout.decode().splitlines()
    assert found[0] == "set myname othellobot" and found[1].startswith("status no position") and found[2:] == ["pong 1"]
    assert [parse_response(line) for line in done.stderr.decode().splitlines()] == [None] * 4
