"""Index tables of the patterns, and the weights in memory.

The function is a sum of table entries, of what their pairs mean together, on a scale: see othello_bot/kernel/patterns.py for the patterns
and docs/evaluation.md for how the weights were made.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from othello_bot.kernel.bits cimport (
    bits_allocate, bits_count, bits_init, bits_legal_moves, bits_load_acquire, bits_pause, bits_store_release, bits_swap_if,
)
from othello_bot.kernel.reduction cimport number_entries, number_rows

from othello_bot.kernel import patterns

cdef enum:
    PADDING = 2         # entries of zero behind each table: for spare lanes, and for loads of twice an entry's width
    BLOCK_WORDS = 16    # of the checksum: as many as keep the processor's adders busy
    REDUCED = 0         # states of a stage or phase: only in the form that is stored,
    EXPANDING = 1       # some thread is at it,
    FULL = 2            # ready for the search

cdef int32_t FACTOR_ROWS = patterns.FACTOR_ROWS
cdef Py_ssize_t ROWS_SIZE = <Py_ssize_t>BITS_CHANNELS * (patterns.FACTOR_ROWS + 1)    # of a phase in memory; the last row is zeros

bits_init()


cdef bint must_expand(int *state) noexcept nogil:
    """Whether the caller has to make what is not there yet; where another thread is at it, false once that is done."""
    if bits_load_acquire(state) == FULL:
        return False
    if bits_swap_if(state, REDUCED, EXPANDING):
        return True
    while bits_load_acquire(state) != FULL:
        bits_pause()
    return False


cdef void fill_tables():
    """The offsets and PLACED from the lists of patterns."""
    assert len(patterns.FEATURES) == PATTERN_FEATURES
    assert len(patterns.FACTOR_FEATURES) == FACTOR_FEATURES
    assert (len(patterns.COUNTS), 2 * len(patterns.MOVE_QUARTERS)) == (COUNTS, LEAF_TERMS - COUNTS)
    assert (patterns.CHANNELS, patterns.LANES, patterns.TABLE_LANES) == (BITS_CHANNELS, BITS_LANES, BITS_TABLE_LANES)
    memset(PLACED, 0, sizeof(PLACED))
    for feature in range(BITS_TABLE_LANES):
        OFFSETS[feature] = patterns.TABLE_SIZE      # the entry behind each table is always zero
    for feature, (number, place) in enumerate(patterns.FEATURES):
        OFFSETS[feature] = patterns.OFFSETS[number] + patterns.PATTERNS[number].centre
        for digit, square in enumerate(place):
            PLACED[square][feature] = 3**digit
    for feature, (number, place) in enumerate(patterns.FACTOR_FEATURES):
        FACTOR_OFFSETS[feature] = patterns.FACTOR_OFFSETS[number] + patterns.FACTOR_PATTERNS[number].centre
        for digit, square in enumerate(place):
            PLACED[square][BITS_TABLE_LANES + feature] = 3**digit
    for i, offset in enumerate(patterns.COUNT_OFFSETS):
        COUNT_OFFSETS[i] = patterns.COUNTS_OFFSET + offset
        LEAF_OFFSETS[i] = patterns.FACTOR_COUNTS_OFFSET + offset
    for i in range(LEAF_TERMS - COUNTS):
        LEAF_OFFSETS[COUNTS + i] = patterns.FACTOR_MOVES_OFFSET + patterns.MOVE_SETS * i
    LEAF_OFFSETS[LEAF_TERMS] = patterns.FACTOR_ROWS


fill_tables()


cdef void indices_from_scratch(int16_t *features, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Pattern indices of a position without those of the position before."""
    cdef int square, i
    memset(features, 0, BITS_LANES * sizeof(int16_t))
    for square in range(64):
        if mover >> square & 1:
            for i in range(BITS_LANES):
                features[i] += PLACED[square][i]
        elif opponent >> square & 1:
            for i in range(BITS_LANES):
                features[i] -= PLACED[square][i]


