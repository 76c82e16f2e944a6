"""What people see of a move: patterns around it, what it leads to, and the stage of the game.

Every move is seen in the frame in which its square lies in one triangle of the board, so symmetric moves look the same.
A pattern has a row in a table for each arrangement of its discs and each of the triangle's ten squares.
"""

cdef enum:
    SEEN_SHAPES = 6        # patterns with a vector a row: row, column, both diagonals, 3x3 around, 3x3 corner
    SEEN_PATTERNS = 10     # those, and with two numbers a row: both near edges, ten squares below, ten above
    SEEN_ROWS = 12         # rows of a move: the patterns', the last move's, and the whole board's
    SEEN_FACTS = 7
    SEEN_STAGE = 4         # facts of a position: empties, legal moves of both sides, disc difference
    MOST_CELLS = 16
    TRIANGLE = 10          # squares of the triangle
    BOARDS_FROM = 38       # with fewer empties the board as a whole is not looked at

cdef struct Seen:
    int square
    int place                      # which square of the triangle
    uint64_t board                 # a hash of the whole board and the move; 0: not looked at
    int32_t rows[SEEN_ROWS]        # before those never met are left out; the last is unused
    int facts[SEEN_FACTS]

cdef int8_t SEEN_CELLS[SEEN_PATTERNS][TRIANGLE][MOST_CELLS]
cdef int SEEN_SIZES[SEEN_PATTERNS][TRIANGLE]
cdef int32_t SEEN_OFFSETS[SEEN_PATTERNS + 1][TRIANGLE]
cdef int SEEN_PLACES[64]           # of each square, which square of the triangle it becomes
cdef int SEEN_IMAGES[64]           # and under which symmetry
SEEN_VECTOR_ROWS = 0
SEEN_ALL_ROWS = 0


