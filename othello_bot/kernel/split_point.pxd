"""Searching one node with several workers."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.root_move cimport RootMove
from othello_bot.kernel.worker cimport Candidate, Worker

cdef enum:
    SPLIT_DEPTH = 4           # least depth of a midgame node that is worth a split
    SPLIT_EMPTIES = 13        # the same in the endgame

cdef void split(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity,
    Candidate *candidates, int count, RootMove *found, int *best, int *best_move,
) noexcept nogil
cdef void help_until_zero(Worker *worker, int *until_zero) noexcept nogil


cdef inline bint worth_splitting(Worker *worker, int depth, int empties) noexcept nogil:
    """Return whether there are helpers and the node is large enough for them."""
    return worker.pool != NULL and depth >= (SPLIT_EMPTIES if depth == empties else SPLIT_DEPTH)
