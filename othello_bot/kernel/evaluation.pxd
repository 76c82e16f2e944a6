"""Static evaluation: pattern tables over incremental indices, or the hand-made formula where no weights are chosen.

Values are in 1/EVALUATION_UNIT disc from the mover's view.  The search calls update() or pass_over() for each ply,
which carry the pattern indices along, and asks evaluation_cache.pxd for values.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t, uint64_t

from othello_bot.kernel.bits cimport bits_count, bits_legal_moves, bits_move_sets
from othello_bot.kernel.factors cimport EVALUATION_UNIT, SCALE_END, Factors, scaled
from othello_bot.kernel.geometry cimport frontier, odd_quadrants
from othello_bot.kernel.handmade cimport handmade
from othello_bot.kernel.lanes cimport (
    CHANNELS, LANES, TABLE_LANES, lanes_sum_weights, lanes_update, rows_places, rows_places_of_lanes, rows_prefetch,
    rows_sum, rows_sum_squares,
)
from othello_bot.kernel.worker cimport Worker

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
    ROWS_OF_POSITION = FACTOR_FEATURES + LEAF_TERMS + 1     # a row of zeros makes their number even

# Where the table of each pattern's place begins, plus its centre.
cdef int32_t[PATTERN_FEATURES] OFFSETS
cdef int32_t[COUNTS] COUNT_OFFSETS
# The same for the rows of factors; the last leaf offset is a row of zeros, which makes the number of terms even.
cdef int32_t[FACTOR_FEATURES] FACTOR_OFFSETS
cdef int32_t[LEAF_TERMS + 1] LEAF_OFFSETS
# [square][lane]: what the mover's disc on the square adds to the index.
cdef int16_t[64][LANES] PLACED

cdef void indices_from_scratch(int16_t *features, uint64_t mover, uint64_t opponent) noexcept nogil


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


cdef inline int sum_of_factors(const Factors *factors, int empties, const uint32_t *places) noexcept nogil:
    """Return the pairwise part of the value, in 1/EVALUATION_UNIT disc, from where the rows of a position begin.

    The rows are summed channel by channel.  The first channel's sum is in 1/16 disc, the squares of the others' are in
    1/64 disc.
    """
    cdef int16_t[CHANNELS] sums
    rows_sum(sums, factors.shift[empties], factors.rows[empties], places, ROWS_OF_POSITION)
    return 8 * sums[0] + (rows_sum_squares(sums, factors.signs) >> 5)


cdef inline int learned(
    const int16_t *table, const Factors *factors, const int16_t *features, uint64_t mover, uint64_t opponent
) noexcept nogil:
    """Return the sum of a position's weights in its stage's table; with factors, the pairwise part added, to scale.

    The rows are asked for as soon as their places are known, and added up last: most of them come from afar.
    """
    cdef int32_t[LEAF_TERMS] leaf
    cdef uint32_t[ROWS_OF_POSITION] places
    cdef int empties = 64 - bits_count(mover | opponent)
    if factors == NULL:
        leaf_indices(leaf, mover, opponent)
        return sum_of_tables(table, features, leaf)
    rows_places_of_lanes(places, FACTOR_OFFSETS, features + TABLE_LANES, FACTOR_FEATURES)
    rows_prefetch(factors.rows[empties], places, FACTOR_FEATURES)
    leaf_indices(leaf, mover, opponent)
    rows_places(places + FACTOR_FEATURES, LEAF_OFFSETS, leaf, LEAF_TERMS)
    rows_prefetch(factors.rows[empties], places + FACTOR_FEATURES, LEAF_TERMS)
    places[FACTOR_FEATURES + LEAF_TERMS] = CHANNELS * <uint32_t>LEAF_OFFSETS[LEAF_TERMS]
    return scaled(
        factors.scale[empties],
        sum_of_tables(table, features, leaf) + sum_of_factors(factors, empties, places),
    )


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
    if worker.weights != NULL:
        lanes_update(worker.features[ply + 1], worker.features[ply], PLACED, square, flips)


cdef inline void pass_over(Worker *worker, int ply) noexcept nogil:
    """Make the indices of ply + 1 after a pass: the same board from the other side."""
    cdef int i
    if worker.weights != NULL:
        for i in range(LANES):
            worker.features[ply + 1][i] = -worker.features[ply][i]


cdef class Weights:
    cdef const int16_t *by_empties[65]     # boards with fewer than four discs included: they use the first stage's
    cdef int16_t *memory                   # the full tables, stage after stage
    cdef int32_t size                      # entries of a full table
    cdef int32_t *numbers                  # which reduced weight each entry of a full table is; NULL: all are full
    cdef const int16_t[:, ::1] reduced
    cdef Factors factors                   # its memory is NULL where the file has none
    cdef int stage_of[65]
    cdef int states[MAX_STAGES]            # atomic: REDUCED, EXPANDING or FULL
    cdef const int8_t[:, ::1] reduced_rows      # those of the factors, phase after phase
    cdef int32_t *row_numbers              # which reduced row of its phase each full row is
    cdef int32_t row_count                 # reduced rows of a phase
    cdef int phase_of[65]
    cdef int phase_states[MAX_STAGES]      # atomic, as `states`
    cdef const Factors *second_order(self) noexcept nogil
    cdef int allocate(self, stage_of_empties, Py_ssize_t stages) except -1
    cdef int16_t *table(self, int stage) noexcept nogil
    cdef void finish(self, int stage) noexcept nogil
    cdef void prepare(self, int least, int most) noexcept nogil
    cdef void expand(self, int stage) noexcept nogil
    cdef void expand_rows(self, int phase) noexcept nogil