def seen_cells(int pattern, int y, int x) -> list[int]:
    """Return the squares of a pattern around the square in row `y` and column `x`, which is left out."""
    if pattern == 0:
        cells = [(y, i) for i in range(8)]
    elif pattern == 1:
        cells = [(i, x) for i in range(8)]
    elif pattern == 2:
        cells = [(y + i, x + i) for i in range(-7, 8)]
    elif pattern == 3:
        cells = [(y + i, x - i) for i in range(-7, 8)]
    elif pattern == 4:
        cells = [(y + i, x + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    elif pattern == 5:
        cells = [(i, j) for i in range(3) for j in range(3)]
    elif pattern == 6:
        cells = [(0, i) for i in range(8)] + [(1, 1), (1, 6)]
    elif pattern == 7:
        cells = [(i, 0) for i in range(8)] + [(1, 1), (6, 1)]
    elif pattern == 8:
        cells = [(y + i, x + j) for i in (1, 2) for j in range(-2, 3)]
    else:
        cells = [(y - 1, x + j) for j in range(-2, 3)] + [(y - 2, x + j) for j in (-1, 0, 1)] + [(y, x - 2), (y, x + 2)]
    return [8 * i + j for i, j in cells if 0 <= i < 8 and 0 <= j < 8 and (i, j) != (y, x)]


cdef void fill_seen():
    """Fill in the tables above."""
    global SEEN_VECTOR_ROWS, SEEN_ALL_ROWS
    cdef int pattern, place, square, image, y, x, i
    cdef int32_t offset
    triangle = [(y, x) for y in range(4) for x in range(y, 4)]
    offset = 0
    for pattern in range(SEEN_PATTERNS):
        for place, (y, x) in enumerate(triangle):
            cells = seen_cells(pattern, y, x)
            for i, square in enumerate(cells):
                SEEN_CELLS[pattern][place][i] = square
            SEEN_SIZES[pattern][place], SEEN_OFFSETS[pattern][place] = len(cells), offset
            offset += <int32_t>int(3 ** len(cells))
        if pattern == SEEN_SHAPES - 1:
            SEEN_VECTOR_ROWS = offset
    for place in range(TRIANGLE):
        SEEN_OFFSETS[SEEN_PATTERNS][place] = offset + 65 * place
    SEEN_ALL_ROWS = offset + 65 * TRIANGLE
    for square in range(64):
        for image in range(8):
            y, x = divmod(seen_image_of(square, image), 8)
            if (y, x) in triangle:
                SEEN_PLACES[square], SEEN_IMAGES[square] = triangle.index((y, x)), image
                break


cdef int seen_image_of(int square, int image) noexcept nogil:
    """Return where a symmetry (see write_images) takes a square; 64, no square, stays."""
    cdef int y = square >> 3, x = square & 7
    if square >= 64:
        return 64
    if image & 1:
        x = 7 - x
    if image & 2:
        y = 7 - y
    return 8 * x + y if image & 4 else 8 * y + x


fill_seen()


cdef uint64_t seen_hash(uint64_t mover, uint64_t opponent, int place) noexcept nogil:
    """Return a hash of a board and a move, never 0 (the finishing steps of MurmurHash3)."""
    cdef uint64_t h = mover * <uint64_t>0x9e3779b97f4a7c15
    h = (h ^ h >> 32) + opponent
    h *= <uint64_t>0xff51afd7ed558ccd
    h = (h ^ h >> 33) + place
    h *= <uint64_t>0xc4ceb9fe1a85ec53
    h ^= h >> 33
    return h & <uint64_t>0xffffffff | <uint64_t>1 << 32


cdef void see_patterns(Seen *seen, uint64_t mover, uint64_t opponent, int last) noexcept nogil:
    """Write a move's rows; the board is in the move's frame."""
    cdef int pattern, i, size, place = seen.place
    cdef int32_t row, power
    cdef const int8_t *cells
    for pattern in range(SEEN_PATTERNS):
        row, power = SEEN_OFFSETS[pattern][place], 1
        cells, size = SEEN_CELLS[pattern][place], SEEN_SIZES[pattern][place]
        for i in range(size):
            row += power * <int32_t>((mover >> cells[i] & 1) + 2 * (opponent >> cells[i] & 1))
            power *= 3
        seen.rows[pattern] = row
    seen.rows[SEEN_PATTERNS] = SEEN_OFFSETS[SEEN_PATTERNS][place] + last
    seen.board = 0
    if 64 - bits_count(mover | opponent) >= BOARDS_FROM:
        seen.board = seen_hash(mover, opponent, place)


cdef void see_consequences(Seen *seen, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Write what a move leads to."""
    cdef int square = seen.square
    cdef uint64_t flipped = bits_flips(square, mover, opponent)
    cdef uint64_t after_mover = opponent ^ flipped, after_opponent = mover | flipped | bit(square)
    cdef uint64_t replies = bits_legal_moves(after_mover, after_opponent)
    cdef uint64_t empty = ~(after_mover | after_opponent)
    cdef int odd = odd_quadrants(empty)
    seen.facts[0] = bits_count(replies)
    seen.facts[1] = bits_count(bits_legal_moves(after_opponent, after_mover))
    seen.facts[2] = bits_count(flipped)
    seen.facts[3] = bits_count(corners(replies))
    seen.facts[4] = bits_count(frontier(after_mover, after_opponent))
    seen.facts[5] = odd >> ((square >> 5) * 2 + (square >> 2 & 1)) & 1
    seen.facts[6] = bits_count(around(bit(square)) & empty)


cdef int see_moves(Seen *seen, int32_t *stage, uint64_t mover, uint64_t opponent, int last) noexcept nogil:
    """Write what people see of each legal move, in the order of squares; return the number of moves.

    `last` is the square of the last move, 64 if there is none.
    """
    cdef uint64_t movers[8]
    cdef uint64_t opponents[8]
    cdef uint64_t moves = bits_legal_moves(mover, opponent)
    cdef int count = 0, image, other, square, was, was_other
    cdef bint lesser
    stage[0], stage[1] = 64 - bits_count(mover | opponent), bits_count(moves)
    stage[2] = bits_count(bits_legal_moves(opponent, mover))
    stage[3] = bits_count(mover) - bits_count(opponent)
    write_images(mover, movers)
    write_images(opponent, opponents)
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        seen[count].square, seen[count].place = square, SEEN_PLACES[square]
        image = SEEN_IMAGES[square]
        was = seen_image_of(last, image)
        other = image ^ 4
        if seen_image_of(square, other) == seen_image_of(square, image):
            # On the triangle's diagonal there are two frames: take the lesser board.
            was_other = seen_image_of(last, other)
            if movers[other] != movers[image]:
                lesser = movers[other] < movers[image]
            elif opponents[other] != opponents[image]:
                lesser = opponents[other] < opponents[image]
            else:
                lesser = was_other < was
            if lesser:
                image, was = other, was_other
        see_patterns(&seen[count], movers[image], opponents[image], was)
        see_consequences(&seen[count], mover, opponent)
        count += 1
    return count
