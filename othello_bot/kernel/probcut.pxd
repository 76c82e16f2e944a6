"""ProbCut: null windows that a shallower search decides."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.worker cimport Worker

cdef bint probcut(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int depth, int selectivity, int empties,
    int *score,
) noexcept nogil
