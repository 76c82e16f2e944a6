"""The named openings: their lines, and the names of positions."""

from __future__ import annotations

from typing import Final, NamedTuple

from othello_bot.base.errors import FormatError
from othello_bot.base.files import DATA_FOLDER
from othello_bot.base.notation import format_transcript
from othello_bot.book.entry import Key, key_of
from othello_bot.book.errors import BookError
from othello_bot.rules import IllegalMove, Position, parse_moves

SHIPPED_NAMES: Final = DATA_FOLDER / "opening-names.txt"


class NamedLine(NamedTuple):
    """An opening: its moves from the usual start, and its name."""

    moves: tuple[int, ...]
    name: str


def named_lines() -> list[NamedLine]:
    """Return the openings that players have names for."""
    return read_names(SHIPPED_NAMES.read_text(encoding="utf-8"))


def read_names(text: str) -> list[NamedLine]:
    """Return the openings of a file of names.

    A line has a transcript from the usual start and the name of the position after it: "c4e3f6e6f5 Tiger". A # begins a
    comment. Raise BookError at the first line that is invalid, illegal, or repeats an earlier one.
    """
    lines: dict[tuple[int, ...], str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("#", 1)[0].split(maxsplit=1)
        if not fields:
            continue
        if len(fields) < 2:
            raise BookError(f"line {number}: opening", line, "moves and a name", number)
        try:
            moves = parse_moves(fields[0])
            positions_of(moves)
        except (FormatError, IllegalMove) as error:
            raise BookError(f"line {number}: opening's moves", error.value, error.expected, number) from error
        if not moves or moves in lines:
            raise BookError(f"line {number}: opening's moves", fields[0], "moves that no earlier line has", number)
        lines[moves] = fields[1].strip()
    return [NamedLine(moves, name) for moves, name in lines.items()]


def format_name(line: NamedLine) -> str:
    """Return an opening as a line of a file of names."""
    return f"{format_transcript(line.moves, passes=False)} {line.name}"


def positions_of(moves: tuple[int, ...]) -> list[Position]:
    """Return the positions after each of the moves from the usual start; raise IllegalMove."""
    positions = [Position.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions[1:]


def names_of(lines: list[NamedLine]) -> dict[Key, str]:
    """Return the names by the keys of their positions; of two names for a position, the first."""
    names: dict[Key, str] = {}
    for line in lines:
        names.setdefault(key_of(positions_of(line.moves)[-1]), line.name)
    return names
