"""The hand-made evaluation, in 1/EVALUATION_UNIT disc from the mover's view: for training from nothing.

The learned evaluation is measured against it."""

# Chosen from common advice about the game and checked by play.
cdef enum:
    MOVE_WORTH = 110          # one more move than the opponent, in 1/128 disc; fades below 20 empties
    POTENTIAL_WORTH = 45      # one more frontier square; fades likewise
    CORNER_WORTH = 1000       # about eight discs
    X_WORTH = -450            # a disc on the X-square of an empty corner
    C_WORTH = -180            # a disc on a C-square of an empty corner
    STABLE_WORTH = 160        # a disc that can never be flipped
    EDGE_WORTH = 60           # a disc on an edge, away from corner and C-squares
    LAST_MOVE_WORTH = 160     # against the mover where the number of empties is even: the opponent moves last


cdef inline int corner_terms(uint64_t own, uint64_t empty) noexcept nogil:
    """Return what one side's discs on corners and edges are worth, and on the squares next to empty corners."""
    cdef uint64_t open_corners = corners(empty)
    cdef uint64_t x = 0, c = 0
    if open_corners & 1:
        x |= <uint64_t>1 << 9
        c |= <uint64_t>0x0102
    if open_corners >> 7 & 1:
        x |= <uint64_t>1 << 14
        c |= <uint64_t>0x8040
    if open_corners >> 56 & 1:
        x |= <uint64_t>1 << 49
        c |= <uint64_t>0x0201000000000000
    if open_corners >> 63 & 1:
        x |= <uint64_t>1 << 54
        c |= <uint64_t>0x4080000000000000
    return (
        CORNER_WORTH * bits_count(corners(own))
        + X_WORTH * bits_count(own & x)
        + C_WORTH * bits_count(own & c)
        + EDGE_WORTH * bits_count(own & <uint64_t>0x3c0081818181003c)
    )


cdef int handmade(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the sum of mobility, potential mobility, corners, edges, stability, parity and, near the end, discs."""
    cdef uint64_t empty = ~(mover | opponent)
    cdef int empties = bits_count(empty)
    cdef int moves = bits_count(bits_legal_moves(mover, opponent)) - bits_count(bits_legal_moves(opponent, mover))
    cdef int potential = bits_count(frontier(mover, opponent)) - bits_count(frontier(opponent, mover))
    cdef int fade = empties if empties < 20 else 20
    cdef int value = (moves * MOVE_WORTH + potential * POTENTIAL_WORTH) * (fade + 8) // 28
    value += corner_terms(mover, empty) - corner_terms(opponent, empty)
    value += STABLE_WORTH * (bits_count(stable_of(mover, opponent)) - bits_count(stable_of(opponent, mover)))
    if empties < 20:
        value += (bits_count(mover) - bits_count(opponent)) * (20 - empties) * EVALUATION_UNIT // 40
    if empties & 1 == 0:
        value -= LAST_MOVE_WORTH
    return value


def handmade_value(uint64_t mover, uint64_t opponent) -> float:
    """Return the static value in discs, mover's view."""
    return handmade(mover, opponent) / <double>EVALUATION_UNIT
