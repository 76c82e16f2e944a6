"""Sets of squares, as they are worked out at the nodes of a search."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport bits_count


cdef inline uint64_t bit(int square) noexcept nogil:
    return <uint64_t>1 << square


cdef inline uint64_t around(uint64_t discs) noexcept nogil:
    """Squares next to any of the discs, in all eight directions."""
    cdef uint64_t sides = discs | (discs << 1 & <uint64_t>0xfefefefefefefefe) | (discs >> 1 & <uint64_t>0x7f7f7f7f7f7f7f7f)
    return sides | sides << 8 | sides >> 8


cdef inline int odd_quadrants(uint64_t empties) noexcept nogil:
    """Set of the quadrants with an odd number of empties."""
    return (
        (bits_count(empties & <uint64_t>0x000000000f0f0f0f) & 1)
        | (bits_count(empties & <uint64_t>0x00000000f0f0f0f0) & 1) << 1
        | (bits_count(empties & <uint64_t>0x0f0f0f0f00000000) & 1) << 2
        | (bits_count(empties & <uint64_t>0xf0f0f0f000000000) & 1) << 3
    )
