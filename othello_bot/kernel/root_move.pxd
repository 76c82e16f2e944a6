"""What is known of a root move."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    PV_LENGTH = 64       # moves that are kept of a line

# How a root move's score relates to the true one; root_line.Bound names them for Python.
cdef enum:
    BOUND_EXACT = 0
    BOUND_LOWER = 1
    BOUND_UPPER = 2

cdef struct RootMove:
    uint64_t flips
    int square
    int score              # discs, mover's view, of the last iteration that completed this move
    int bound
    int depth
    int selectivity
    int pv_length
    uint8_t pv[PV_LENGTH]


cdef inline int bound_of(int score, int alpha, int beta) noexcept nogil:
    """Return what a score of a search with this window is.  No bound is at the end of the scale: that is the score."""
    if score <= alpha and alpha > -64:
        return BOUND_UPPER
    if score >= beta and beta < 64:
        return BOUND_LOWER
    return BOUND_EXACT


cdef inline void record(
    RootMove *move, int score, int alpha, int beta, int depth, int selectivity, const uint8_t *line, int length
) noexcept nogil:
    """Set what a search with the window alpha, beta found; `line` continues the move's line, NULL keeps the old one."""
    move.score = score
    move.bound = bound_of(score, alpha, beta)
    move.depth = depth
    move.selectivity = selectivity
    if line != NULL:
        move.pv_length = 1 + (length if length < PV_LENGTH - 1 else PV_LENGTH - 1)
        memcpy(&move.pv[1], line, move.pv_length - 1)
