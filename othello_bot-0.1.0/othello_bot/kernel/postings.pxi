"""Postings of played games: which games reach which position, for the explorer.

A posting is a key and a number of 32 bits.  The key is a hash of the smallest image of a position, so that symmetric
positions share it.  The number is `code << 24 | game`; a code is the colour to move (128 for white) plus the square of
the move as the smallest image has it, 64 for a pass, or LAST_POSITION where the game ends.  Of the squares that the
symmetries of the position itself exchange, the code has the lowest.
"""

from libc.stdlib cimport qsort

cdef enum:
    LAST_POSITION = 65
    WHITE_MOVES = 128
    GAME_BITS = 24
    # What `fill_tally` counts for a code.
    TALLY_COLUMNS = 10
    # Results beyond the board: the winner is known, the discs are not; nothing is known.
    MOST_DISCS = 64
    NO_RESULT = 1000
    # Below this number of postings, insertion is the fastest way to sort.
    FEW_POSTINGS = 24


cdef inline uint64_t key_of_image(uint64_t mover, uint64_t opponent) noexcept nogil:
    cdef uint64_t state = mover, mixed
    mixed = next_random(&state) + opponent
    return next_random(&mixed)


cdef inline int square_image(int square, int index) noexcept nogil:
    """Return the image of a square under a symmetry, as `write_images` numbers them; a pass stays one."""
    if square >= 64:
        return square
    if index & 1:
        square ^= 7
    if index & 2:
        square ^= 56
    return square >> 3 | (square & 7) << 3 if index & 4 else square


cdef uint64_t position_posting(uint64_t mover, uint64_t opponent, int move, int *code) noexcept nogil:
    """Return the key of a position; write the code of a move in it, without the colour."""
    cdef uint64_t movers[8]
    cdef uint64_t opponents[8]
    cdef int index, best = 0, square, least
    write_images(mover, movers)
    write_images(opponent, opponents)
    for index in range(1, 8):
        if movers[index] < movers[best] or (movers[index] == movers[best] and opponents[index] < opponents[best]):
            best = index
    least = square_image(move, best)
    for index in range(best + 1, 8):
        if movers[index] == movers[best] and opponents[index] == opponents[best]:
            square = square_image(move, index)
            least = min(least, square)
    code[0] = least
    return key_of_image(movers[best], opponents[best])


def position_key(uint64_t mover, uint64_t opponent) -> int:
    """Return the key that all images of a position share."""
    to_canonical(&mover, &opponent)
    return key_of_image(mover, opponent)


def move_code(uint64_t mover, uint64_t opponent, int move) -> int:
    """Return the code of a move (0 to 63, 64 is a pass) of a position, without the colour."""
    cdef int code
    position_posting(mover, opponent, move, &code)
    return code


def fill_postings(
    uint64_t mover, uint64_t opponent, bint white, bytes moves, uint32_t game, uint64_t[::1] keys,
    uint32_t[::1] numbers, Py_ssize_t first,
) -> int:
    """Write the postings of a game from the index `first` on, that of its last position included; return the index
    behind them.

    `moves` are legal, with or without passes.  There must be room for twice as many postings as moves, and one more.
    """
    cdef const unsigned char *squares = moves
    cdef Py_ssize_t index = 0, count = len(moves), place = first
    cdef uint64_t flipped
    cdef int move, code
    with nogil:
        while True:
            move = LAST_POSITION if index == count else squares[index]
            if move < 64 and bits_legal_moves(mover, opponent) == 0:
                move = 64
            else:
                index += 1
            keys[place] = position_posting(mover, opponent, move, &code)
            numbers[place] = <uint32_t>(code | (WHITE_MOVES if white else 0)) << GAME_BITS | game
            place += 1
            if move == LAST_POSITION:
                break
            white = not white
            flipped = 0 if move >= 64 else bits_flips(move, mover, opponent)
            mover, opponent = opponent ^ flipped, mover | flipped | (0 if move >= 64 else bit(move))
    return place


def ply_of_key(uint64_t mover, uint64_t opponent, bint white, bytes moves, uint64_t key) -> tuple[int, int]:
    """Return after how many plies, passes included, a game reaches the position with a key, -1 where it does not; the
    code of what follows.
    """
    cdef const unsigned char *squares = moves
    cdef Py_ssize_t index = 0, count = len(moves)
    cdef uint64_t flipped
    cdef int move, code = 0, ply = 0
    with nogil:
        while True:
            move = LAST_POSITION if index == count else squares[index]
            if move < 64 and bits_legal_moves(mover, opponent) == 0:
                move = 64
            else:
                index += 1
            if position_posting(mover, opponent, move, &code) == key:
                code |= WHITE_MOVES if white else 0
                break
            if move == LAST_POSITION:
                ply, code = -1, 0
                break
            white = not white
            flipped = 0 if move >= 64 else bits_flips(move, mover, opponent)
            mover, opponent = opponent ^ flipped, mover | flipped | (0 if move >= 64 else bit(move))
            ply += 1
    return ply, code


