"""The weights of all stages in memory, and the pairwise factors.

Files hold them reduced: mirrored states share a number.  A stage is expanded when a search first needs it.
"""

cdef enum:
    # States of a stage or phase:
    REDUCED = 0         # only in the form that is stored
    FULL = 1            # ready for searches
    HUGE_PAGE = 1 << 21     # bytes; see machine_allocate()

cdef int32_t FACTOR_ROWS = patterns.FACTOR_ROWS
# Bytes of a phase's rows in memory; the last row is zeros.  Whole huge pages, so that a phase that no search has read
# takes none.
cdef Py_ssize_t ROWS_SIZE = (<Py_ssize_t>CHANNELS * patterns.FACTOR_ROWS + HUGE_PAGE - 1) // HUGE_PAGE * HUGE_PAGE


cdef void fill_sums(float *sums, const int16_t *scale) noexcept nogil:
    """Invert a rising scale: the sums with values of 0, 1, ... 64 discs; SCALE_END for values beyond its end."""
    cdef int value, whole = 0, wanted
    for value in range(SCALE_END + 1):
        wanted = value * EVALUATION_UNIT
        while whole < SCALE_END and scale[whole + 1] < wanted:
            whole += 1
        if whole == SCALE_END:
            sums[value] = SCALE_END
        else:
            sums[value] = whole + <float>(wanted - scale[whole]) / (scale[whole + 1] - scale[whole])


cdef Py_ssize_t check_numbers(str what, numbers, Py_ssize_t count) except -1:
    """Raise ValueError unless `numbers` holds a stage or phase below `count` for each number of empties up to 60."""
    if count > MAX_STAGES or len(numbers) != 61 or not all(0 <= number < count for number in numbers):
        raise ValueError(f"{what} {list(numbers)}: not 61 numbers below {min(count, MAX_STAGES)}")
    return count


cdef int check_factors(const int16_t[:, ::1] shift, const int8_t[::1] signs, const int16_t[:, ::1] scale) except -1:
    """Raise ValueError for shapes and numbers that Weights.set_factors() does not take."""
    cdef int empties, i, largest_shift = 0
    if shift.shape[0] != 61 or shift.shape[1] != CHANNELS or signs.shape[0] != CHANNELS:
        raise ValueError(
            f"factors' shift {shift.shape[0]} x {shift.shape[1]}, signs {signs.shape[0]}:"
            f" not 61 x {CHANNELS}, {CHANNELS}"
        )
    if signs[0] != 0 or not all(-1 <= sign <= 1 for sign in signs):
        raise ValueError(f"factors' signs {list(signs)}: not 0, then -1, 0 or 1")
    for empties in range(61):
        for i in range(CHANNELS):
            largest_shift = max(largest_shift, abs(<int>shift[empties, i]))
    if largest_shift > patterns.LARGEST_SHIFT:
        raise ValueError(f"factors' shift: not within {patterns.LARGEST_SHIFT}")
    if scale.shape[0] != 61 or scale.shape[1] != SCALE_END + 1:
        raise ValueError(f"factors' scale {scale.shape[0]} x {scale.shape[1]}: not 61 x {SCALE_END + 1}")
    for empties in range(61):
        for i in range(SCALE_END):
            if scale[empties, 0] != 0 or scale[empties, i] >= scale[empties, i + 1]:
                raise ValueError(f"factors' scale with {empties} empties: not rising from 0")
    return 0


cdef int check_rows(const int8_t[:, ::1] rows, Py_ssize_t phases, Py_ssize_t row_count, bint proven) except -1:
    """Raise ValueError for rows of another shape, or, unless `proven`, with numbers too large for sums in 8 bits."""
    cdef Py_ssize_t row
    cdef int i, largest = 0
    if rows.shape[0] != phases * row_count or rows.shape[1] != CHANNELS:
        raise ValueError(
            f"{rows.shape[0]} x {rows.shape[1]} factors: "
            f"{phases} phases of the patterns have {phases * row_count} x {CHANNELS}"
        )
    for row in range(0 if proven else rows.shape[0]):
        for i in range(CHANNELS):
            largest = max(largest, abs(<int>rows[row, i]))
    if largest > patterns.LARGEST_FACTOR:
        raise ValueError(f"factors up to {largest}: not within {patterns.LARGEST_FACTOR}")
    return 0


