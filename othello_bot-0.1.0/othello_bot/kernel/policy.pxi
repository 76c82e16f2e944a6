"""How people play: the probability that a person of some rating plays each move.

Two small networks of the same form. The first adds up a vector for each pattern around a move; the second blends what
the first says with the scores of searches. In both, the moves see a summary of each other (mean and maximum) before
they are weighed. docs/policy.md tells how the numbers were fitted.
"""

cdef enum:
    WIDTH = 32                # numbers of a move's vector
    HIDDEN = 64
    STAGE_INPUTS = 13         # what is known of the position and the player; the tenth is 1
    PATTERN_FACTS = 7
    SCORE_FACTS = 18
    SCORE_DEPTHS = 3          # scores of each move: those of a search of 1, 3 and 5 plies
    BLEND_FACTS = HIDDEN + 1 + SCORE_FACTS
    SHARES = 2                # numbers of a row that are added at the end

# What brings the facts of a move to about the same size.
cdef float[PATTERN_FACTS] FACT_SCALES
FACT_SCALES[:] = [1.0 / 8, 1.0 / 8, 1.0 / 6, 1.0, 1.0 / 12, 0.5, 0.25]

cdef struct Network:
    int fact_count
    float *facts              # [fact_count][WIDTH]
    float *places             # [TRIANGLE][WIDTH]
    float *stage              # [STAGE_INPUTS][WIDTH]
    float *hidden             # [WIDTH][HIDDEN]
    float *context            # [2 * WIDTH][HIDDEN]
    float *hidden_stage       # [STAGE_INPUTS][HIDDEN]
    float *second             # [HIDDEN][HIDDEN]
    float *second_bias        # [HIDDEN]
    float *out                # [HIDDEN + WIDTH + fact_count]
    float *gates              # [SHARES][STAGE_INPUTS]
    float *heat               # [STAGE_INPUTS]

cdef struct Run:              # what a network works out for one position
    int count
    float stage[STAGE_INPUTS]
    float facts[MOST_MOVES][BLEND_FACTS]
    float shares[MOST_MOVES][SHARES]
    int places[MOST_MOVES]
    float vectors[MOST_MOVES][WIDTH]     # before the run: the sum of the patterns' rows
    float summary[2 * WIDTH]
    int largest[WIDTH]                   # which move has the maximum
    float first[MOST_MOVES][HIDDEN]
    float second[MOST_MOVES][HIDDEN]
    float hidden[MOST_MOVES][HIDDEN]
    float gates[SHARES]
    float heat
    float values[MOST_MOVES]             # logarithms of probabilities, but for a constant


cdef int network_size(int fact_count) noexcept nogil:
    """Return how many numbers a network has."""
    return (
        (fact_count + TRIANGLE + STAGE_INPUTS) * WIDTH
        + (3 * WIDTH + STAGE_INPUTS + HIDDEN + 1) * HIDDEN
        + HIDDEN + WIDTH + fact_count + (SHARES + 1) * STAGE_INPUTS
    )


cdef Network network_at(float *memory, int fact_count) noexcept nogil:
    """Return a network whose numbers lie in memory."""
    cdef Network network
    network.fact_count = fact_count
    network.facts = memory
    network.places = network.facts + fact_count * WIDTH
    network.stage = network.places + TRIANGLE * WIDTH
    network.hidden = network.stage + STAGE_INPUTS * WIDTH
    network.context = network.hidden + WIDTH * HIDDEN
    network.hidden_stage = network.context + 2 * WIDTH * HIDDEN
    network.second = network.hidden_stage + STAGE_INPUTS * HIDDEN
    network.second_bias = network.second + HIDDEN * HIDDEN
    network.out = network.second_bias + HIDDEN
    network.gates = network.out + HIDDEN + WIDTH + fact_count
    network.heat = network.gates + SHARES * STAGE_INPUTS
    return network


