"""What the searches of midgame and endgame share: scores, selectivities, and numbers that stand for no square.

Scores are whole discs from the mover's view.
"""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport bits_count

cdef enum:
    INFINITE = 127         # beyond every score, and small enough to be negated and stepped over
    SELECTIVITIES = 6      # indices 0 to 5: 73, 87, 95, 98, 99 and 100 %
    EXACT = 5              # index of a full-width search
    PASS = 64              # a pass in a line of moves
    MOST_MOVES = 40        # no position has more than 35 legal moves


cdef inline int final_difference(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the score of a finished game: empty squares go to the winner."""
    cdef int own = bits_count(mover), other = bits_count(opponent)
    if own > other:
        return 64 - 2 * other
    return 2 * own - 64 if own < other else 0
