"""Rules on bit boards, for Python: legal moves, flips, whole games, symmetric images, final score and perft.

A position is two 64-bit words, the mover's discs and the opponent's; bit 0 is a1, bit 7 h1, bit 63 h8.
"""

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
    cdef bytearray found = bytearray(2 * len(moves) + 1)
    cdef unsigned char *plies = found
    cdef const unsigned char *squares = moves
    cdef Py_ssize_t index, count = 0
    cdef int move
    for index in range(len(moves)):
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
            return plies[:count], mover, opponent, index
        mover, opponent = opponent ^ flipped, mover | flipped | bit(move)
        plies[count] = move
        count += 1
    return plies[:count], mover, opponent, -1


cdef inline uint64_t with_files_mirrored(uint64_t bits) noexcept nogil:
    bits = bits >> 1 & <uint64_t>0x5555555555555555 | (bits & <uint64_t>0x5555555555555555) << 1
    bits = bits >> 2 & <uint64_t>0x3333333333333333 | (bits & <uint64_t>0x3333333333333333) << 2
    return bits >> 4 & <uint64_t>0x0f0f0f0f0f0f0f0f | (bits & <uint64_t>0x0f0f0f0f0f0f0f0f) << 4


cdef inline uint64_t with_ranks_mirrored(uint64_t bits) noexcept nogil:
    bits = bits >> 8 & <uint64_t>0x00ff00ff00ff00ff | (bits & <uint64_t>0x00ff00ff00ff00ff) << 8
    bits = bits >> 16 & <uint64_t>0x0000ffff0000ffff | (bits & <uint64_t>0x0000ffff0000ffff) << 16
    return bits >> 32 | bits << 32


cdef inline uint64_t transposed(uint64_t bits) noexcept nogil:
    cdef uint64_t changed = (bits ^ bits >> 7) & <uint64_t>0x00aa00aa00aa00aa
    bits ^= changed ^ changed << 7
    changed = (bits ^ bits >> 14) & <uint64_t>0x0000cccc0000cccc
    bits ^= changed ^ changed << 14
    changed = (bits ^ bits >> 28) & <uint64_t>0x00000000f0f0f0f0
    return bits ^ changed ^ changed << 28


cdef void write_images(uint64_t bits, uint64_t *images) noexcept nogil:
    """Write the images of a bit board under the eight symmetries (`transform` of Position), by their index.

    Mirrors swap ever larger blocks of bits; the transposition swaps blocks of 1x1, 2x2 and 4x4 squares across the
    diagonal ("delta swaps", Warren, Hacker's Delight, 7-3).
    """
    cdef int index
    images[0] = bits
    images[1] = with_files_mirrored(bits)
    images[2] = with_ranks_mirrored(bits)
    images[3] = with_ranks_mirrored(images[1])
    for index in range(4):
        images[4 + index] = transposed(images[index])


cdef int to_canonical(uint64_t *mover, uint64_t *opponent) noexcept nogil:
    """Replace a position by its smallest image; return the lowest index of a symmetry that leads to it."""
    cdef uint64_t movers[8]
    cdef uint64_t opponents[8]
    cdef int index, best = 0
    write_images(mover[0], movers)
    write_images(opponent[0], opponents)
    for index in range(1, 8):
        if movers[index] < movers[best] or (movers[index] == movers[best] and opponents[index] < opponents[best]):
            best = index
    mover[0], opponent[0] = movers[best], opponents[best]
    return best


def images(uint64_t bits) -> tuple[int, ...]:
    """Return the images of the bitboard under the eight symmetries, in the order of their index."""
    cdef uint64_t found[8]
    write_images(bits, found)
    return found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7]


def canonical(uint64_t mover, uint64_t opponent) -> tuple[int, int, int]:
    """Return the smallest image of a position, mover and opponent, and the lowest index of a symmetry that leads to it.
    """
    cdef int index = to_canonical(&mover, &opponent)
    return mover, opponent, index


def canonical_afters(uint64_t mover, uint64_t opponent) -> dict[int, tuple[int, int]]:
    """Return the smallest image, mover and opponent, of the position after each legal move, the lowest square first."""
    cdef uint64_t moves = bits_legal_moves(mover, opponent), flipped, next_mover, next_opponent
    cdef int square
    found = {}
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flipped = bits_flips(square, mover, opponent)
        next_mover, next_opponent = opponent ^ flipped, mover | flipped | bit(square)
        to_canonical(&next_mover, &next_opponent)
        found[square] = (next_mover, next_opponent)
    return found


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
