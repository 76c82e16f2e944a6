"""The table of stable edge discs, computed once at import, and stable discs for Python."""

from libc.stdint cimport uint8_t, uint64_t

cdef uint8_t[256][256] KNOWN


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


cdef int edge_stable(int mover, int opponent) noexcept nogil:
    """Return the discs of both colours that survive every sequence of moves of either on the edge's empty squares."""
    cdef int stable = mover | opponent, empties = ~(mover | opponent) & 255, square, flipped
    if KNOWN[mover][opponent]:
        return STABLE_EDGE[mover][opponent]
    for square in range(8):
        if empties >> square & 1:
            flipped = edge_after(square, mover, opponent)
            stable &= ~flipped
            stable &= edge_stable(mover | flipped | 1 << square, opponent & ~flipped)
            flipped = edge_after(square, opponent, mover)
            stable &= ~flipped
            stable &= edge_stable(mover & ~flipped, opponent | flipped | 1 << square)
    KNOWN[mover][opponent] = 1
    STABLE_EDGE[mover][opponent] = stable
    return stable


cdef void stability_init() noexcept nogil:
    """Fill STABLE_EDGE: first with both colours' stable discs, then with the mover's alone."""
    cdef int mover, opponent
    for mover in range(256):
        for opponent in range(256):
            if mover & opponent == 0:
                edge_stable(mover, opponent)
    for mover in range(256):
        for opponent in range(256):
            STABLE_EDGE[mover][opponent] &= mover


stability_init()


def stable_discs(uint64_t mover, uint64_t opponent) -> int:
    """Return the bitboard of discs of the mover that can never be flipped, not necessarily all."""
    return stable_of(mover, opponent)
