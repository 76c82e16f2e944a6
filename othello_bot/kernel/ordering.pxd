"""How good a move looks before it is searched; midgame and endgame order their moves by the same terms."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport bits_count, bits_legal_moves
from othello_bot.kernel.geometry cimport bit, corners, frontier
from othello_bot.kernel.stability cimport stable_of

cdef enum:
    LOST = -48             # below such an alpha a score hangs on the few discs that the mover can keep
    STABLE_WORTH = 8       # of each of them, in half replies


cdef inline int mobility_order(uint64_t next_mover, uint64_t next_opponent) noexcept nogil:
    """Return how little a move leaves to the opponent, in half replies; higher is better, 0 the most.

    `next_mover` is the opponent after the move.  Corners count twice as replies, squares where the opponent may move
    later half as much as replies.  Trying such moves first keeps the tree small ("fastest first").
    """
    cdef uint64_t replies = bits_legal_moves(next_mover, next_opponent)
    return (
        -2 * (bits_count(replies) + bits_count(corners(replies)))
        - bits_count(frontier(next_mover, next_opponent))
    )


cdef inline int corner_order(int square) noexcept nogil:
    """Return what a move to a corner adds, in half replies."""
    return 2 if corners(bit(square)) else 0


cdef inline int stable_order(uint64_t next_mover, uint64_t next_opponent, int alpha) noexcept nogil:
    """Return what the discs add, in half replies, that the side that has just moved keeps for good.

    0 unless that side asks for little: elsewhere, to count them costs nodes.
    """
    return STABLE_WORTH * bits_count(stable_of(next_opponent, next_mover)) if alpha < LOST else 0
