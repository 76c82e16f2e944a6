"""The pairwise factors of an evaluation in memory, and the scale of its sums."""

cdef enum:
    EVALUATION_UNIT = 128    # parts of a disc in which static values are counted
    SCALE_END = 64           # the largest sum that the scale of an evaluation covers, in discs
    ODD_QUADRANTS = 6        # ways in which quadrants can be odd: see leaf_indices()

# Rows of channels for each state of each pattern (see evaluation.pxi), and the scale of everything that is added up.
# Arrays of 65 are indexed by the number of empties.
cdef struct Factors:
    uint8_t *memory                         # the rows of all states, phase after phase, with ROW_BIAS added
    const uint8_t *rows[65]                 # the rows of the phase; NULL until they are expanded
    # Where the sums of the rows begin, by odd quadrants: the row of these included, the bias of all rows subtracted.
    int16_t shift[65][ODD_QUADRANTS][CHANNELS]
    int16_t signs[CHANNELS]            # the sign with which each channel's square counts; both in the order of the sums
    int16_t scale[65][SCALE_END + 2]        # value of a sum of 0, 1, ... 64 discs; the last one twice
    float sums[65][SCALE_END + 1]           # the inverse: sum with a value of 0, 1, ... 64 discs


cdef inline int scaled(const int16_t *scale, int sum) noexcept nogil:
    """Return the value of a sum, both in 1/EVALUATION_UNIT disc: linear between whole discs, odd about zero."""
    # The signs of sums are unpredictable: no branches.
    cdef int negative = -<int>(sum < 0), size = (sum ^ negative) - negative, whole, value
    size = size if size < SCALE_END * EVALUATION_UNIT else SCALE_END * EVALUATION_UNIT
    whole = <uint32_t>size // EVALUATION_UNIT
    value = (scale[whole + 1] - scale[whole]) * <int>(<uint32_t>size % EVALUATION_UNIT) // EVALUATION_UNIT
    value += scale[whole]
    return (value ^ negative) - negative


cdef inline double sum_of(const Factors *factors, int empties, int value) noexcept nogil:
    """Return the sum behind a value, both in discs; without factors there is no scale, and it is the value itself."""
    if factors == NULL:
        return value
    return factors.sums[empties][value] if value >= 0 else -factors.sums[empties][-value]


cdef inline double value_of(const Factors *factors, int empties, double sum) noexcept nogil:
    """Return the value of a sum, both in discs; beyond the scale the sum itself, which no value reaches."""
    cdef double size = sum if sum >= 0 else -sum
    cdef int whole = <int>size
    if factors == NULL or size >= SCALE_END:
        return sum
    cdef double value = factors.scale[empties][whole]
    value += (factors.scale[empties][whole + 1] - value) * (size - whole)
    return (value if sum >= 0 else -value) / EVALUATION_UNIT
