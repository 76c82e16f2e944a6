"""Exact endgame search for the last plies, without evaluation.

Scores are final disc differences from the mover's view; empty squares go to the winner.  Every function is a
null-window search: a score above alpha is a lower bound of the true one, any other an upper bound.
"""

from libc.stdint cimport uint64_t

from othello_bot.kernel.worker cimport Worker

cdef enum:
    ENDGAME_EMPTIES = 10   # up to this many empties the solver takes over from search.pyx

cdef int solve_null_window(Worker *worker, uint64_t mover, uint64_t opponent, int alpha) noexcept nogil
