"""Rules on bit boards, for Python: legal moves, flips, whole games, final score and perft.

A position is two 64-bit words, the mover's discs and the opponent's; bit 0 is a1, bit 7 h1, bit 63 h8.
"""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport (
    BITS_BRANCH, bits_count, bits_first, bits_flips, bits_init, bits_last_flips, bits_legal_moves,
)
from othello_bot.kernel.geometry cimport bit
from othello_bot.kernel.score cimport final_difference

bits_init()

BRANCH = (<bytes>BITS_BRANCH).decode()
"""The branch of bits.h that this build uses: "avx512", "avx2" or "portable"."""


cdef uint64_t count_leaves(uint64_t mover, uint64_t opponent, int depth, bint passed) noexcept nogil:
    """Return perft() for a depth of 1 or more, without playing the last ply; `passed`: the opponent has just passed."""
    cdef uint64_t moves = bits_legal_moves(mover, opponent), flipped, count = 0
    cdef int square
    if moves == 0:
        if passed:
            return 1
        return 1 if depth == 1 else count_leaves(opponent, mover, depth - 1, True)
    if depth == 1:
        return bits_count(moves)
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flipped = bits_flips(square, mover, opponent)
        count += count_leaves(opponent ^ flipped, mover ^ flipped | bit(square), depth - 1, False)
    return count


def legal_moves(uint64_t mover, uint64_t opponent) -> int:
    """Return the bitboard of the mover's legal moves."""
    return bits_legal_moves(mover, opponent)


def flips(uint64_t mover, uint64_t opponent, int square) -> int:
    """Return the bitboard of the discs that the mover's disc on `square` flips; 0 where the move is illegal.

    Raises ValueError for a square that is not 0 to 63.
    """
    if not 0 <= square < 64:
        raise ValueError(f"square {square}: not one of 0 to 63")
    if (mover | opponent) & bit(square):
        return 0
    return bits_flips(square, mover, opponent)


def last_flips(uint64_t mover, int square) -> int:
    """Return the number of discs that the mover flips on `square` where it is the board's only empty square.

    Raises ValueError for a square that is not 0 to 63.
    """
    if not 0 <= square < 64:
        raise ValueError(f"square {square}: not one of 0 to 63")
    return bits_last_flips(square, mover)


def replay(uint64_t mover, uint64_t opponent, bytes moves) -> tuple[bytes, int, int, int]:
    """Play moves (0 to 63, 64 is a pass), inserting the passes that they omit and skipping those after the end.

    Return the plies played, the mover and the opponent after them, and the index of the first illegal move, or -1.
    """
    cdef uint64_t flipped
    cdef unsigned char[::1] plies = bytearray(2 * len(moves) + 1)
    cdef const unsigned char[:] squares = moves
    cdef Py_ssize_t index, count = 0
    cdef int move
    for index in range(squares.shape[0]):
        move = squares[index]
        if bits_legal_moves(mover, opponent) == 0:
            if bits_legal_moves(opponent, mover) != 0:
                mover, opponent = opponent, mover
                plies[count] = 64
                count += 1
                if move == 64:
                    continue
            elif move == 64:
                continue
        flipped = 0 if move >= 64 or (mover | opponent) & bit(move) else bits_flips(move, mover, opponent)
        if flipped == 0:
            return bytes(plies[:count]), mover, opponent, index
        mover, opponent = opponent ^ flipped, mover | flipped | bit(move)
        plies[count] = move
        count += 1
    return bytes(plies[:count]), mover, opponent, -1


def final_score(uint64_t mover, uint64_t opponent) -> int:
    """Return the disc difference from the mover's view; empty squares go to the winner."""
    return final_difference(mover, opponent)


def perft(uint64_t mover, uint64_t opponent, int depth) -> int:
    """Return the number of leaves of the game tree `depth` plies deep.

    A pass is a ply, a finished game one leaf.  Raises ValueError for a negative depth.
    """
    cdef uint64_t count
    if depth < 0:
        raise ValueError(f"depth {depth}: not 0 or more")
    if depth == 0:
        return 1
    with nogil:
        count = count_leaves(mover, opponent, depth, False)
    return count
