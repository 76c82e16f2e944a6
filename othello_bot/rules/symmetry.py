"""The eight symmetries of the board.

A symmetry is an index 0..7 of three bits, applied in this order: 1 mirrors the files (a <-> h), 2 mirrors the ranks (1
<-> 8), 4 transposes the board (b1 <-> a2). Index 0 is the identity.
"""

from __future__ import annotations

from typing import Final

from othello_bot import kernel
from othello_bot.base.notation import PASS, NotationError

MIRROR_FILES: Final = 1
MIRROR_RANKS: Final = 2
TRANSPOSE: Final = 4
SYMMETRIES: Final = range(8)


def inverse_symmetry(index: int) -> int:
    """Return the symmetry that undoes `index`.

    Each is its own inverse, except the two quarter turns, which undo each other.
    """
    return {5: 6, 6: 5}.get(index, index)


def transform_square(square: int, index: int) -> int:
    """Return the image of a square under symmetry `index`; PASS stays PASS. Raise NotationError for an invalid move."""
    if square == PASS:
        return PASS
    if not 0 <= square < 64:
        raise NotationError(str(square), "a number from 0 (a1) to 63 (h8), or 64 (pass)")
    if index & MIRROR_FILES:
        square ^= 7
    if index & MIRROR_RANKS:
        square ^= 56
    if index & TRANSPOSE:
        square = square >> 3 | (square & 7) << 3
    return square


def images_of_bits(bits: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the images of the bitboard `bits` under the eight symmetries, in the order of their index."""
    return kernel.images(bits)


def transform_bits(bits: int, index: int) -> int:
    """Return the image of the bitboard `bits` under symmetry `index`."""
    return kernel.images(bits)[index]