cdef void sort_few(uint64_t *keys, uint32_t *numbers, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t index, place
    cdef uint64_t key
    cdef uint32_t number
    for index in range(1, count):
        key, number = keys[index], numbers[index]
        place = index
        while place > 0 and keys[place - 1] > key:
            keys[place], numbers[place] = keys[place - 1], numbers[place - 1]
            place -= 1
        keys[place], numbers[place] = key, number


cdef void sort_by_digits(uint64_t *keys, uint32_t *numbers, Py_ssize_t count, int shift, int last) noexcept nogil:
    """Sort postings by the bits of their keys from `last` to `shift + 7`, in place ("American flag sort", McIlroy,
    Bostic and McIlroy, Computing Systems 6, 1993).
    """
    cdef Py_ssize_t ends[256]
    cdef Py_ssize_t places[256]
    cdef Py_ssize_t index, start
    cdef uint64_t key, other_key
    cdef uint32_t number, other_number
    cdef int digit
    if count < FEW_POSTINGS:
        sort_few(keys, numbers, count)
        return
    memset(ends, 0, sizeof(ends))
    for index in range(count):
        ends[keys[index] >> shift & 255] += 1
    start = 0
    for digit in range(256):
        places[digit] = start
        start += ends[digit]
        ends[digit] = start
    for digit in range(256):
        while places[digit] < ends[digit]:
            key, number = keys[places[digit]], numbers[places[digit]]
            while <int>(key >> shift & 255) != digit:
                index = places[key >> shift & 255]
                places[key >> shift & 255] += 1
                other_key, other_number = keys[index], numbers[index]
                keys[index], numbers[index] = key, number
                key, number = other_key, other_number
            keys[places[digit]], numbers[places[digit]] = key, number
            places[digit] += 1
    if shift == last:
        return
    start = 0
    for digit in range(256):
        if ends[digit] - start > 1:
            sort_by_digits(keys + start, numbers + start, ends[digit] - start, shift - 8, last)
        start = ends[digit]


def sort_postings(uint64_t[::1] keys, uint32_t[::1] numbers, bint coarse=False) -> None:
    """Sort postings by their keys, in place; `coarse`: only as far as the first 8 bits of the keys tell."""
    if keys.shape[0] > 1:
        with nogil:
            sort_by_digits(&keys[0], &numbers[0], keys.shape[0], 56, 56 if coarse else 0)


cdef int by_number(const void *first, const void *second) noexcept nogil:
    cdef uint32_t one = (<const uint32_t *>first)[0], other = (<const uint32_t *>second)[0]
    return (one > other) - (one < other)


def split_postings(
    const uint64_t[::1] keys, uint32_t[::1] numbers, Py_ssize_t start, Py_ssize_t stop, int shift, Py_ssize_t most
) -> tuple[bytes, list[tuple[int, int, int]]]:
    """Return the sorted postings from `start` to `stop` of positions with at most so many of them, and the key, start
    and stop of each position with more.

    The bytes are all numbers, then 16 bits of each key, from the bit `shift` on.  Numbers of a position are sorted.
    """
    cdef Py_ssize_t index = start, end, place, count = 0, kept = 0
    cdef uint32_t *few
    cdef uint16_t *prints
    frequent = []
    cdef bytearray found = bytearray(6 * (stop - start))
    few = <uint32_t *><unsigned char *>found
    while index < stop:
        end = index + 1
        while end < stop and keys[end] == keys[index]:
            end += 1
        if end - index > 1:
            qsort(&numbers[index], end - index, sizeof(uint32_t), by_number)
        if end - index > most:
            frequent.append((keys[index], index, end))
        else:
            for place in range(index, end):
                few[kept] = numbers[place]
                kept += 1
        index = end
    prints = <uint16_t *>(few + kept)
    index = start
    while index < stop:
        end = index + 1
        while end < stop and keys[end] == keys[index]:
            end += 1
        if end - index <= most:
            for place in range(index, end):
                prints[count] = <uint16_t>(keys[index] >> shift)
                count += 1
        index = end
    return bytes(found[: 6 * kept]), frequent


def fill_tally(
    const uint32_t[::1] numbers, const uint8_t[::1] kept, const int32_t[::1] results, const int32_t[::1] dates,
    const int32_t[::1] black_ratings, const int32_t[::1] white_ratings, int64_t[:, ::1] tally,
) -> None:
    """Add the games of postings to the row of their code, if `kept` is not 0 for the game.

    A row counts games, those won, drawn and lost by the mover, those with known discs and the sum of the mover's
    differences, those with a known rating of the mover and the sum of it, and has the first and last date, 0 if
    unknown.  A result is in discs from Black's view, beyond 64 where only the winner is known; NO_RESULT is none.
    """
    cdef Py_ssize_t index
    cdef uint32_t game
    cdef int code, result, rating, date
    cdef int64_t *row
    with nogil:
        for index in range(numbers.shape[0]):
            game = numbers[index] & ((1 << GAME_BITS) - 1)
            if not kept[game]:
                continue
            code = numbers[index] >> GAME_BITS
            row = &tally[code, 0]
            row[0] += 1
            result = results[game]
            if result != NO_RESULT:
                result = -result if code & WHITE_MOVES else result
                row[1 if result > 0 else 2 if result == 0 else 3] += 1
                if -MOST_DISCS <= result <= MOST_DISCS:
                    row[4] += 1
                    row[5] += result
            rating = white_ratings[game] if code & WHITE_MOVES else black_ratings[game]
            if rating:
                row[6] += 1
                row[7] += rating
            date = dates[game]
            if date:
                row[8] = date if row[8] == 0 or date < row[8] else row[8]
                row[9] = date if date > row[9] else row[9]


def mark_range(const int32_t[::1] values, int low, int high, int mark, uint8_t[::1] marks) -> None:
    """Set the bits of `mark` for each game whose value is in a range, both ends included."""
    cdef Py_ssize_t index
    with nogil:
        for index in range(values.shape[0]):
            marks[index] |= mark if low <= values[index] <= high else 0


def mark_flagged(const int32_t[::1] values, const uint8_t[::1] flags, int mark, uint8_t[::1] marks) -> None:
    """Set the bits of `mark` for each game whose value is the number of a flag that is not 0."""
    cdef Py_ssize_t index
    with nogil:
        for index in range(values.shape[0]):
            marks[index] |= mark if flags[values[index]] else 0


def greatest_games(
    const uint32_t[::1] numbers, const uint8_t[::1] kept, const int32_t[::1] firsts, const int32_t[::1] seconds,
    const uint8_t[::1] codes, Py_ssize_t most,
) -> list[int]:
    """Return the games of postings with the greatest sum of two values, at most so many, the greatest first, of equal
    ones the later number; only those whose code is not 0 in `codes` and which are `kept`.
    """
    cdef uint64_t[::1] best = bytearray_of_words(most + 1)
    cdef Py_ssize_t index, place, count = 0
    cdef uint64_t value
    cdef uint32_t game
    with nogil:
        for index in range(numbers.shape[0]):
            game = numbers[index] & ((1 << GAME_BITS) - 1)
            if not kept[game] or not codes[numbers[index] >> GAME_BITS]:
                continue
            value = <uint64_t>(firsts[game] + seconds[game]) << 32 | game
            if count == most and value <= best[count - 1]:
                continue
            place = count
            while place > 0 and best[place - 1] < value:
                best[place] = best[place - 1]
                place -= 1
            best[place] = value
            count = min(count + 1, most)
    return [best[index] & 0xffffffff for index in range(count)]


cdef bytearray_of_words(Py_ssize_t count):
    """Return room for so many words of 64 bits."""
    return memoryview(bytearray(8 * count)).cast("Q")


def game_key(uint64_t mover, uint64_t opponent, bytes moves) -> int:
    """Return a hash of the start and the positions of a game, in their order; the games of a symmetric board share it.

    `moves` are legal, with or without passes.
    """
    cdef const unsigned char *squares = moves
    cdef Py_ssize_t index, count = len(moves)
    cdef uint64_t own = mover, other = opponent, flipped, state, mixed
    cdef int move
    to_canonical(&own, &other)
    state = key_of_image(own, other)
    with nogil:
        for index in range(count):
            move = squares[index]
            if move < 64:
                if bits_legal_moves(mover, opponent) == 0:
                    mover, opponent = opponent, mover
                flipped = bits_flips(move, mover, opponent)
                mover, opponent = opponent ^ flipped, mover | flipped | bit(move)
                own, other = mover, opponent
                to_canonical(&own, &other)
                mixed = state ^ key_of_image(own, other)
                state = next_random(&mixed)
            else:
                mover, opponent = opponent, mover
    return state
