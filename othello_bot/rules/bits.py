"""Bitboards as sets of squares: bit i is square i, a1 = 0 .. h8 = 63."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

ALL_SQUARES: Final = (1 << 64) - 1
"""The bitboard with every square."""


def empties_of(mover: int, opponent: int) -> int:
    """Return the number of empty squares of a board, whichever side is which."""
    return 64 - (mover | opponent).bit_count()


def squares_of(bits: int) -> Iterator[int]:
    """Yield the squares of a bitboard, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
