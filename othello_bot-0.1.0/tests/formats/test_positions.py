"""Transcripts with a start, Edax FEN and OBF."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import PASS, Color, parse_move
from othello_bot.formats import obf
from othello_bot.rules import game
from othello_bot.rules.position import Position
from tests.rules.strategies import any_positions, positions

START = "---------------------------OX------XO---------------------------"
DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    ("text", "place"),
    [("f5x", 2), ("f5 d9", 3), ("f55", 2), ("pa5", 2), ("f5 1234. d6", 3), ("f5" * 129, 256), ("ff5", 0), ("\0", 0)],
)
def test_where_a_transcript_is_wrong(text: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        game.parse_moves(text)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("text", "color", "rest"),
    [
        (f"{START} X f5d6", Color.BLACK, "f5d6"),
        (f"{START} Of4", Color.WHITE, "f4"),
        (f"{START}; f5", Color.BLACK, "f5"),
        (f"{START} 1. f5", Color.BLACK, "1. f5"),
        ("f5d6", Color.BLACK, "f5d6"),
    ],
)
def test_a_board_before_the_moves(text: str, color: Color, rest: str) -> None:
    start, moves = game.split_start(text)
    assert start.black == Position.start().black
    assert (start.color, moves) == (color, rest)


def test_fen_of_the_start() -> None:
    # Rank 8 comes first: d5 black and e5 white, then d4 white and e4 black.
    text = "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"
    assert Position.parse(text) == Position.start()
    assert obf.format_fen(Position.start()) == text
    assert Position.parse("8/8/8/3pP3/3Pp3/8/8/8 w").color is Color.WHITE
    assert Position.parse("p7/8/8/8/8/8/8/7P b").to_string() == "-" * 7 + "O" + "-" * 48 + "X" + "-" * 7 + " X"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8/8/8/3pP3/3Pp3/8/8/8",
        "8/8/8/3pP3/3Pp3/8/8/8 x",
        "8/8/8/3pP3/3Pp3/8/8 b",
        "9/8/8/3pP3/3Pp3/8/8/8 b",
        "8/8/8/3pP4/3Pp3/8/8/8 b",
        "8/8/8/7/3Pp3/8/8/8 b",
        "pppppppppp/8/8/8/8/8/8/8 b",
        "/" * 7,
        "8/" * 10_000,
    ],
)
def test_texts_that_are_no_fen(text: str) -> None:
    with pytest.raises(InputError):
        Position.parse(text)


@given(any_positions())
def test_fen_is_written_and_read(position: Position) -> None:
    assert Position.parse(obf.format_fen(position)) == position
    assert Position.parse(position.to_string()) == position


def test_obf_with_some_scores() -> None:
    line = f"{START} X; F5:+2; D3: -1; c4:0; % which are made up"
    problem = obf.parse_line(line)
    assert problem is not None
    assert problem.position == Position.start()
    assert problem.scores == {parse_move("f5"): 2, parse_move("d3"): -1, parse_move("c4"): 0}
    assert (problem.best_score, problem.best_moves) == (2, (parse_move("f5"),))
    assert obf.format_line(problem) == f"{START} X; F5:+2; C4:+0; D3:-1;"


def test_obf_with_a_lone_score() -> None:
    problem = obf.parse_line(f"{START} O; -12;")
    assert problem is not None
    assert (problem.best_score, problem.best_moves) == (-12, ())
    assert obf.format_line(problem) == f"{START} O; -12;"


def test_obf_with_a_pass() -> None:
    to_pass = "XO------" + "-" * 56
    problem = obf.parse_line(f"{to_pass} O; PA:-3;")
    assert problem is not None and problem.best_moves == (PASS,)


def test_obf_that_marks_the_end_of_the_moves() -> None:
    problem = obf.parse_line(f"{START} X; F5:+2; --:-127;")
    assert problem is not None and problem.scores == {parse_move("f5"): 2}


@pytest.mark.parametrize("line", ["", "   ", "% only a comment", "\n"])
def test_obf_lines_that_say_nothing(line: str) -> None:
    assert obf.parse_line(line) is None


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("; +2;", "; +2;"),
        (f"{START} X; A1:+2;", "A1"),
        (f"{START} X; pass:+2;", "pass"),
        (f"{START} X; F5:+65;", " F5:+65"),
        (f"{START} X; F5:+\u0662;", " F5:+\u0662"),
        (f"{START} X; F5:-127;", " F5:-127"),
        (f"{START} X; F5;", " F5"),
        (f"{START} X; hello;", " hello"),
        (f"{START} X; F5:+1.5;", " F5:+1.5"),
        ("X" * 63, "X" * 63),
        ("x;" * 10_000, "x;" * 10_000),
    ],
)
def test_obf_lines_that_are_nonsense(line: str, value: str) -> None:
    with pytest.raises(FormatError) as caught:
        obf.parse_line(line)
    assert caught.value.value == value


def test_obf_errors_name_the_line() -> None:
    with pytest.raises(FormatError, match="line 3"):
        list(obf.read(["% comment", f"{START} X;", "nonsense"]))


@given(positions(), st.data())
def test_obf_is_written_and_read(position: Position, data: st.DataObject) -> None:
    moves = (PASS,) if position.must_pass else position.legal_moves
    scores = {move: data.draw(st.integers(-64, 64)) for move in moves if data.draw(st.booleans())}
    best = None if scores else data.draw(st.none() | st.integers(-64, 64))
    problem = obf.Problem(position, scores, best)
    assert obf.parse_line(obf.format_line(problem)) == problem


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no test positions in {DATA}")
def test_the_published_problems_are_read() -> None:
    problems = [problem for path in sorted(DATA.glob("ffo-*.obf")) for problem in obf.read(path.open())]
    assert len(problems) == 19 + 20 + 20
    assert all(problem.best_moves for problem in problems)
    hard = [problem for path in sorted(DATA.glob("hard-*.obf")) for problem in obf.read(path.open())]
    assert len(hard) == 276 + 311
    assert all(len(problem.scores) == len(problem.position.legal_moves) for problem in hard)
    lone = [problem for path in sorted(DATA.glob("exact-*.obf")) for problem in obf.read(path.open())]
    assert len(lone) > 100
    assert all(problem.best_score is not None and not problem.scores for problem in lone)
