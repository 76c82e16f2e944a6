"""Stable discs, not all of them, and the bound on the score that follows.

A disc counts as stable where a table of the edges says so, where its lines are full in all four directions, or where it
has a stable neighbour or a full line in each direction (techniques of Zebra and Edax; the table is our own recursion).
"""

# Discs of the mover on one edge that no sequence of moves on that edge can flip, by edge_index(): 6.4 KiB, where an
# index of both sides' discs as bits would spread the same numbers over 64 KiB.
cdef uint8_t[6561] STABLE_EDGE
cdef uint16_t[256] TERNARY          # a byte's bits as ternary digits


cdef inline int edge_index(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the number of an edge, from the discs of both sides as bytes."""
    return TERNARY[mover] + 2 * TERNARY[opponent]


cdef inline uint64_t stable_on_edge(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the stable discs of the mover on an edge; both sides' discs as bytes."""
    return STABLE_EDGE[edge_index(mover, opponent)]


cdef inline uint64_t column_to_row(uint64_t discs, int file) noexcept nogil:
    """Return the eight squares of a file as a byte, the first rank lowest."""
    return ((discs >> file & <uint64_t>0x0101010101010101) * <uint64_t>0x0102040810204080) >> 56


cdef inline uint64_t row_to_column(uint64_t row, int file) noexcept nogil:
    """Return a byte spread over a file, the lowest bit at the first rank."""
    # The highest bit is moved by itself: in the product it would collide with the lowest.
    return ((row & 127) * <uint64_t>0x0002040810204081 & <uint64_t>0x0101010101010101 | row >> 7 << 56) << file


cdef extern from *:
    """
    /* Inlined, its constants would take the registers of the loops around it, which seldom call it. */
    static uint64_t stable_of(uint64_t mover, uint64_t opponent) __attribute__((noinline));
    """


cdef uint64_t stable_of "stable_of" (uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return discs of the mover that can never be flipped, not necessarily all."""
    cdef uint64_t filled = mover | opponent
    cdef uint64_t up, down, h, v, d9, d7, stable, grown
    # Full lines: smear "filled" along each line; squares beyond the board count as filled.
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
    stable |= stable_on_edge(mover & 255, opponent & 255) | stable_on_edge(mover >> 56, opponent >> 56) << 56
    stable |= row_to_column(stable_on_edge(column_to_row(mover, 0), column_to_row(opponent, 0)), 0)
    stable |= row_to_column(stable_on_edge(column_to_row(mover, 7), column_to_row(opponent, 7)), 7)
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
    """Return the least alpha at which counting the opponent's stable discs is likely to pay: few are stable early."""
    return 2 * empties - 8 if empties < 26 else 48


cdef inline bint stability_cutoff(
    uint64_t mover, uint64_t opponent, int alpha, int empties, int *score
) noexcept nogil:
    """Return whether the mover cannot exceed alpha, because the opponent keeps what is stable; *score is the bound.

    Where so few discs are the opponent's that all of them would not be enough, they are not counted.
    """
    if alpha < stability_threshold(empties) or 64 - 2 * bits_count(opponent) > alpha:
        return False
    score[0] = 64 - 2 * bits_count(stable_of(opponent, mover))
    return score[0] <= alpha


cdef int edge_after(int square, int mover, int opponent) noexcept nogil:
    """Return what the mover's disc on `square` flips along one edge; 0 for nothing, the move may still be legal."""
    cdef int flipped = 0, run = 0, i
    i = square + 1
    while i < 8 and opponent >> i & 1:
        run |= 1 << i
        i += 1
    if i < 8 and mover >> i & 1:
        flipped |= run
    run = 0
    i = square - 1
    while i >= 0 and opponent >> i & 1:
        run |= 1 << i
        i -= 1
    if i >= 0 and mover >> i & 1:
        flipped |= run
    return flipped


cdef int edge_stable(uint8_t *stable_of_both, int mover, int opponent) noexcept nogil:
    """Return the discs of both colours that survive every sequence of moves of either on the edge's empty squares.

    `stable_of_both` keeps what was found of each edge.  255 is that of a full edge, and where nothing was found yet.
    """
    cdef uint8_t *known = &stable_of_both[edge_index(mover, opponent)]
    cdef int stable = mover | opponent, empties = ~(mover | opponent) & 255, square, flipped
    if known[0] != 255:
        return known[0]
    for square in range(8):
        if empties >> square & 1:
            flipped = edge_after(square, mover, opponent)
            stable &= ~flipped
            stable &= edge_stable(stable_of_both, mover | flipped | 1 << square, opponent & ~flipped)
            flipped = edge_after(square, opponent, mover)
            stable &= ~flipped
            stable &= edge_stable(stable_of_both, mover & ~flipped, opponent | flipped | 1 << square)
    known[0] = stable
    return stable


cdef void stability_init() noexcept nogil:
    """Fill the tables above."""
    cdef uint8_t[6561] stable_of_both
    cdef int discs, digit, mover, opponent
    for discs in range(256):
        TERNARY[discs] = 0
        for digit in range(8):
            TERNARY[discs] = 3 * TERNARY[discs] + (discs >> digit & 1)
    memset(stable_of_both, 255, sizeof(stable_of_both))
    for mover in range(256):
        for opponent in range(256):
            if mover & opponent == 0:
                STABLE_EDGE[edge_index(mover, opponent)] = mover & edge_stable(stable_of_both, mover, opponent)


stability_init()


def stable_discs(uint64_t mover, uint64_t opponent) -> int:
    """Return the bitboard of discs of the mover that can never be flipped, not necessarily all."""
    return stable_of(mover, opponent)
