"""The eight symmetries of the board.

A symmetry is an index 0..7 of three bits, applied in this order: 1 mirrors the files (a <-> h), 2 mirrors the ranks (1
<-> 8), 4 transposes the board (b1 <-> a2). Index 0 is the identity.
"""

from __future__ import annotations

from typing import Final

from protocol.notation import PASS, NotationError

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


def transform_bits(bits: int, index: int) -> int:
    """Return the image of the bitboard `bits` under symmetry `index`.

    Mirrors swap ever larger blocks of bits; the transposition swaps 1x1, 2x2 and 4x4 blocks across the diagonal ("delta
    swaps", Warren, Hacker's Delight, 7-3).
    """
    if index & MIRROR_FILES:
        bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1
        bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2
        bits = (bits >> 4 & 0x0F0F0F0F0F0F0F0F) | (bits & 0x0F0F0F0F0F0F0F0F) << 4
    if index & MIRROR_RANKS:
        bits = int.from_bytes(bits.to_bytes(8, "little"), "big")
    if index & TRANSPOSE:
        for shift, block in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
            changed = (bits ^ bits >> shift) & block
            bits ^= changed ^ changed << shift
    return bits
