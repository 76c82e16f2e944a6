"""Exact endgame search for the last plies: no evaluation, no allocation.

Scores are final disc differences from the mover's view, empties to the winner.  Every function is a null-window search: it
returns a value > alpha, which is then a lower bound of the true score, or a value <= alpha, then an upper bound.
"""

from libc.stdint cimport uint64_t

from othello_bot.kernel.worker cimport Worker

cdef enum:
    ENDGAME_EMPTIES = 10   # the solver below takes over from the ordered search of midgame.pyx at this many empties

cdef int solve_null_window(Worker *worker, uint64_t mover, uint64_t opponent, int alpha) noexcept nogil
cdef int final_difference(uint64_t mover, uint64_t opponent) noexcept nogil
