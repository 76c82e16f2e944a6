"""Principal-variation search from midgame to exact result: one function for open and null windows, selective or full width."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.worker cimport Split, Worker

cdef enum:
    SELECTIVITIES = 6      # indices 0 to 5: 73, 87, 95, 98, 99 and 100 %
    EXACT = 5              # index of a full-width search
    PASS = 64

cdef int search(Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity) noexcept nogil
cdef bint stopped(Worker *worker) noexcept nogil
cdef void stand_by(Worker *worker, int *until_zero) noexcept nogil
