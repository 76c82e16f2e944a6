"""Rules and static values of many positions in one call: arrays in, arrays out, without the GIL.

The caller allocates the results and has checked the shapes.  Functions that can meet bad input return the index of the
first offender, or -1; what they have written then is of no use.
"""

cdef inline uint64_t both_ways(uint64_t mover, uint64_t opponent, int step) noexcept nogil:
    """Return where the mover's lines over the opponent's discs end, `step` bits up and down; occupied squares too."""
    cdef uint64_t pair = opponent & opponent << step, up = opponent & mover << step, down = opponent & mover >> step
    up |= opponent & up << step
    up |= pair & up << 2 * step
    up |= pair & up << 2 * step
    pair >>= step
    down |= opponent & down >> step
    down |= pair & down >> 2 * step
    down |= pair & down >> 2 * step
    return up << step | down >> step


cdef inline uint64_t plain_legal_moves(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the legal moves as bits_legal_moves() does, in steps that the compiler puts into lanes of positions."""
    cdef uint64_t inner = opponent & <uint64_t>0x7e7e7e7e7e7e7e7e
    return (
        both_ways(mover, inner, 1) | both_ways(mover, opponent, 8) | both_ways(mover, inner, 7)
        | both_ways(mover, inner, 9)
    ) & ~(mover | opponent)


def first_overlap(const uint64_t[::1] movers, const uint64_t[::1] opponents) -> int:
    """Return the index of the first position with two discs on a square, or -1."""
    cdef const uint64_t *own = &movers[0]
    cdef const uint64_t *other = &opponents[0]
    cdef Py_ssize_t index = 0, count = movers.shape[0]
    cdef uint64_t overlap = 0
    with nogil:
        for index in range(count):
            overlap |= own[index] & other[index]
        index = 0
        while overlap and (own[index] & other[index]) == 0:
            index += 1
    return index if overlap else -1


def most_empty_squares(const uint64_t[::1] movers, const uint64_t[::1] opponents) -> int:
    """Return the number of empty squares of the position with the most, 0 without positions."""
    cdef const uint64_t *own = &movers[0]
    cdef const uint64_t *other = &opponents[0]
    cdef Py_ssize_t index, count = movers.shape[0]
    cdef int most = 0
    with nogil:
        for index in range(count):
            most = max(most, bits_count(~(own[index] | other[index])))
    return most


def fill_legal_moves(const uint64_t[::1] movers, const uint64_t[::1] opponents, uint64_t[::1] moves) -> None:
    """Write the bitboard of each position's legal moves."""
    cdef const uint64_t *own = &movers[0]
    cdef const uint64_t *other = &opponents[0]
    cdef uint64_t *found = &moves[0]
    cdef Py_ssize_t index, count = movers.shape[0]
    with nogil:
        for index in range(count):
            found[index] = plain_legal_moves(own[index], other[index])


def fill_over(const uint64_t[::1] movers, const uint64_t[::1] opponents, uint8_t[::1] over) -> None:
    """Write 1 for each position without a legal move of either side, 0 for the others."""
    cdef const uint64_t *own = &movers[0]
    cdef const uint64_t *other = &opponents[0]
    cdef uint8_t *found = &over[0]
    cdef Py_ssize_t index, count = movers.shape[0]
    with nogil:
        for index in range(count):
            found[index] = (
                plain_legal_moves(own[index], other[index]) | plain_legal_moves(other[index], own[index])
            ) == 0


def fill_final_scores(const uint64_t[::1] movers, const uint64_t[::1] opponents, int8_t[::1] scores) -> None:
    """Write each position's disc difference from the mover's view, with the empty squares counted for the winner."""
    cdef Py_ssize_t index
    with nogil:
        for index in range(movers.shape[0]):
            scores[index] = <int8_t>final_difference(movers[index], opponents[index])


def fill_flips(
    const uint64_t[::1] movers, const uint64_t[::1] opponents, const uint8_t[::1] squares, uint64_t[::1] flipped
) -> int:
    """Write the discs that each mover's disc on its square flips, 0 where the move is illegal.

    Return the index of the first square that is not 0 to 63, or -1.
    """
    cdef Py_ssize_t index, offender = -1
    with nogil:
        for index in range(movers.shape[0]):
            if squares[index] >= 64:
                offender = index
                break
            flipped[index] = (
                0 if (movers[index] | opponents[index]) & bit(squares[index])
                else bits_flips(squares[index], movers[index], opponents[index])
            )
    return offender


cdef inline bint make_move(uint64_t *mover, uint64_t *opponent, int move) noexcept nogil:
    """Play a move (0 to 63, 64 is a pass) and change sides; return False, and change nothing, where it is illegal."""
    cdef uint64_t own = mover[0], other = opponent[0], flipped
    if move >= 64:
        if move > 64 or bits_legal_moves(own, other) != 0 or bits_legal_moves(other, own) == 0:
            return False
        mover[0], opponent[0] = other, own
        return True
    flipped = 0 if (own | other) & bit(move) else bits_flips(move, own, other)
    if flipped == 0:
        return False
    mover[0], opponent[0] = other ^ flipped, own | flipped | bit(move)
    return True


def fill_played(
    const uint64_t[::1] movers, const uint64_t[::1] opponents, const uint8_t[::1] moves, uint64_t[::1] next_movers,
    uint64_t[::1] next_opponents,
) -> int:
    """Write each position after its move (0 to 63, 64 is a pass); return the index of the first illegal one, or -1."""
    cdef Py_ssize_t index, offender = -1
    cdef uint64_t mover, opponent
    with nogil:
        for index in range(movers.shape[0]):
            mover, opponent = movers[index], opponents[index]
            if not make_move(&mover, &opponent, moves[index]):
                offender = index
                break
            next_movers[index], next_opponents[index] = mover, opponent
    return offender


def fill_canonical(
    const uint64_t[::1] movers, const uint64_t[::1] opponents, uint64_t[::1] least_movers,
    uint64_t[::1] least_opponents, uint8_t[::1] symmetries,
) -> None:
    """Write the smallest image of each position and the lowest index of a symmetry that leads to it."""
    cdef Py_ssize_t index
    cdef uint64_t mover, opponent
    with nogil:
        for index in range(movers.shape[0]):
            mover, opponent = movers[index], opponents[index]
            symmetries[index] = <uint8_t>to_canonical(&mover, &opponent)
            least_movers[index], least_opponents[index] = mover, opponent


def fill_transformed(const uint64_t[::1] bits, const uint8_t[::1] symmetries, uint64_t[::1] images) -> int:
    """Write the image of each bitboard under its symmetry; return the index of the first that is not 0 to 7, or -1."""
    cdef Py_ssize_t index, offender = -1
    cdef uint64_t image
    with nogil:
        for index in range(bits.shape[0]):
            if symmetries[index] > 7:
                offender = index
                break
            image = bits[index]
            if symmetries[index] & 1:
                image = with_files_mirrored(image)
            if symmetries[index] & 2:
                image = with_ranks_mirrored(image)
            images[index] = transposed(image) if symmetries[index] & 4 else image
    return offender


def fill_perft(const uint64_t[::1] movers, const uint64_t[::1] opponents, int depth, uint64_t[::1] leaves) -> None:
    """Write perft() of each position; the depth is 0 or more."""
    cdef Py_ssize_t index
    with nogil:
        for index in range(movers.shape[0]):
            leaves[index] = count_leaves(movers[index], opponents[index], depth, False) if depth else 1


def fill_values(
    Weights weights, const uint64_t[::1] movers, const uint64_t[::1] opponents, float[::1] values
) -> None:
    """Write the static value of each position in discs, mover's view, as Weights.evaluate() returns it."""
    cdef int16_t[LANES] features
    cdef Py_ssize_t index
    cdef int empties, least = 64, most = 0
    with nogil:
        for index in range(movers.shape[0]):
            empties = 64 - bits_count(movers[index] | opponents[index])
            least, most = min(least, empties), max(most, empties)
        if least <= most:
            weights.prepare(least, most)
        for index in range(movers.shape[0]):
            indices_from_scratch(features, movers[index], opponents[index])
            values[index] = <float>(
                learned(
                    weights.by_empties[64 - bits_count(movers[index] | opponents[index])], weights.second_order(),
                    features, movers[index], opponents[index],
                ) / <double>EVALUATION_UNIT
            )


def fill_replayed(
    const uint8_t[:, ::1] transcripts, uint64_t[:, ::1] movers, uint64_t[:, ::1] opponents, uint8_t[:, ::1] colors,
    uint8_t[:, ::1] passed, int16_t[::1] lengths, int16_t[::1] illegal,
) -> None:
    """Play each game until its end, a 255 or its first illegal move.

    Column 0 of `movers`, `opponents` and `colors` holds the starts; the position in which a move is played goes to the
    move's column, the last one behind all moves.  `passed`: 1 where a pass before the move was left out.  `lengths`:
    the moves played, `illegal`: the column of the first illegal move, or -1.  A pass behind the end of a game ends it.
    """
    cdef Py_ssize_t game, column, width = transcripts.shape[1]
    cdef uint64_t mover, opponent
    cdef uint8_t color
    cdef int move
    with nogil:
        for game in range(transcripts.shape[0]):
            mover, opponent, color = movers[game, 0], opponents[game, 0], colors[game, 0]
            illegal[game] = -1
            for column in range(width):
                move = transcripts[game, column]
                if move == 255:
                    break
                if not make_move(&mover, &opponent, move):
                    if (bits_legal_moves(mover, opponent) | bits_legal_moves(opponent, mover)) == 0 and move == 64:
                        break
                    if bits_legal_moves(mover, opponent) != 0 or move >= 64 or not make_move(&opponent, &mover, move):
                        illegal[game] = <int16_t>column
                        break
                    # The other side has moved: it was the turn of the side that had to pass.
                    movers[game, column], opponents[game, column] = opponents[game, column], movers[game, column]
                    mover, opponent = opponent, mover
                    color ^= 1
                    colors[game, column] = color
                    passed[game, column] = 1
                color ^= 1
                movers[game, column + 1], opponents[game, column + 1] = mover, opponent
                colors[game, column + 1] = color
            else:
                column = width
            lengths[game] = <int16_t>column


cdef inline uint64_t next_random(uint64_t *state) noexcept nogil:
    """Return the next number of a splitmix64 generator (Steele, Lea, Flood, 2014)."""
    cdef uint64_t mixed
    state[0] += <uint64_t>0x9e3779b97f4a7c15
    mixed = (state[0] ^ state[0] >> 30) * <uint64_t>0xbf58476d1ce4e5b9
    mixed = (mixed ^ mixed >> 27) * <uint64_t>0x94d049bb133111eb
    return mixed ^ mixed >> 31


def fill_random_games(uint64_t seed, uint64_t first, uint8_t[:, ::1] transcripts) -> None:
    """Write random games, every legal move equally likely, without passes; what lies behind their ends stays.

    Row i is game number `first` + i of the seed, whatever else is asked for.
    """
    cdef Py_ssize_t game, column
    cdef uint64_t mover, opponent, moves, state
    cdef int chosen
    with nogil:
        for game in range(transcripts.shape[0]):
            state = first + <uint64_t>game
            state = seed ^ next_random(&state)
            mover, opponent = bit(28) | bit(35), bit(27) | bit(36)
            column = 0
            while True:
                moves = bits_legal_moves(mover, opponent)
                if moves == 0:
                    mover, opponent = opponent, mover
                    moves = bits_legal_moves(mover, opponent)
                    if moves == 0:
                        break
                chosen = <int>((next_random(&state) >> 32) * <uint64_t>bits_count(moves) >> 32)
                while chosen:
                    moves &= moves - 1
                    chosen -= 1
                chosen = bits_first(moves)
                make_move(&mover, &opponent, chosen)
                transcripts[game, column] = <uint8_t>chosen
                column += 1