def weights_from_reduced(
    stage_of_empties, const int16_t[:, ::1] reduced, factors=None, bint proven=False
) -> Weights:
    """Return weights from tables in which mirrored states share an entry: int16, stages x reduced_index()'s count.

    The tables are not copied and must not change: Weights.prepare() reads them.  `factors`: None, or the arguments of
    set_factors().  `proven`: the rows were checked before.  Raises ValueError and MemoryError.
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
        weights.set_factors(*factors, proven=proven)
    return weights


cdef class Weights:
    """Weights of all stages in memory.  Immutable once a search uses them; searches may share them.

    `stage_of_empties`: 61 stage numbers, by number of empties.  `tables`: int16, stages x TABLE_SIZE (native byte
    order). Raises ValueError and MemoryError.
    """

    cdef const int16_t *by_empties[65]     # boards with fewer than four discs included: they use the first stage's
    cdef int16_t *memory                   # the full tables, stage after stage
    cdef int32_t size                      # entries of a full table
    cdef int32_t *numbers                  # which reduced weight each entry of a full table is; NULL: all are full
    cdef const int16_t[:, ::1] reduced
    cdef Factors factors                   # its memory is NULL where the file has none
    cdef int stage_of[65]
    cdef int states[MAX_STAGES]            # atomic: REDUCED or FULL
    cdef int8_t *move_order                # what lanes_order() adds up; NULL where none was set
    cdef const int8_t[:, ::1] reduced_rows      # those of the factors, phase after phase
    cdef int32_t *row_numbers              # which reduced row of its phase each full row is
    cdef int32_t row_count                 # reduced rows of a phase
    cdef int phase_of[65]
    cdef int phase_states[MAX_STAGES]      # atomic, as `states`

    def __init__(self, stage_of_empties, const int16_t[:, ::1] tables):
        if tables.shape[1] != patterns.TABLE_SIZE:
            raise ValueError(f"{tables.shape[1]} weights a stage: the patterns have {patterns.TABLE_SIZE}")
        cdef int stage
        self.allocate(stage_of_empties, tables.shape[0])
        for stage in range(tables.shape[0]):
            memcpy(self.table(stage), &tables[stage, 0], tables.shape[1] * sizeof(int16_t))
            self.finish(stage)

    cdef int allocate(self, stage_of_empties, Py_ssize_t stages) except -1:
        """Reserve address space for full tables.  Raises ValueError and MemoryError."""
        cdef int empties
        check_numbers("stages", stage_of_empties, stages)
        free(self.memory)
        self.size = patterns.TABLE_SIZE
        self.memory = <int16_t *>machine_allocate(<uint64_t>stages * self.size * sizeof(int16_t))
        if self.memory == NULL:
            raise MemoryError(f"no memory for {stages} x {self.size} weights")
        for empties in range(65):
            self.stage_of[empties] = stage_of_empties[min(empties, 60)]
            self.by_empties[empties] = NULL
        memset(self.states, 0, sizeof(self.states))
        return 0

    cdef int16_t *table(self, int stage) noexcept nogil:
        """Return where the full table of a stage begins."""
        return self.memory + <uint64_t>stage * self.size

    cdef void finish(self, int stage) noexcept nogil:
        """Publish an expanded table to all search threads."""
        cdef int empties
        for empties in range(65):
            if self.stage_of[empties] == stage:
                self.by_empties[empties] = self.table(stage)
        atomic_store_release(&self.states[stage], FULL)

    cdef void prepare(self, int least, int most) noexcept nogil:
        """Expand the tables and rows for boards of `least` to `most` empties, where that has not been done before.

        Call this before evaluating: stages not yet expanded are NULL.  Thread-safe.  A stage takes a quarter of a
        millisecond, a phase of the factors a whole one; expanding late keeps loading fast.
        """
        cdef int empties
        for empties in range(max(least, 0), min(most, 64) + 1):
            if not self.is_full(empties):
                pthread_mutex_lock(&expanding)
                self.fill(empties)
                pthread_mutex_unlock(&expanding)

    cdef bint is_full(self, int empties) noexcept nogil:
        """Return whether nothing is left to expand for so many empties."""
        return atomic_load_acquire(&self.states[self.stage_of[empties]]) == FULL and (
            self.factors.memory == NULL or atomic_load_acquire(&self.phase_states[self.phase_of[empties]]) == FULL
        )

    cdef void fill(self, int empties) noexcept nogil:
        """Expand what another thread has not expanded meanwhile.  Call with `expanding` held."""
        cdef int stage = self.stage_of[empties], phase = self.phase_of[empties]
        if self.states[stage] != FULL:
            self.expand(stage)
            self.finish(stage)
        if self.factors.memory != NULL and self.phase_states[phase] != FULL:
            self.expand_rows(phase)

    cdef void expand(self, int stage) noexcept nogil:
        """Write the full table of a stage: mirrored states get the weight that they share."""
        cdef int16_t *table = self.table(stage)
        cdef const int16_t *source = &self.reduced[stage, 0]
        cdef int32_t entry
        for entry in range(self.size):
            table[entry] = source[self.numbers[entry]]

    cdef void expand_rows(self, int phase) noexcept nogil:
        """Write the full rows of a phase, mirrored states those that they share, and publish them to all threads."""
        cdef uint8_t *rows = self.factors.memory + phase * ROWS_SIZE
        cdef uint8_t *row = rows
        cdef const int8_t *source
        cdef Py_ssize_t first = phase * self.row_count
        cdef int32_t number
        cdef int empties, i
        for number in range(FACTOR_ROWS):
            source = &self.reduced_rows[first + self.row_numbers[number], 0]
            for i in range(CHANNELS):
                row[i] = <uint8_t>(source[i] + ROW_BIAS)
            row += CHANNELS
        for empties in range(65):
            if self.phase_of[empties] == phase:
                self.factors.rows[empties] = rows
                for number in range(ODD_QUADRANTS):
                    source = &self.reduced_rows[first + self.row_numbers[LEAF_OFFSETS[QUADRANTS] + number], 0]
                    for i in range(CHANNELS):
                        self.factors.shift[empties][number][rows_place_of(i)] += source[i]
        atomic_store_release(&self.phase_states[phase], FULL)

    cdef const Factors *second_order(self) noexcept nogil:
        """Return the factors, or NULL where there are none."""
        return NULL if self.factors.memory == NULL else &self.factors

    def set_factors(
        self, phase_of_empties, const int8_t[:, ::1] rows, const int16_t[:, ::1] shift, const int8_t[::1] signs,
        const int16_t[:, ::1] scale, bint proven=False,
    ) -> None:
        """Set the pairwise factors and the output scale.  Call before any search uses these weights.

        The rows are not copied and must not change: prepare() reads them.

        phase_of_empties: 61 phase numbers, by number of empties.  rows: int8, factor_reduced_index()'s count for each
        phase x CHANNELS, within LARGEST_FACTOR.  shift: int16, 61 x CHANNELS, within LARGEST_SHIFT.  signs: int8,
        CHANNELS, each -1, 0 or 1, the first 0.  The rows of a position and the shift are summed by channel; the first
        sum counts in 1/16 disc, the square of each other one, with its sign, in 1/64 disc (S. Rendle, "Factorization
        Machines", 2010). scale: int16, 61 x 65, rising from 0: the value of sums of 0 to 64 discs, in 1/EVALUATION_UNIT
        disc; linear between them, constant beyond, odd about zero.  `proven`: the numbers of the rows were checked
        before.  Raises ValueError for other shapes or numbers, and MemoryError; the weights are then as before.
        """
        cdef uint8_t *memory
        cdef Py_ssize_t phases
        cdef int empties, quadrants, i
        check_factors(shift, signs, scale)
        phases = check_numbers("phases", phase_of_empties, max(phase_of_empties) + 1)
        if self.row_numbers == NULL:
            self.row_numbers = <int32_t *>calloc(FACTOR_ROWS, sizeof(int32_t))
            if self.row_numbers == NULL:
                raise MemoryError("no memory for the numbering of the factors")
            self.row_count = number_rows(self.row_numbers)
        check_rows(rows, phases, self.row_count, proven)
        memory = <uint8_t *>machine_allocate(phases * ROWS_SIZE)
        if memory == NULL:
            raise MemoryError(f"no memory for {phases} x {FACTOR_ROWS} x {CHANNELS} factors")
        free(self.factors.memory)
        self.factors.memory = memory
        self.reduced_rows = rows
        memset(self.phase_states, 0, sizeof(self.phase_states))
        for empties in range(65):
            self.phase_of[empties] = phase_of_empties[min(empties, 60)]
            self.factors.rows[empties] = NULL
            for quadrants in range(ODD_QUADRANTS):
                for i in range(CHANNELS):
                    self.factors.shift[empties][quadrants][rows_place_of(i)] = (
                        shift[min(empties, 60), i] - ROWS_OF_POSITION * ROW_BIAS
                    )
            memcpy(self.factors.scale[empties], &scale[min(empties, 60), 0], (SCALE_END + 1) * sizeof(int16_t))
            self.factors.scale[empties][SCALE_END + 1] = self.factors.scale[empties][SCALE_END]
            fill_sums(self.factors.sums[empties], self.factors.scale[empties])
        for i in range(CHANNELS):
            self.factors.signs[rows_place_of(i)] = signs[i]

    def set_move_order(self, const int8_t[::1] numbers) -> None:
        """Set what orders the moves of the endgame where static values cost too much.  Call as set_factors().

        numbers: int8, ORDER_SIZE, those of all states of each of ORDER_PATTERNS.  Their sum over all places, in
        1/ORDER_UNIT disc, tells positions apart as the static value does, but for the mobility.  Raises ValueError for
        another size, and MemoryError.
        """
        if numbers.shape[0] != patterns.ORDER_SIZE:
            raise ValueError(f"{numbers.shape[0]} numbers for the order of moves: expected {patterns.ORDER_SIZE}")
        if self.move_order == NULL:
            self.move_order = <int8_t *>machine_allocate(patterns.ORDER_SIZE)
            if self.move_order == NULL:
                raise MemoryError("no memory for the order of moves")
        memcpy(self.move_order, &numbers[0], patterns.ORDER_SIZE)

    def order_after(self, uint64_t mover, uint64_t opponent, int square) -> float:
        """Return the sum of the move order's numbers after a legal move, in discs from the next mover's view.

        Raises ValueError where none are set.
        """
        cdef int16_t features[LANES]
        if self.move_order == NULL:
            raise ValueError("these weights have no order of moves: call set_move_order()")
        indices_from_scratch(features, mover, opponent)
        return lanes_order(
            self.move_order, features, PLACED, square, bits_flips(square, mover, opponent)
        ) / <double>ORDER_UNIT

    def __dealloc__(self):
        free(self.move_order)
        free(self.factors.memory)
        free(self.row_numbers)
        free(self.memory)
        free(self.numbers)

    def evaluate(self, uint64_t mover, uint64_t opponent) -> float:
        """Return the static value in discs, mover's view, before the search rounds it."""
        cdef int16_t features[LANES]
        cdef int empties = 64 - bits_count(mover | opponent)
        self.prepare(empties, empties)
        indices_from_scratch(features, mover, opponent)
        return learned(
            self.by_empties[empties], self.second_order(), features, mover, opponent
        ) / <double>EVALUATION_UNIT

    def sum_of(self, int empties, int value) -> float:
        """Return the sum behind a static value in whole discs; without a scale it is the value itself.

        Raises ValueError for values beyond 64 or more than 60 empties.
        """
        if not (-SCALE_END <= value <= SCALE_END and 0 <= empties <= 60):
            raise ValueError(f"value {value} with {empties} empties: not within {SCALE_END}, 0 to 60")
        return sum_of(self.second_order(), empties, value)

    def value_of(self, int empties, double sum) -> float:
        """Return the value of a sum, both in discs; sums beyond 64 are returned as they are.

        Raises ValueError for more than 60 empties.
        """
        if not 0 <= empties <= 60:
            raise ValueError(f"{empties} empties: not 0 to 60")
        return value_of(self.second_order(), empties, sum)
