"""Squares and moves as numbers and as text.

A square is an int: a1 = 0, b1 = 1, ... h1 = 7, a2 = 8, ... h8 = 63; it is also the number of its bit in a bitboard.
A move is a square, or `PASS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from othello_bot.errors import InputError

PASS: Final = 64
"""The move of a player who has no legal one; one more than the last square."""

ALL_SQUARES: Final = (1 << 64) - 1
"""The bitboard with every square."""

PASS_WORDS: Final = frozenset({"pass", "pa", "ps", "--"})
"""How programs write a pass, in lower case."""

_NAMES: Final = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
_SQUARES: Final = {name: square for square, name in enumerate(_NAMES)}


class SquareError(InputError):
    """A text that names no square and no move."""


def parse_square(text: str) -> int:
    """Return the square that `text` names ("f5", "F5"); raise SquareError for anything else."""
    square = _SQUARES.get(text.strip().lower()) if len(text) <= 16 else None
    if square is None:
        raise SquareError("square", text, "a letter a-h and a digit 1-8, like f5")
    return square


def square_name(square: int) -> str:
    """Return the lower-case name of a square 0..63; raise SquareError for any other number."""
    if not 0 <= square < 64:
        raise SquareError("square", square, "a number from 0 (a1) to 63 (h8)")
    return _NAMES[square]


def parse_move(text: str) -> int:
    """Return the move that `text` names: a square, or PASS for pass, pa, ps, -- in any case; else raise SquareError."""
    if len(text) <= 16 and text.strip().lower() in PASS_WORDS:
        return PASS
    try:
        return parse_square(text)
    except SquareError:
        raise SquareError("move", text, "a square like f5, or pass") from None


def move_name(move: int) -> str:
    """Return the lower-case name of a move: "f5", or "pass"; raise SquareError for a number that is no move."""
    return "pass" if move == PASS else square_name(move)


def squares_of(bits: int) -> Iterator[int]:
    """Yield the squares of a bitboard, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
