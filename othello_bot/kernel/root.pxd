"""The root of a search: its moves with what is known of each, best first."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.root_move cimport RootMove
from othello_bot.kernel.score cimport MOST_MOVES
from othello_bot.kernel.worker cimport Worker

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