cdef void fletcher(const uint32_t *words, Py_ssize_t blocks, uint64_t *total, uint64_t *total_of_sums) noexcept nogil:
    """See checksum(). Each word of a block has sums of its own until the end: the compiler makes vectors of them."""
    cdef uint64_t[BLOCK_WORDS] sums
    cdef uint64_t[BLOCK_WORDS] sums_of_sums
    cdef Py_ssize_t block
    cdef int i
    for i in range(BLOCK_WORDS):
        sums[i] = sums_of_sums[i] = 0
    for block in range(blocks):
        for i in range(BLOCK_WORDS):
            sums[i] += words[i]
            sums_of_sums[i] += sums[i]
        words += BLOCK_WORDS
    total[0] = total_of_sums[0] = 0
    # A word counts once for itself and once for each word behind it: those of its place in the later blocks, BLOCK_WORDS times
    # each, less the words before it in its own block.
    for i in range(BLOCK_WORDS):
        total[0] += sums[i]
        total_of_sums[0] += BLOCK_WORDS * sums_of_sums[i] - i * sums[i]


def checksum(const uint32_t[::1] words) -> tuple[int, int]:
    """Fletcher's checksum of 32-bit words: their sum, and the sum of the sums after each word, both modulo 2**64.

    Damage that alters one or two words is certain to be found, all other with a probability next to certainty (J. G. Fletcher,
    "An arithmetic checksum for serial transmissions", 1982).  It is as fast as memory, with vectors of any kind and nearly so
    without.  Raises ValueError where the number of words is not a multiple of BLOCK_WORDS.
    """
    cdef uint64_t total = 0, total_of_sums = 0
    if words.shape[0] == 0 or words.shape[0] % BLOCK_WORDS:
        raise ValueError(f"{words.shape[0]} words: not a multiple of {BLOCK_WORDS}")
    with nogil:
        fletcher(&words[0], words.shape[0] // BLOCK_WORDS, &total, &total_of_sums)
    return total, total_of_sums


cdef void fill_sums(float *sums, const int16_t *scale) noexcept nogil:
    """The sums with values of 0, 1, ... 64 discs on a scale that rises; where it ends before, its end."""
    cdef int value, whole = 0, wanted
    for value in range(SCALE_END + 1):
        wanted = value * EVALUATION_UNIT
        while whole < SCALE_END and scale[whole + 1] < wanted:
            whole += 1
        if whole == SCALE_END:
            sums[value] = SCALE_END
        else:
            sums[value] = whole + <float>(wanted - scale[whole]) / (scale[whole + 1] - scale[whole])


def weights_from_reduced(stage_of_empties, const int16_t[:, ::1] reduced, factors=None) -> Weights:
    """Weights from tables in which mirrored states share an entry: int16, stages x reduced_index()'s count.

    They stay where they are, and must not change, until a search asks for a stage (see Weights.prepare()).  `factors`: None, or
    what set_factors() takes.
    """
    cdef Weights weights = Weights.__new__(Weights)
    weights.allocate(stage_of_empties, reduced.shape[0])
    weights.numbers = <int32_t *>calloc(patterns.TABLE_SIZE, sizeof(int32_t))
    if weights.numbers == NULL:
        raise MemoryError("no memory for the numbering of the weights")
    count = number_entries(weights.numbers, patterns.PATTERNS)
    if reduced.shape[1] != count:
        raise ValueError(f"{reduced.shape[1]} weights a stage: the patterns have {count}")
    weights.reduced = reduced
    if factors is not None:
        weights.set_factors(*factors)
    return weights


cdef class Weights:
    """Weights of all stages in memory, shared by every search that uses them; never changed after it was made.

    `stage_of_empties`: 61 stage numbers, by number of empties.  `tables`: int16, stages x TABLE_SIZE (native byte order).
    """

    def __init__(self, stage_of_empties, const int16_t[:, ::1] tables):
        if tables.shape[1] != patterns.TABLE_SIZE:
            raise ValueError(f"{tables.shape[1]} weights a stage: the patterns have {patterns.TABLE_SIZE}")
        cdef int stage
        self.allocate(stage_of_empties, tables.shape[0])
        for stage in range(tables.shape[0]):
            memcpy(self.table(stage), &tables[stage, 0], tables.shape[1] * sizeof(int16_t))
            self.finish(stage)

    cdef int allocate(self, stage_of_empties, Py_ssize_t stages) except -1:
        """Address space for full tables, not touched yet. Raises ValueError, MemoryError."""
        cdef int empties
        if stages > MAX_STAGES or len(stage_of_empties) != 61 or not all(0 <= stage < stages for stage in stage_of_empties):
            raise ValueError(f"stages {list(stage_of_empties)}: not 61 numbers below {min(stages, MAX_STAGES)}")
        free(self.memory)
        self.size = patterns.TABLE_SIZE
        self.memory = <int16_t *>bits_allocate(<uint64_t>stages * (self.size + PADDING) * sizeof(int16_t))
        if self.memory == NULL:
            raise MemoryError(f"no memory for {stages} x {self.size} weights")
        for empties in range(65):
            self.stage_of[empties] = stage_of_empties[min(empties, 60)]
            self.by_empties[empties] = NULL
        memset(self.states, 0, sizeof(self.states))
        return 0

    cdef int16_t *table(self, int stage) noexcept nogil:
        return self.memory + <uint64_t>stage * (self.size + PADDING)

    cdef void finish(self, int stage) noexcept nogil:
        """Hands a full table over to the searches of all threads."""
        cdef int empties
        memset(self.table(stage) + self.size, 0, PADDING * sizeof(int16_t))
        for empties in range(65):
            if self.stage_of[empties] == stage:
                self.by_empties[empties] = self.table(stage)
        bits_store_release(&self.states[stage], FULL)

    cdef void prepare(self, int least, int most) noexcept nogil:
        """Makes the full tables and rows for boards of `least` to `most` empties, as far as nobody has asked for them before.

        Whoever evaluates must have called it, for what was never asked for is NULL; several threads may at once.  A stage takes
        a quarter of a millisecond, a phase of the factors a whole one, and a game needs the last ones late: so loading need not
        wait for all.
        """
        cdef int empties
        for empties in range(max(least, 0), min(most, 64) + 1):
            if must_expand(&self.states[self.stage_of[empties]]):
                self.expand(self.stage_of[empties])
                self.finish(self.stage_of[empties])
            if self.factors.memory != NULL and must_expand(&self.phase_states[self.phase_of[empties]]):
                self.expand_rows(self.phase_of[empties])

    cdef void expand(self, int stage) noexcept nogil:
        """Writes the full table of a stage: the states that mirror each other get the weight that they share."""
        cdef int16_t *table = self.table(stage)
        cdef const int16_t *source = &self.reduced[stage, 0]
        cdef int32_t entry
        for entry in range(self.size):
            table[entry] = source[self.numbers[entry]]

    cdef void expand_rows(self, int phase) noexcept nogil:
        """Writes the full rows of a phase, mirrored states those that they share, and hands them over to the searches."""
        cdef int8_t *rows = self.factors.memory + phase * ROWS_SIZE
        cdef int8_t *row = rows
        cdef Py_ssize_t place, first = phase * self.row_count
        cdef int32_t number
        cdef int empties
        for number in range(FACTOR_ROWS):
            place = first + self.row_numbers[number]
            memcpy(row, &self.reduced_rows[place, 0], BITS_CHANNELS)
            row += BITS_CHANNELS
        memset(row, 0, BITS_CHANNELS)
        for empties in range(65):
            if self.phase_of[empties] == phase:
                self.factors.rows[empties] = rows
        bits_store_release(&self.phase_states[phase], FULL)

    cdef const Factors *second_order(self) noexcept nogil:
        """The factors, or NULL where there are none."""
        return NULL if self.factors.memory == NULL else &self.factors

    def set_factors(
        self, phase_of_empties, const int8_t[:, ::1] rows, const int16_t[:, ::1] shift, const int8_t[::1] signs,
        const int16_t[:, ::1] scale,
    ) -> None:
        """Adds what pairs of patterns mean together, and the scale of all; only before a search uses these weights.

        The rows stay where they are, and must not change, until a search asks for a phase (see prepare()).

        phase_of_empties: 61 numbers of phases of the game, by number of empties; rows: int8, factor_reduced_index()'s count for each
        phase x CHANNELS, within LARGEST_FACTOR; shift: int16, 61 x CHANNELS, within LARGEST_SHIFT; signs: int8, CHANNELS, of -1, 0
        and 1, the first 0.  A position's rows, of its phase, and its shift are summed by channel; then the first sum counts in 1/16
        disc, and the square of each other one, with its sign, in 1/64 of the root of a disc (S. Rendle, "Factorization Machines",
        2010).
        scale: int16, 61 x 65, rising from 0: for each number of empties the value of a sum of 0 to 64 discs, in 1/EVALUATION_UNIT
        disc; between them values lie on a straight line, those of larger sums are that of 64, those of negative ones mirror these.
        Raises ValueError for other shapes or numbers, MemoryError.
        """
        cdef Py_ssize_t row, phases
        cdef int empties, i, largest = 0, largest_shift = 0
        if shift.shape[0] != 61 or shift.shape[1] != BITS_CHANNELS or signs.shape[0] != BITS_CHANNELS:
            raise ValueError(f"factors' shift {shift.shape[0]} x {shift.shape[1]}, signs {signs.shape[0]}: not 61 x {BITS_CHANNELS}, {BITS_CHANNELS}")
        if signs[0] != 0 or not all(-1 <= sign <= 1 for sign in signs):
            raise ValueError(f"factors' signs {list(signs)}: not 0, then -1, 0 or 1")
        for empties in range(61):
            for i in range(BITS_CHANNELS):
                largest_shift = max(largest_shift, abs(<int>shift[empties, i]))
        if largest_shift > patterns.LARGEST_SHIFT:
            raise ValueError(f"factors' shift: not within {patterns.LARGEST_SHIFT}")
        if scale.shape[0] != 61 or scale.shape[1] != SCALE_END + 1:
            raise ValueError(f"factors' scale {scale.shape[0]} x {scale.shape[1]}: not 61 x {SCALE_END + 1}")
        for empties in range(61):
            for i in range(SCALE_END):
                if scale[empties, 0] != 0 or scale[empties, i] >= scale[empties, i + 1]:
                    raise ValueError(f"factors' scale with {empties} empties: not rising from 0")
        phases = max(phase_of_empties) + 1
        if phases > MAX_STAGES or len(phase_of_empties) != 61 or not all(0 <= phase < phases for phase in phase_of_empties):
            raise ValueError(f"phases {list(phase_of_empties)}: not 61 numbers below {min(phases, MAX_STAGES)}")
        if self.row_numbers == NULL:
            self.row_numbers = <int32_t *>calloc(FACTOR_ROWS, sizeof(int32_t))
            if self.row_numbers == NULL:
                raise MemoryError("no memory for the numbering of the factors")
            self.row_count = number_rows(self.row_numbers)
        if rows.shape[0] != phases * self.row_count or rows.shape[1] != BITS_CHANNELS:
            raise ValueError(
                f"{rows.shape[0]} x {rows.shape[1]} factors: "
                f"{phases} phases of the patterns have {phases * self.row_count} x {BITS_CHANNELS}"
            )
        for row in range(rows.shape[0]):
            for i in range(BITS_CHANNELS):
                largest = max(largest, abs(<int>rows[row, i]))
        if largest > patterns.LARGEST_FACTOR:
            raise ValueError(f"factors up to {largest}: not within {patterns.LARGEST_FACTOR}")
        free(self.factors.memory)
        self.factors.memory = <int8_t *>bits_allocate(phases * ROWS_SIZE)
        if self.factors.memory == NULL:
            raise MemoryError(f"no memory for {phases} x {FACTOR_ROWS} x {BITS_CHANNELS} factors")
        self.reduced_rows = rows
        memset(self.phase_states, 0, sizeof(self.phase_states))
        for empties in range(65):
            self.phase_of[empties] = phase_of_empties[min(empties, 60)]
            self.factors.rows[empties] = NULL
            memcpy(self.factors.shift[empties], &shift[min(empties, 60), 0], BITS_CHANNELS * sizeof(int16_t))
            memcpy(self.factors.scale[empties], &scale[min(empties, 60), 0], (SCALE_END + 1) * sizeof(int16_t))
            self.factors.scale[empties][SCALE_END + 1] = self.factors.scale[empties][SCALE_END]
            fill_sums(self.factors.sums[empties], self.factors.scale[empties])
        for i in range(BITS_CHANNELS):
            self.factors.signs[i] = signs[i]

    def __dealloc__(self):
        free(self.factors.memory)
        free(self.row_numbers)
        free(self.memory)
        free(self.numbers)

    def evaluate(self, uint64_t mover, uint64_t opponent) -> float:
        """Static value in discs, mover's view, before it is rounded for the search."""
        cdef int16_t features[BITS_LANES]
        cdef int empties = 64 - bits_count(mover | opponent)
        self.prepare(empties, empties)
        indices_from_scratch(features, mover, opponent)
        return learned(self.by_empties[empties], self.second_order(), features, mover, opponent) / <double>EVALUATION_UNIT


    def sum_of(self, int empties, int value) -> float:
        """The sum behind a static value with so many empties, both in whole discs or parts of one; without a scale the value itself.

        Raises ValueError for values beyond 64 or more than 60 empties.
        """
        if not (-SCALE_END <= value <= SCALE_END and 0 <= empties <= 60):
            raise ValueError(f"value {value} with {empties} empties: not within {SCALE_END}, 0 to 60")
        return sum_of(self.second_order(), empties, value)

    def value_of(self, int empties, double sum) -> float:
        """And back: the value of a sum, in discs; of one beyond 64 the sum itself.  Raises ValueError for more than 60 empties."""
        if not 0 <= empties <= 60:
            raise ValueError(f"{empties} empties: not 0 to 60")
        return value_of(self.second_order(), empties, sum)


cdef int fill_columns(
    const uint64_t[::1] movers, const uint64_t[::1] opponents, int32_t[:, ::1] columns,
    const int32_t *offsets, int lane, int places, const int32_t *leaf_offsets, int leaf_terms,
) except -1:
    """Writes a row for each position: of `places` lanes from `lane` on and of the first `leaf_terms` of a leaf, each index with its offset."""
    cdef Py_ssize_t row
    cdef int i
    cdef int16_t[BITS_LANES] features
    cdef int32_t[LEAF_TERMS] leaf
    if columns.shape[0] != movers.shape[0] or opponents.shape[0] != movers.shape[0] or columns.shape[1] != places + leaf_terms:
        raise ValueError(
            f"shapes {movers.shape[0]}, {opponents.shape[0]}, {columns.shape[0]} x {columns.shape[1]}: not n, n, n x {places + leaf_terms}"
        )
    with nogil:
        for row in range(movers.shape[0]):
            indices_from_scratch(features, movers[row], opponents[row])
            leaf_indices(leaf, movers[row], opponents[row])
            for i in range(places):
                columns[row, i] = offsets[i] + features[lane + i]
            for i in range(leaf_terms):
                columns[row, places + i] = leaf_offsets[i] + leaf[i]
    return 0


def feature_columns(const uint64_t[::1] movers, const uint64_t[::1] opponents, int32_t[:, ::1] columns) -> None:
    """For the fit: which entries of a stage's table a position's value is the sum of.

    `columns`: n x 31 int32, filled with the indices of the 28 places' and 3 counts' entries.  Raises ValueError for other shapes.
    """
    fill_columns(movers, opponents, columns, OFFSETS, 0, PATTERN_FEATURES, COUNT_OFFSETS, COUNTS)


def factor_columns(const uint64_t[::1] movers, const uint64_t[::1] opponents, int32_t[:, ::1] columns) -> None:
    """For the fit: which rows of factors a position's sums are made of.

    `columns`: n x 65 int32, filled with the rows of the 54 places' states, of the 3 counts and of the 8 sets of moves.  Raises
    ValueError for other shapes.
    """
    fill_columns(movers, opponents, columns, FACTOR_OFFSETS, BITS_TABLE_LANES, FACTOR_FEATURES, LEAF_OFFSETS, LEAF_TERMS)
