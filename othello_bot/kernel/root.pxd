"""The root of a search: its moves with what is known of each, best first."""

from libc.stdint cimport uint8_t, uint64_t

from othello_bot.kernel.score cimport MOST_MOVES
from othello_bot.kernel.worker cimport PV_LENGTH, Worker

cdef enum:
    # How a root move's score relates to the true one; root_line.Bound names them for Python.
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

cdef struct Root:
    RootMove moves[MOST_MOVES]
    int count
    uint64_t mover, opponent

cdef void root_begin(
    Root *root, Worker *worker, uint64_t mover, uint64_t opponent, uint64_t considered
) noexcept nogil
cdef bint root_iterate(
    Root *root, Worker *worker, int depth, int selectivity, int alpha, int beta, int multi_pv
) noexcept nogil
cdef bint root_clearly_best(Root *root, Worker *worker, int margin, int depth, int selectivity) noexcept nogil
