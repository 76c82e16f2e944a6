"""Searching one node with several workers."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.machine cimport atomic_load
from othello_bot.kernel.worker cimport Candidate, Worker

cdef enum:
    SPLIT_DEPTH = 8           # least depth of a midgame node that is worth a helper's wake-up: tens of microseconds
    SPLIT_EMPTIES = 13        # the same in the endgame

cdef void split(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity,
    Candidate *candidates, int count, int *best, int *best_move,
) noexcept nogil
cdef void wait_for_work(Worker *worker, int *until_zero) noexcept nogil


cdef inline bint worth_splitting(Worker *worker, int depth, int empties) noexcept nogil:
    """Return whether the node is large enough and some worker is idle."""
    return (
        worker.pool != NULL
        and depth >= (SPLIT_EMPTIES if depth == empties else SPLIT_DEPTH)
        and atomic_load(&worker.pool.idle) > 0
    )
