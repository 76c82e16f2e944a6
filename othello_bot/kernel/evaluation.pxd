"""Static evaluation: pattern tables over incremental indices, or the hand-made formula where no weights are chosen.

Values are in units of 1/EVALUATION_UNIT disc from the mover's view.  The only door for the search is evaluate(), which gives
whole discs, and update()/pass_over(), which carry the indices along.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t, uint64_t

from othello_bot.kernel.bits cimport (
    BITS_CHANNELS, BITS_LANES, BITS_TABLE_LANES, bits_add_rows, bits_count, bits_legal_moves, bits_move_sets, bits_row_places,
    bits_sum_rows, bits_sum_squares, bits_sum_weights, bits_update_features,
)
from othello_bot.kernel.geometry cimport around, odd_quadrants
from othello_bot.kernel.handmade cimport handmade
from othello_bot.kernel.worker cimport EVALUATION_UNIT, SCALE_END, Factors, Worker

cdef enum:
    PATTERN_FEATURES = 28     # checked against patterns.py at import, as the next is
    FACTOR_FEATURES = 54
    EVALUATION_LIMIT = 62     # a static value stays inside what a finished game can give
    MAX_STAGES = 61           # one for each number of empties; so many phases as well

cdef enum:
    # What is looked up beside the patterns, in this order: the three counts and the eight sets of moves.
    MOBILITY = 0
    POTENTIAL = 1
    QUADRANTS = 2
    COUNTS = 3
    MOVER_SETS = 3
    OPPONENT_SETS = 7
    LEAF_TERMS = 11

cdef int32_t[BITS_TABLE_LANES] OFFSETS      # of each place: where its table begins, plus its centre; the spare lanes: a zero
cdef int32_t[COUNTS] COUNT_OFFSETS          # the same for the counts
cdef int32_t[FACTOR_FEATURES] FACTOR_OFFSETS        # of each place: where its factors' rows begin, plus its centre
cdef int32_t[LEAF_TERMS + 1] LEAF_OFFSETS   # the same for the counts and the sets of moves, and a row of zeros
cdef int16_t[64][BITS_LANES] PLACED         # [square][lane]: what the mover's disc on the square adds to the index

cdef void indices_from_scratch(int16_t *features, uint64_t mover, uint64_t opponent) noexcept nogil


cdef inline int capped(int count) noexcept nogil:
    return count if count < 31 else 31


cdef inline void leaf_indices(int32_t *leaf, uint64_t mover, uint64_t opponent) noexcept nogil:
    """The LEAF_TERMS indices that are not carried along from ply to ply."""
    cdef uint64_t empty = ~(mover | opponent), moves = bits_legal_moves(mover, opponent), replies = bits_legal_moves(opponent, mover)
    leaf[MOBILITY] = 32 * capped(bits_count(moves)) + capped(bits_count(replies))
    leaf[POTENTIAL] = 32 * capped(bits_count(empty & around(opponent))) + capped(bits_count(empty & around(mover)))
    # Of the sixteen sets of quadrants with an odd number of empties: none 0, one 1, two side by side 2, two across 3, three 4, all 5.
    leaf[QUADRANTS] = <int>(<uint64_t>0x5442423143212110 >> 4 * odd_quadrants(empty) & 15)
    bits_move_sets(moves, leaf + MOVER_SETS)
    bits_move_sets(replies, leaf + OPPONENT_SETS)


cdef inline int second_order(const Factors *factors, int empties, const int16_t *features, const int32_t *leaf) noexcept nogil:
    """What the pairs of patterns add, in 1/EVALUATION_UNIT disc: the first channel's sum, in 1/16 disc, and the squares of the others', in 1/64."""
    cdef int16_t[BITS_CHANNELS] sums
    cdef uint32_t[LEAF_TERMS + 1] places
    bits_row_places(places, LEAF_OFFSETS, leaf, LEAF_TERMS)
    places[LEAF_TERMS] = BITS_CHANNELS * <uint32_t>LEAF_OFFSETS[LEAF_TERMS]
    bits_sum_rows(sums, factors.shift[empties], factors.rows[empties], FACTOR_OFFSETS, features + BITS_TABLE_LANES, FACTOR_FEATURES)
    bits_add_rows(sums, sums, factors.rows[empties], places, LEAF_TERMS + 1)
    return 8 * sums[0] + (bits_sum_squares(sums, factors.signs) >> 5)


cdef inline int scaled(const int16_t *scale, int sum) noexcept nogil:
    """The value of a sum, both in 1/EVALUATION_UNIT disc: a straight line from each whole disc to the next, turned about zero."""
    # Sums above and below zero come in no order that a processor could foresee: so all without a branch.
    cdef int negative = -<int>(sum < 0), size = (sum ^ negative) - negative, whole, value
    size = size if size < SCALE_END * EVALUATION_UNIT else SCALE_END * EVALUATION_UNIT
    whole = <uint32_t>size // EVALUATION_UNIT
    value = scale[whole] + (scale[whole + 1] - scale[whole]) * <int>(<uint32_t>size % EVALUATION_UNIT) // EVALUATION_UNIT
    return (value ^ negative) - negative


cdef inline double sum_of(const Factors *factors, int empties, int value) noexcept nogil:
    """The sum behind a value, both in discs; the value itself where there is no scale."""
    if factors == NULL:
        return value
    return factors.sums[empties][value] if value >= 0 else -factors.sums[empties][-value]


cdef inline double value_of(const Factors *factors, int empties, double sum) noexcept nogil:
    """The value of a sum, both in discs; of one beyond the scale the sum itself, which no value reaches."""
    cdef double size = sum if sum >= 0 else -sum
    cdef int whole = <int>size
    if factors == NULL or size >= SCALE_END:
        return sum
    cdef double value = factors.scale[empties][whole]
    value += (factors.scale[empties][whole + 1] - value) * (size - whole)
    return (value if sum >= 0 else -value) / EVALUATION_UNIT


cdef inline int learned(
    const int16_t *table, const Factors *factors, const int16_t *features, uint64_t mover, uint64_t opponent
) noexcept nogil:
    """Sum of the weights of a position's patterns and counts in one stage's table; with factors what their pairs add, on their scale."""
    cdef int32_t[LEAF_TERMS] leaf
    cdef int sum = bits_sum_weights(table, OFFSETS, features), empties = 64 - bits_count(mover | opponent), i
    leaf_indices(leaf, mover, opponent)
    for i in range(COUNTS):
        sum += table[COUNT_OFFSETS[i] + leaf[i]]
    if factors == NULL:
        return sum
    return scaled(factors.scale[empties], sum + second_order(factors, empties, features, leaf))


cdef inline int evaluate_fine(Worker *worker, int ply, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Static value in 1/EVALUATION_UNIT disc."""
    if worker.weights == NULL:
        return handmade(mover, opponent)
    return learned(worker.weights[64 - bits_count(mover | opponent)], worker.factors, worker.features[ply], mover, opponent)


