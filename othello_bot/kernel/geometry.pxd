"""Sets of squares that a search works out at its nodes."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport bits_count


cdef inline uint64_t bit(int square) noexcept nogil:
    """Return the set of one square."""
    return <uint64_t>1 << square


cdef inline uint64_t corners(uint64_t squares) noexcept nogil:
    """Return the corners among the squares."""
    return squares & <uint64_t>0x8100000000000081


cdef inline uint64_t likely_first(uint64_t moves) noexcept nogil:
    """Return the moves to be tried first where an order may cost nothing: corners, or else those not next to one.

    Where there are neither, all moves.
    """
    cdef uint64_t likely = corners(moves)
    if likely == 0:
        likely = moves & ~<uint64_t>0x42c300000000c342
    return likely if likely else moves


cdef inline uint64_t around(uint64_t discs) noexcept nogil:
    """Return the discs and all squares next to them, in all eight directions."""
    cdef uint64_t sides = discs
    sides |= discs << 1 & <uint64_t>0xfefefefefefefefe
    sides |= discs >> 1 & <uint64_t>0x7f7f7f7f7f7f7f7f
    return sides | sides << 8 | sides >> 8


cdef inline uint64_t frontier(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the empty squares next to the opponent's discs: where the mover may one day move."""
    return ~(mover | opponent) & around(opponent)


cdef inline int odd_quadrants(uint64_t empties) noexcept nogil:
    """Return which quadrants have an odd number of empties, one bit each: a1, h1, a8, h8."""
    return (
        (bits_count(empties & <uint64_t>0x000000000f0f0f0f) & 1)
        | (bits_count(empties & <uint64_t>0x00000000f0f0f0f0) & 1) << 1
        | (bits_count(empties & <uint64_t>0x0f0f0f0f00000000) & 1) << 2
        | (bits_count(empties & <uint64_t>0xf0f0f0f000000000) & 1) << 3
    )
