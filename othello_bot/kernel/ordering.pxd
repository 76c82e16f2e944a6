"""How good a move looks before it is searched; midgame and endgame order their moves by the same terms."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport bits_count, bits_legal_moves
from othello_bot.kernel.geometry cimport bit, corners, frontier


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