cdef inline void add_scaled(float *to, const float *values, float scale, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        to[i] += scale * values[i]


cdef inline void add_product(float *to, const float *inputs, const float *matrix, int rows, int columns) noexcept nogil:
    """Add inputs times matrix; inputs of 0 cost nothing."""
    cdef int i
    for i in range(rows):
        if inputs[i] != 0:
            add_scaled(to, matrix + i * columns, inputs[i], columns)


cdef inline float dot(const float *one, const float *other, int count) noexcept nogil:
    cdef float sums[8]
    cdef float total = 0
    cdef int i, lane
    for lane in range(8):
        sums[lane] = 0
    for i in range(0, count - 7, 8):
        for lane in range(8):
            sums[lane] += one[i + lane] * other[i + lane]
    for i in range(count & ~7, count):
        total += one[i] * other[i]
    for lane in range(8):
        total += sums[lane]
    return total


cdef inline void keep_positive(float *values, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        values[i] = values[i] if values[i] > 0 else 0


cdef void summarize(Run *run) noexcept nogil:
    """Write mean and maximum of the moves' vectors."""
    cdef int move, i
    memset(run.summary, 0, sizeof(run.summary))
    memset(run.largest, 0, sizeof(run.largest))
    for move in range(run.count):
        for i in range(WIDTH):
            run.summary[i] += run.vectors[move][i]
            if run.vectors[move][i] > run.summary[WIDTH + i]:
                run.summary[WIDTH + i] = run.vectors[move][i]
                run.largest[i] = move
    for i in range(WIDTH):
        run.summary[i] /= run.count


cdef void run_network(Network *network, Run *run) noexcept nogil:
    """Work out the values of all moves."""
    cdef float stage[WIDTH]
    cdef float context[HIDDEN]
    cdef int move, i
    cdef float *out = network.out
    memset(stage, 0, sizeof(stage))
    add_product(stage, run.stage, network.stage, STAGE_INPUTS, WIDTH)
    for move in range(run.count):
        add_scaled(run.vectors[move], stage, 1, WIDTH)
        add_scaled(run.vectors[move], network.places + run.places[move] * WIDTH, 1, WIDTH)
        add_product(run.vectors[move], run.facts[move], network.facts, network.fact_count, WIDTH)
        keep_positive(run.vectors[move], WIDTH)
    summarize(run)
    memset(context, 0, sizeof(context))
    add_product(context, run.stage, network.hidden_stage, STAGE_INPUTS, HIDDEN)
    add_product(context, run.summary, network.context, 2 * WIDTH, HIDDEN)
    for i in range(SHARES):
        run.gates[i] = dot(run.stage, network.gates + i * STAGE_INPUTS, STAGE_INPUTS)
    run.heat = expf(dot(run.stage, network.heat, STAGE_INPUTS))
    for move in range(run.count):
        memcpy(run.first[move], context, sizeof(context))
        add_product(run.first[move], run.vectors[move], network.hidden, WIDTH, HIDDEN)
        keep_positive(run.first[move], HIDDEN)
        memcpy(run.second[move], network.second_bias, sizeof(context))
        add_product(run.second[move], run.first[move], network.second, HIDDEN, HIDDEN)
        keep_positive(run.second[move], HIDDEN)
        for i in range(HIDDEN):
            run.hidden[move][i] = run.first[move][i] + run.second[move][i]
        run.values[move] = run.heat * (
            dot(run.hidden[move], out, HIDDEN)
            + dot(run.vectors[move], out + HIDDEN, WIDTH)
            + dot(run.facts[move], out + HIDDEN + WIDTH, network.fact_count)
            + run.gates[0] * run.shares[move][0] + run.gates[1] * run.shares[move][1]
        )


cdef void to_logarithms(float *values, int count) noexcept nogil:
    """Make values the logarithms of probabilities: those whose exponentials add up to 1."""
    cdef float largest = values[0], total = 0
    cdef int i
    for i in range(1, count):
        if values[i] > largest:
            largest = values[i]
    for i in range(count):
        total += expf(values[i] - largest)
    largest += logf(total)
    for i in range(count):
        values[i] -= largest


cdef void write_stage(float *inputs, const int32_t *stage, float rating) noexcept nogil:
    """Write what is known of a position and a player, whose rating is not a number if it is unknown."""
    cdef float strength = 0
    cdef float empties = <float>stage[0] / 60
    memset(inputs, 0, STAGE_INPUTS * sizeof(float))
    if rating == rating:
        strength = (rating - 1500) / 400
        strength = -2.5 if strength < -2.5 else 2.5 if strength > 2.5 else strength
    else:
        inputs[2] = 1
    inputs[0], inputs[1], inputs[8] = strength, strength * strength, strength * empties
    inputs[3], inputs[4], inputs[5] = empties, empties * empties, stage[0] & 1
    inputs[6] = <float>(stage[1] - stage[2]) / 10
    inputs[7] = <float>stage[3] / 20
    inputs[9] = 1


cdef void write_score_facts(Run *run, const int8_t[:, ::1] scores, const Seen *seen) noexcept nogil:
    """Write what the scores of searches say of each move; `scores` has a row a depth and a column a square."""
    cdef int depth, move, score, best, second, gap
    cdef float loss
    cdef float *facts
    cdef int last_best = 0
    for depth in range(SCORE_DEPTHS - 1, -1, -1):
        best, second = -65, -65
        for move in range(run.count):
            score = scores[depth, seen[move].square]
            best = score if score > best else best
        for move in range(run.count):
            score = scores[depth, seen[move].square]
            second = score if second < score < best else second
        gap = 0 if second == -65 else best - second
        gap = 20 if gap > 20 else gap
        if depth == SCORE_DEPTHS - 1:
            last_best = best
        run.stage[10 + depth] = <float>best / 24
        for move in range(run.count):
            facts = run.facts[move] + HIDDEN + 1 + 6 * depth
            score = scores[depth, seen[move].square]
            loss = score - best
            facts[0] = (loss if loss > -24 else -24) / 8
            facts[1], facts[2] = expf(loss / 1.5), expf(loss / 5)
            facts[3] = loss == 0
            facts[4] = <float>gap / 6 if loss == 0 else 0
            loss = score - last_best
            facts[5] = expf((loss if loss < 6 else 6) / 3)


cdef class PolicyModel:
    """A fitted model: tables of the patterns' rows and the numbers of both networks.

    `kept` holds the patterns' rows (see `seen_rows`) that have numbers of their own, those with vectors first, `boards`
    the hashes of whole boards, both rising. `vectors` has a row for those that are not kept, and then one for each;
    `shares` likewise, the boards' last. All arrays are used as they are, not copied.
    """

    cdef int32_t *numbers
    cdef int32_t board_start
    cdef const uint32_t[::1] boards
    cdef float[:, ::1] vectors
    cdef float[:, ::1] shares
    cdef float[::1] weights
    cdef Network pattern_network
    cdef Network blend_network

    def __cinit__(self) -> None:
        self.numbers = NULL

    def __init__(
        self,
        const int32_t[::1] kept,
        const uint32_t[::1] boards,
        float[:, ::1] vectors,
        float[:, ::1] shares,
        float[::1] weights,
    ) -> None:
        cdef Py_ssize_t row
        cdef int32_t vector_number = 0, share_number = 0
        if self.numbers == NULL:
            self.numbers = <int32_t *>calloc(SEEN_ALL_ROWS, sizeof(int32_t))
        if self.numbers == NULL:
            raise MemoryError("no memory for the policy")
        for row in range(kept.shape[0]):
            if not (kept[row - 1] if row else -1) < kept[row] < SEEN_ALL_ROWS:
                raise ValueError(f"row {row} of the policy is {kept[row]}: not rising below {SEEN_ALL_ROWS}")
            if kept[row] < SEEN_VECTOR_ROWS:
                vector_number += 1
                self.numbers[kept[row]] = vector_number
            else:
                share_number += 1
                self.numbers[kept[row]] = share_number
        self.board_start = share_number + 1
        if vectors.shape[0] != vector_number + 1 or vectors.shape[1] != WIDTH:
            raise ValueError(f"{vectors.shape[0]} x {vectors.shape[1]} vectors: not {vector_number + 1} x {WIDTH}")
        if shares.shape[0] != self.board_start + boards.shape[0] or shares.shape[1] != SHARES:
            raise ValueError(f"{shares.shape[0]} shares: not {self.board_start + boards.shape[0]}")
        if weights.shape[0] != policy_sizes()['networks']:
            raise ValueError(f"{weights.shape[0]} numbers: not {policy_sizes()['networks']}")
        self.boards, self.vectors, self.shares, self.weights = boards, vectors, shares, weights
        self.pattern_network = network_at(&weights[0], PATTERN_FACTS)
        self.blend_network = network_at(&weights[0] + network_size(PATTERN_FACTS), BLEND_FACTS)

    def __dealloc__(self) -> None:
        free(self.numbers)

    cdef int32_t board_row(self, uint64_t board) noexcept nogil:
        """Return the row of `shares` for a board's hash, 0 if it has none."""
        cdef Py_ssize_t low = 0, high = self.boards.shape[0], middle
        if board == 0:
            return 0
        while low < high:
            middle = (low + high) // 2
            if self.boards[middle] < <uint32_t>board:
                low = middle + 1
            else:
                high = middle
        if low < self.boards.shape[0] and self.boards[low] == <uint32_t>board:
            return self.board_start + <int32_t>low
        return 0

    cdef void number_rows(self, Seen *seen, int count) noexcept nogil:
        """Replace the rows of each move by their numbers in `vectors` and `shares`."""
        cdef int move, i
        for move in range(count):
            for i in range(SEEN_PATTERNS + 1):
                seen[move].rows[i] = self.numbers[seen[move].rows[i]]
            seen[move].rows[SEEN_PATTERNS + 1] = self.board_row(seen[move].board)

    cdef void run_patterns(self, Run *run, Seen *seen, const int32_t *stage, float rating) noexcept nogil:
        """Run the network of the patterns for a position whose rows have been numbered."""
        cdef int move, i
        write_stage(run.stage, stage, rating)
        memset(run.vectors, 0, run.count * WIDTH * sizeof(float))
        memset(run.shares, 0, sizeof(run.shares))
        for move in range(run.count):
            run.places[move] = seen[move].place
            for i in range(SEEN_SHAPES):
                if seen[move].rows[i]:
                    add_scaled(run.vectors[move], &self.vectors[seen[move].rows[i], 0], 1, WIDTH)
            for i in range(SEEN_SHAPES, SEEN_ROWS):
                run.shares[move][0] += self.shares[seen[move].rows[i], 0]
                run.shares[move][1] += self.shares[seen[move].rows[i], 1]
            for i in range(SEEN_FACTS):
                run.facts[move][i] = seen[move].facts[i] * FACT_SCALES[i]
        run_network(&self.pattern_network, run)
        to_logarithms(run.values, run.count)

    cdef void run_blend(self, Run *run, const Run *patterns, const int8_t[:, ::1] scores, Seen *seen) noexcept nogil:
        """Run the network that blends what the patterns' network said with scores of searches."""
        cdef int move, i
        cdef float value
        run.count = patterns.count
        memcpy(run.stage, patterns.stage, sizeof(run.stage))
        memset(run.vectors, 0, run.count * WIDTH * sizeof(float))
        for move in range(run.count):
            run.places[move] = seen[move].place
            memcpy(run.facts[move], patterns.hidden[move], HIDDEN * sizeof(float))
            value = patterns.values[move]
            value = value if value > -12 else -12
            run.facts[move][HIDDEN] = value / 4
            run.shares[move][0], run.shares[move][1] = value, 0
        write_score_facts(run, scores, seen)
        run_network(&self.blend_network, run)
        to_logarithms(run.values, run.count)

    def probabilities(
        self, uint64_t mover, uint64_t opponent, int last, float rating, const int8_t[:, ::1] scores=None
    ) -> list[float]:
        """Return the probability of each legal move, in the order of squares.

        `last` is the square of the last move, 64 for none, `rating` not a number if unknown. `scores` has a row for
        each of the searches' depths and a column for each square; without it the model tells what people see at a
        glance.
        """
        cdef Seen seen[MOST_MOVES]
        cdef Run patterns, blend
        cdef int32_t stage[SEEN_STAGE]
        cdef int i
        if not 0 <= last <= 64:
            raise ValueError(f"last move {last}: not one of 0 to 64")
        patterns.count = see_moves(seen, stage, mover, opponent, last)
        if patterns.count == 0:
            return []
        self.number_rows(seen, patterns.count)
        self.run_patterns(&patterns, seen, stage, rating)
        if scores is None:
            return [expf(patterns.values[i]) for i in range(patterns.count)]
        self.run_blend(&blend, &patterns, scores, seen)
        return [expf(blend.values[i]) for i in range(blend.count)]


def spread_columns(const uint8_t[::1] columns, int count, float scale) -> memoryview:
    """Return signed bytes, one column after the other, times a scale, as a table of rows."""
    cdef Py_ssize_t rows = columns.shape[0] // count, row
    cdef int column
    cdef float[:, ::1] spread
    table = memoryview(bytearray(4 * rows * count)).cast("f", (rows, count))
    spread = table
    for column in range(count):
        for row in range(rows):
            spread[row, column] = scale * <int8_t>columns[column * rows + row]
    return table


def policy_sizes() -> dict[str, int]:
    """Return how large a model's tables are.

    Of all `rows` of patterns, the first `vector_rows` have vectors of `width` numbers, the others `shares` numbers;
    `networks`: the numbers of both networks.
    """
    numbers = network_size(PATTERN_FACTS) + network_size(BLEND_FACTS)
    return {
        "vector_rows": SEEN_VECTOR_ROWS, "rows": SEEN_ALL_ROWS, "width": WIDTH, "shares": SHARES, "networks": numbers,
    }
