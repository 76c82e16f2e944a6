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
        bits = _with_files_mirrored(bits)
    if index & MIRROR_RANKS:
        bits = _with_ranks_mirrored(bits)
    return _transposed(bits) if index & TRANSPOSE else bits


def images_of_bits(bits: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the images of the bitboard `bits` under the eight symmetries, in the order of their index."""
    mirrored = _with_files_mirrored(bits)
    upturned = _with_ranks_mirrored(bits)
    turned = _with_ranks_mirrored(mirrored)
    return (
        *(bits, mirrored, upturned, turned),
        *(_transposed(bits), _transposed(mirrored), _transposed(upturned), _transposed(turned)),
    )


def _with_files_mirrored(bits: int) -> int:
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2
    return (bits >> 4 & 0x0F0F0F0F0F0F0F0F) | (bits & 0x0F0F0F0F0F0F0F0F) << 4


def _with_ranks_mirrored(bits: int) -> int:
    return int.from_bytes(bits.to_bytes(8, "little"), "big")


def _transposed(bits: int) -> int:
    changed = (bits ^ bits >> 7) & 0x00AA00AA00AA00AA
    bits ^= changed ^ changed << 7
    changed = (bits ^ bits >> 14) & 0x0000CCCC0000CCCC
    bits ^= changed ^ changed << 14
    changed = (bits ^ bits >> 28) & 0x00000000F0F0F0F0
    return bits ^ changed ^ changed << 28
