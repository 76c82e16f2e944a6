"""The file of named openings."""

from __future__ import annotations

import pytest

from othello_bot.base.errors import InputError
from othello_bot.base.notation import format_transcript, parse_move
from othello_bot.book.entry import BookError
from othello_bot.book.opening import NamedLine, named_line, named_lines, names_of, read_names

LINES = named_lines()


def test_the_openings_that_players_know_are_there() -> None:
    names = {line.name for line in LINES}
    assert len(names) == len(LINES) > 75
    assert all(name.isascii() for name in names)
    assert len(names_of(LINES)) == len(LINES)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("c4", 1),
        ("c4 One\nc4 Two", 2),
        ("\n# only\nc4 A\nc4c4 B", 4),
        ("z9 A", 1),
        ("pass A", 1),
    ],
)
def test_files_that_are_none(text: str, line: int) -> None:
    with pytest.raises(BookError, match=f"line {line}:") as caught:
        read_names(text)
    assert caught.value.place == line


def test_lines_that_are_read() -> None:
    assert read_names("  c4   A  name # said\n\n# no line\n") == [NamedLine((parse_move("c4"),), "A  name")]


def test_the_shipped_lines_are_read_as_they_stand() -> None:
    text = "\n".join(f"{format_transcript(line.moves, passes=False)} {line.name}" for line in LINES)
    assert read_names(text) == LINES


@pytest.mark.parametrize(
    ("part", "names", "more"),
    [("bill", 2, ""), ("variation", 6, ""), ("ion", 6, ", ...")],
)
def test_a_part_of_several_names_is_refused_with_the_first_six(part: str, names: int, more: str) -> None:
    having = [line.name for line in LINES if part in line.name.lower()]
    assert (len(having) > names) == bool(more)
    with pytest.raises(InputError) as caught:
        named_line(part)
    assert str(caught.value) == f"opening '{part}': expected one of {', '.join(having[:names])}{more}"