cdef inline int evaluate(Worker *worker, int ply, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Static value in whole discs, rounded to the nearest, never as far out as a finished game can be."""
    cdef int value = (evaluate_fine(worker, ply, mover, opponent) + 64 * EVALUATION_UNIT + EVALUATION_UNIT // 2) // EVALUATION_UNIT - 64
    if value > EVALUATION_LIMIT:
        return EVALUATION_LIMIT
    return value if value > -EVALUATION_LIMIT else -EVALUATION_LIMIT


cdef inline void update(Worker *worker, int ply, int square, uint64_t flips) noexcept nogil:
    """Indices of ply + 1 from those of `ply` after the mover's move."""
    if worker.weights != NULL:
        bits_update_features(worker.features[ply + 1], worker.features[ply], PLACED, square, flips)


cdef inline void pass_over(Worker *worker, int ply) noexcept nogil:
    """Indices of ply + 1 after a pass: the same board from the other side."""
    cdef int i
    if worker.weights != NULL:
        for i in range(BITS_LANES):
            worker.features[ply + 1][i] = -worker.features[ply][i]


cdef class Weights:
    cdef const int16_t *by_empties[65]     # boards with fewer than four discs included: they use the first stage's
    cdef int16_t *memory                   # the full tables, one stage behind the other
    cdef int32_t size                      # entries of a full table, the padding not counted
    cdef int32_t *numbers                  # which reduced weight each entry of a full table is; NULL: tables were given in full
    cdef const int16_t[:, ::1] reduced
    cdef Factors factors                   # its memory is NULL where the file has none
    cdef int stage_of[65]
    cdef int states[MAX_STAGES]           # REDUCED, EXPANDING or FULL
    cdef const int8_t[:, ::1] reduced_rows # those of the factors, one phase behind the other
    cdef int32_t *row_numbers              # which reduced row of its phase each full row is
    cdef int32_t row_count                 # reduced rows of a phase
    cdef int phase_of[65]
    cdef int phase_states[MAX_STAGES]
    cdef const Factors *second_order(self) noexcept nogil
    cdef int allocate(self, stage_of_empties, Py_ssize_t stages) except -1
    cdef int16_t *table(self, int stage) noexcept nogil
    cdef void finish(self, int stage) noexcept nogil
    cdef void prepare(self, int least, int most) noexcept nogil
    cdef void expand(self, int stage) noexcept nogil
    cdef void expand_rows(self, int phase) noexcept nogil
