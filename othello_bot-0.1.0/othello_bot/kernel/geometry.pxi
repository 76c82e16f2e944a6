"""What a search works out at its nodes: sets of squares, final scores, and how good a move looks before it is searched.

Scores are whole discs from the mover's view.  Midgame and endgame order their moves by the same terms.
"""

cdef inline uint64_t bit(int square) noexcept nogil:
    """Return the set of one square."""
    return <uint64_t>1 << square


cdef inline uint64_t corners(uint64_t squares) noexcept nogil:
    """Return the corners among the squares."""
    return squares & <uint64_t>0x8100000000000081


cdef inline uint64_t likely_first(uint64_t moves) noexcept nogil:
    """Return the moves to be tried first where an order may cost nothing: corners, or else those not next to one.

    Where there are neither, all moves.
    """
    cdef uint64_t likely = corners(moves)
    if likely == 0:
        likely = moves & ~<uint64_t>0x42c300000000c342
    return likely if likely else moves


cdef inline uint64_t around(uint64_t discs) noexcept nogil:
    """Return the discs and all squares next to them, in all eight directions."""
    cdef uint64_t sides = discs
    sides |= discs << 1 & <uint64_t>0xfefefefefefefefe
    sides |= discs >> 1 & <uint64_t>0x7f7f7f7f7f7f7f7f
    return sides | sides << 8 | sides >> 8


cdef inline uint64_t frontier(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the empty squares next to the opponent's discs: where the mover may one day move."""
    return ~(mover | opponent) & around(opponent)


cdef inline int odd_quadrants(uint64_t empties) noexcept nogil:
    """Return which quadrants have an odd number of empties, one bit each: a1, h1, a8, h8."""
    return (
        (bits_count(empties & <uint64_t>0x000000000f0f0f0f) & 1)
        | (bits_count(empties & <uint64_t>0x00000000f0f0f0f0) & 1) << 1
        | (bits_count(empties & <uint64_t>0x0f0f0f0f00000000) & 1) << 2
        | (bits_count(empties & <uint64_t>0xf0f0f0f000000000) & 1) << 3
    )


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


cdef enum:
    LOST = -48             # below such an alpha a score hangs on the few discs that the mover can keep
    KEPT_WORTH = 16        # of each of them, in half replies; 8 leaves more nodes


cdef inline int replies_order(uint64_t replies, uint64_t next_mover, uint64_t next_opponent) noexcept nogil:
    """Return how little a move leaves to the opponent, in half replies; higher is better, 0 the most.

    `next_mover` is the opponent after the move.  Corners count twice as replies, squares where the opponent may move
    later half as much as replies.  Trying such moves first keeps the tree small ("fastest first").
    """
    return (
        -2 * (bits_count(replies) + bits_count(corners(replies)))
        - bits_count(frontier(next_mover, next_opponent))
    )


cdef inline int mobility_order(uint64_t next_mover, uint64_t next_opponent) noexcept nogil:
    """Return replies_order() of the replies that there are."""
    return replies_order(bits_legal_moves(next_mover, next_opponent), next_mover, next_opponent)


cdef inline int corner_order(int square) noexcept nogil:
    """Return what a move to a corner adds, in half replies."""
    return 2 if corners(bit(square)) else 0


cdef inline int kept_order(uint64_t next_mover, uint64_t next_opponent, int alpha) noexcept nogil:
    """Return what the side that has just moved keeps for good, in half replies: its discs, and moves to win more.

    0 unless that side asks for little: elsewhere, to count them costs nodes.
    """
    if alpha >= LOST:
        return 0
    return (
        KEPT_WORTH * bits_count(stable_of(next_opponent, next_mover))
        + bits_count(bits_legal_moves(next_opponent, next_mover))
    )
