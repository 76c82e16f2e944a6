"""Stable discs: a lower bound, and the score that follows from it.

Technique: exact stability along the edges from a table, discs on lines that are full in all four directions, and discs
that lean on stable neighbours in every direction (as described for Edax and Zebra; the table is our own recursion).
"""

from libc.stdint cimport uint8_t, uint64_t

from othello_bot.kernel.bits cimport bits_count

# Discs of the mover on one edge that no sequence of moves on that edge can flip, by [mover's discs][opponent's discs].
cdef uint8_t[256][256] STABLE_EDGE

cdef void stability_init() noexcept nogil


cdef inline uint64_t column_to_row(uint64_t discs, int file) noexcept nogil:
    """The eight squares of a file as a byte, first rank lowest."""
    return ((discs >> file & <uint64_t>0x0101010101010101) * <uint64_t>0x0102040810204080) >> 56


cdef inline uint64_t row_to_column(uint64_t row, int file) noexcept nogil:
    """A byte spread over a file, lowest bit at the first rank."""
    # The highest bit apart: in the product it would meet the carry of the lowest.
    return ((row & 127) * <uint64_t>0x0002040810204081 & <uint64_t>0x0101010101010101 | row >> 7 << 56) << file


cdef inline uint64_t stable_of(uint64_t mover, uint64_t opponent) noexcept nogil:
    """The mover's discs that can never be flipped; some such discs may be missing."""
    cdef uint64_t filled = mover | opponent
    cdef uint64_t up, down, h, v, d9, d7, stable, grown
    # Lines without an empty square: smear "filled" along each line, squares beyond the board count as filled.
    h = filled & filled >> 1 & <uint64_t>0x5555555555555555
    h = h & h >> 2 & <uint64_t>0x1111111111111111
    h = (h & h >> 4 & <uint64_t>0x0101010101010101) * 255
    v = filled & (filled >> 8 | filled << 56)
    v &= v >> 16 | v << 48
    v &= v >> 32 | v << 32
    up = filled & (filled << 9 | <uint64_t>0x01010101010101ff)
    up &= up << 18 | <uint64_t>0x030303030303ffff
    up &= up << 36 | <uint64_t>0x0f0f0f0fffffffff
    down = filled & (filled >> 9 | <uint64_t>0xff80808080808080)
    down &= down >> 18 | <uint64_t>0xffffc0c0c0c0c0c0
    down &= down >> 36 | <uint64_t>0xfffffffff0f0f0f0
    d9 = up & down
    up = filled & (filled << 7 | <uint64_t>0x80808080808080ff)
    up &= up << 14 | <uint64_t>0xc0c0c0c0c0c0ffff
    up &= up << 28 | <uint64_t>0xf0f0f0f0ffffffff
    down = filled & (filled >> 7 | <uint64_t>0xff01010101010101)
    down &= down >> 14 | <uint64_t>0xffff030303030303
    down &= down >> 28 | <uint64_t>0xffffffff0f0f0f0f
    d7 = up & down
    stable = h & v & d9 & d7
    stable |= STABLE_EDGE[mover & 255][opponent & 255] | <uint64_t>STABLE_EDGE[mover >> 56][opponent >> 56] << 56
    stable |= row_to_column(STABLE_EDGE[column_to_row(mover, 0)][column_to_row(opponent, 0)], 0)
    stable |= row_to_column(STABLE_EDGE[column_to_row(mover, 7)][column_to_row(opponent, 7)], 7)
    stable &= mover
    if stable == 0:
        return 0
    mover &= <uint64_t>0x007e7e7e7e7e7e00
    while True:
        grown = mover & ~stable
        grown &= stable >> 1 | stable << 1 | h
        grown &= stable >> 8 | stable << 8 | v
        grown &= stable >> 9 | stable << 9 | d9
        grown &= stable >> 7 | stable << 7 | d7
        if grown == 0:
            return stable
        stable |= grown


cdef inline int stability_threshold(int empties) noexcept nogil:
    """Least alpha at which counting the opponent's stable discs is likely enough to pay: few discs are stable early."""
    return 2 * empties - 4 if empties < 26 else 48


cdef inline int stability_upper_bound(uint64_t mover, uint64_t opponent) noexcept nogil:
    """No line of play gives the mover more than this: the opponent keeps what is stable."""
    return 64 - 2 * bits_count(stable_of(opponent, mover))
