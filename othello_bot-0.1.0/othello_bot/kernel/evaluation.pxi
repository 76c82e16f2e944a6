"""Static evaluation: pattern tables over incremental indices, or the hand-made formula where no weights are chosen.

The value of a position is a sum of table entries; with factors, the products of pairs of patterns are added and the sum
is put on a scale.  The patterns stand in patterns.py; docs/development/evaluation.md tells how the weights were made.

Values are in 1/EVALUATION_UNIT disc from the mover's view.  The search calls update() or pass_over() for each ply,
which carry the pattern indices along, and asks evaluation_cache.pxi for values.
"""

cdef enum:
    PATTERN_FEATURES = 28     # these two are checked against patterns.py at import
    FACTOR_FEATURES = 54
    EVALUATION_LIMIT = 62     # discs: static values stay inside what a finished game can give
    MAX_STAGES = 61           # one for each number of empties; as many phases

cdef enum:
    # What is looked up beside the patterns, in this order: three counts and eight sets of moves.
    MOBILITY = 0
    POTENTIAL = 1
    QUADRANTS = 2
    COUNTS = 3
    MOVER_SETS = 3
    OPPONENT_SETS = 7
    LEAF_TERMS = 11
    ROWS_OF_POSITION = FACTOR_FEATURES + LEAF_TERMS - 1     # an even number: those of QUADRANTS are part of the shift
    PLACES_AS_VECTORS = FACTOR_FEATURES // 4 * 4            # of them, those that are written four at once

# Where the table of each pattern's place begins, plus its centre.
cdef int32_t[PATTERN_FEATURES] OFFSETS
cdef int32_t[COUNTS] COUNT_OFFSETS
# The same for the rows of factors.
cdef int32_t[FACTOR_FEATURES] FACTOR_OFFSETS
cdef int32_t[LEAF_TERMS] LEAF_OFFSETS
# [square][lane]: what the mover's disc on the square adds to the index.
cdef int16_t[64][LANES] PLACED


cdef inline int capped(int count) noexcept nogil:
    """Return a count of squares as the tables have it: 31 stands for all larger ones."""
    return count if count < 31 else 31


