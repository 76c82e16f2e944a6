"""Readers of transcripts, boards and positions take linear time, whatever a file holds: their steps are counted."""

from __future__ import annotations

import sys
import unicodedata
from types import FrameType
from typing import Any

import pytest

from othello_bot.base.boards import parse_board, read_grid
from othello_bot.base.notation import NotationError
from othello_bot.formats.pasted import LONGEST_LINE, parse_pasted
from othello_bot.formats.reading import games_of_content

FILLERS = (
    *(" ", "-", "- ", "--\n", "7", "7 ", "x", "x ", "f5", "f5 ", "a1", "a1 ", "pa", "c9 ", "c9\n", "f5\n", "1\n"),
    *("x\n", "\0"),
    *("(", "(1", "[(", "()", ")", "{", "#", "#1 ", "%", "|", "| ", "\t", "a1:", "=", "@@", '"', "\n", "\r", "\x1e"),
    *("<", "<b ", "<p>", "<param ", "<param value=", "<script>", "<!--", "&amp;", "http://", "www.f5-", "8/8/8/8 "),
    *("........\n", "---XO---\n", "8 - - - - - - - - 8\n", "a b c d e f g h\n", "+---+\n", "| | | | | | | |\n"),
    *("・", "パス", "①", "ｆ５", "é", "1. f5 ", "f5 - x (1) # %\n", f"{'-' * 63}X\n", f"{'-' * 64} X; +2;\n"),
)


def steps(text: str) -> int:
    """Return how many calls it takes to read a text."""
    count = 0

    def called(frame: FrameType, event: str, value: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    content = text.encode()
    sys.setprofile(called)
    try:
        for _ in games_of_content(content):
            pass
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("filler", FILLERS)
@pytest.mark.parametrize("before", ["", "f5d6c3\n", "f5d6c3 "])
def test_twice_the_text_takes_twice_the_steps(filler: str, before: str) -> None:
    once, twice = (steps(before + filler * (size // len(filler))) for size in (4000, 8000))
    assert twice <= 2.5 * once + 500


@pytest.mark.parametrize("filler", ["-", "=_", "+-", "| ", "- ", " ", "f5", "1", "("])
def test_long_lines_are_cut_before_they_are_read(filler: str) -> None:
    line = filler * LONGEST_LINE
    assert read_grid([line] * 40) is None
    assert len(parse_pasted(line).moves) <= 128
    with pytest.raises(NotationError):
        parse_board(line)


def test_no_long_run_of_marks_is_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library sorts the marks of a letter when it normalises them, in a time that grows with their square."""
    real = unicodedata.normalize
    marks = 0

    def normalize(form: Any, text: str) -> str:
        nonlocal marks
        marks = max(marks, sum(map(unicodedata.combining, text)) and len(text))
        return real(form, text)

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    many = "\u0301\u0316" * 1000
    assert list(games_of_content(f"www.x.org f5d6c3 {many}".encode()))
    assert parse_pasted(f"f5{many}d6").moves
    with pytest.raises(NotationError):
        parse_board("é" + many)
    assert 0 < marks < 100
