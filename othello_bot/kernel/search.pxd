"""Principal-variation search from midgame to exact result: one function for open and null windows."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.worker cimport Worker

cdef int search(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity
) noexcept nogil