cdef inline void leaf_indices(int32_t *leaf, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Fill in the LEAF_TERMS indices that are not carried along from ply to ply."""
    cdef uint64_t moves = bits_legal_moves(mover, opponent), replies = bits_legal_moves(opponent, mover)
    leaf[MOBILITY] = 32 * capped(bits_count(moves)) + capped(bits_count(replies))
    leaf[POTENTIAL] = (
        32 * capped(bits_count(frontier(mover, opponent))) + capped(bits_count(frontier(opponent, mover)))
    )
    # Of the 16 sets of odd quadrants: none is 0, one 1, two side by side 2, two across 3, three 4, all four 5.
    leaf[QUADRANTS] = <int>(<uint64_t>0x5442423143212110 >> 4 * odd_quadrants(~(mover | opponent)) & 15)
    bits_move_sets(moves, leaf + MOVER_SETS)
    bits_move_sets(replies, leaf + OPPONENT_SETS)


cdef inline int sum_of_tables(const int16_t *table, const int16_t *features, const int32_t *leaf) noexcept nogil:
    """Return the sum of a position's weights in its stage's table, in 1/EVALUATION_UNIT disc."""
    cdef int sum = lanes_sum_weights(table, OFFSETS, features, PATTERN_FEATURES), i
    for i in range(COUNTS):
        sum += table[COUNT_OFFSETS[i] + leaf[i]]
    return sum


cdef inline int sum_of_factors(
    const Factors *factors, int empties, int quadrants, const uint32_t *places
) noexcept nogil:
    """Return the pairwise part of the value, in 1/EVALUATION_UNIT disc, from where the rows of a position begin.

    The rows are summed channel by channel.  The first channel's sum is in 1/16 disc, the squares of the others' are in
    1/64 disc.
    """
    cdef int16_t[CHANNELS] sums
    rows_sum(
        sums, factors.shift[empties][quadrants], factors.rows[empties], places, PLACES_AS_VECTORS, ROWS_OF_POSITION
    )
    return 8 * sums[0] + (rows_sum_squares(sums, factors.signs) >> 5)


cdef inline int learned(
    const int16_t *table, const Factors *factors, const int16_t *features, uint64_t mover, uint64_t opponent
) noexcept nogil:
    """Return the sum of a position's weights in its stage's table; with factors, the pairwise part added, to scale.

    What needs the board comes first, then the rows, most of which come from afar.
    """
    cdef int32_t[LEAF_TERMS] leaf
    cdef uint32_t[ROWS_OF_POSITION] places
    cdef int empties = 64 - bits_count(mover | opponent), sum
    leaf_indices(leaf, mover, opponent)
    if factors == NULL:
        return sum_of_tables(table, features, leaf)
    rows_places_of_lanes(places, FACTOR_OFFSETS, features + TABLE_LANES, FACTOR_FEATURES)
    rows_places(places + FACTOR_FEATURES, LEAF_OFFSETS, leaf, QUADRANTS)
    rows_places(
        places + FACTOR_FEATURES + QUADRANTS, LEAF_OFFSETS + MOVER_SETS, leaf + MOVER_SETS, LEAF_TERMS - MOVER_SETS
    )
    sum = sum_of_factors(factors, empties, leaf[QUADRANTS], places)
    return scaled(factors.scale[empties], sum + sum_of_tables(table, features, leaf))


cdef inline int evaluate_fine(Worker *worker, int ply, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the static value in 1/EVALUATION_UNIT disc."""
    if worker.weights == NULL:
        return handmade(mover, opponent)
    return learned(
        worker.weights[64 - bits_count(mover | opponent)], worker.factors, worker.features[ply], mover, opponent
    )


cdef inline int whole_discs(int value) noexcept nogil:
    """Return a value of 1/EVALUATION_UNIT disc in whole discs: rounded to the nearest, and within EVALUATION_LIMIT."""
    value = (value + 64 * EVALUATION_UNIT + EVALUATION_UNIT // 2) // EVALUATION_UNIT - 64
    if value > EVALUATION_LIMIT:
        return EVALUATION_LIMIT
    return value if value > -EVALUATION_LIMIT else -EVALUATION_LIMIT


cdef inline int highest_value(const Factors *factors, int empties) noexcept nogil:
    """Return the highest static value with so many empties, in whole discs."""
    return EVALUATION_LIMIT if factors == NULL else whole_discs(factors.scale[empties][SCALE_END])


cdef inline void update(Worker *worker, int ply, int square, uint64_t flips) noexcept nogil:
    """Make the indices of ply + 1 from those of `ply` and the mover's move."""
    worker.played[ply] = <uint8_t>square
    if worker.weights != NULL:
        lanes_update(worker.features[ply + 1], worker.features[ply], PLACED, square, flips)


cdef inline void pass_over(Worker *worker, int ply) noexcept nogil:
    """Make the indices of ply + 1 after a pass: the same board from the other side."""
    cdef int i
    worker.played[ply] = 0
    if worker.weights != NULL:
        for i in range(LANES):
            worker.features[ply + 1][i] = -worker.features[ply][i]


cdef void fill_evaluation_tables():
    """Fill in the offsets and PLACED from the patterns."""
    assert len(patterns.FEATURES) == PATTERN_FEATURES
    assert len(patterns.FACTOR_FEATURES) == FACTOR_FEATURES
    assert patterns.COUNTS[QUADRANTS][1] == ODD_QUADRANTS
    assert (len(patterns.COUNTS), 2 * len(patterns.MOVE_QUARTERS)) == (COUNTS, LEAF_TERMS - COUNTS)
    assert patterns.LARGEST_FACTOR <= ROW_BIAS and 2 * (ROW_BIAS + patterns.LARGEST_FACTOR) < 256    # in bytes
    # lanes_sum_weights() takes four places with the same offset at a time.
    assert all(len(pattern.places) % 4 == 0 for pattern in patterns.PATTERNS)
    assert (patterns.CHANNELS, patterns.LANES, patterns.TABLE_LANES) == (CHANNELS, LANES, TABLE_LANES)
    # lanes_order() takes the lanes of its patterns from fixed places.
    assert patterns.ORDER_SIZE == len(patterns.ORDER_PATTERNS) * ORDER_STATES and patterns.ORDER_UNIT == ORDER_UNIT
    blocks, edges, second_rows = patterns.ORDER_PATTERNS
    numbers = [number for number, _ in patterns.FACTOR_FEATURES]
    assert numbers[ORDER_BLOCKS - TABLE_LANES:][:8] == [blocks] * 8
    assert numbers[ORDER_LINES - TABLE_LANES:][:8] == [edges] * 4 + [second_rows] * 4
    memset(PLACED, 0, sizeof(PLACED))
    for feature, (number, place) in enumerate(patterns.FEATURES):
        OFFSETS[feature] = patterns.OFFSETS[number] + patterns.PATTERNS[number].centre
        for digit, square in enumerate(place):
            PLACED[square][feature] = 3**digit
    for feature, (number, place) in enumerate(patterns.FACTOR_FEATURES):
        FACTOR_OFFSETS[feature] = patterns.FACTOR_OFFSETS[number] + patterns.FACTOR_PATTERNS[number].centre
        for digit, square in enumerate(place):
            PLACED[square][TABLE_LANES + feature] = 3**digit
    for i, offset in enumerate(patterns.COUNT_OFFSETS):
        COUNT_OFFSETS[i] = patterns.COUNTS_OFFSET + offset
        LEAF_OFFSETS[i] = patterns.FACTOR_COUNTS_OFFSET + offset
    for i in range(LEAF_TERMS - COUNTS):
        LEAF_OFFSETS[COUNTS + i] = patterns.FACTOR_MOVES_OFFSET + patterns.MOVE_SETS * i


fill_evaluation_tables()


cdef void indices_from_scratch(int16_t *features, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Make the pattern indices of a position without those of the position before."""
    cdef int square, i
    memset(features, 0, LANES * sizeof(int16_t))
    for square in range(64):
        if mover >> square & 1:
            for i in range(LANES):
                features[i] += PLACED[square][i]
        elif opponent >> square & 1:
            for i in range(LANES):
                features[i] -= PLACED[square][i]
