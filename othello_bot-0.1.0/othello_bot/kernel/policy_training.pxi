"""Fitting the policy, for training: the gradient of its loss, and what it says of many positions at once."""

cdef void transpose(float *to, const float *matrix, int rows, int columns) noexcept nogil:
    cdef int i, j
    for i in range(rows):
        for j in range(columns):
            to[j * rows + i] = matrix[i * columns + j]


cdef void keep_where_positive(float *values, const float *other, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        values[i] = values[i] if other[i] > 0 else 0


cdef void add_outer(float *to, const float *one, const float *other, int rows, int columns) noexcept nogil:
    cdef int i
    for i in range(rows):
        if one[i] != 0:
            add_scaled(to + i * columns, other, one[i], columns)


cdef class PolicyTraining:
    """Gradients and moments of a model whose arrays it changes. With `blends` it fits the second network alone."""

    cdef PolicyModel model
    cdef bint blends
    cdef float[:, ::1] vectors        # gradients of the model's arrays
    cdef float[:, ::1] shares
    cdef float[::1] weights
    cdef Network gradient
    cdef float[::1] turned            # the network's matrices, transposed
    cdef float d_vectors[MOST_MOVES][WIDTH]

    def __init__(
        self, PolicyModel model, bint blends, float[:, ::1] vectors, float[:, ::1] shares, float[::1] weights,
        float[::1] turned
    ) -> None:
        self.model, self.blends = model, blends
        self.vectors, self.shares, self.weights, self.turned = vectors, shares, weights, turned
        if blends:
            self.gradient = network_at(&weights[0] + network_size(PATTERN_FACTS), BLEND_FACTS)
        else:
            self.gradient = network_at(&weights[0], PATTERN_FACTS)

    cdef Network *network(self) noexcept nogil:
        return &self.model.blend_network if self.blends else &self.model.pattern_network

    cdef void turn(self) noexcept nogil:
        """Transpose the matrices that the gradient goes through."""
        cdef Network *network = self.network()
        transpose(&self.turned[0], network.hidden, WIDTH, HIDDEN)
        transpose(&self.turned[WIDTH * HIDDEN], network.second, HIDDEN, HIDDEN)
        transpose(&self.turned[(WIDTH + HIDDEN) * HIDDEN], network.context, 2 * WIDTH, HIDDEN)

    cdef void add_gradient(self, Run *run, const float *d_values) noexcept nogil:
        """Add the gradient of a position's loss, given that of its values; leave that of the vectors."""
        cdef Network *network = self.network()
        cdef Network *gradient = &self.gradient
        cdef float d_context[HIDDEN]
        cdef float d_summary[2 * WIDTH]
        cdef float d_hidden[HIDDEN]
        cdef float d_second[HIDDEN]
        cdef float d_stage[WIDTH]
        cdef float d
        cdef float d_heat = 0
        cdef int move, i
        memset(d_context, 0, sizeof(d_context))
        memset(d_summary, 0, sizeof(d_summary))
        memset(d_stage, 0, sizeof(d_stage))
        for move in range(run.count):
            d_heat += d_values[move] * run.values[move]
            d = d_values[move] * run.heat
            for i in range(SHARES):
                add_scaled(gradient.gates + i * STAGE_INPUTS, run.stage, d * run.shares[move][i], STAGE_INPUTS)
            add_scaled(gradient.out, run.hidden[move], d, HIDDEN)
            add_scaled(gradient.out + HIDDEN, run.vectors[move], d, WIDTH)
            add_scaled(gradient.out + HIDDEN + WIDTH, run.facts[move], d, network.fact_count)
            memset(d_hidden, 0, sizeof(d_hidden))
            memset(self.d_vectors[move], 0, sizeof(self.d_vectors[move]))
            add_scaled(d_hidden, network.out, d, HIDDEN)
            add_scaled(self.d_vectors[move], network.out + HIDDEN, d, WIDTH)
            memcpy(d_second, d_hidden, sizeof(d_second))
            keep_where_positive(d_second, run.second[move], HIDDEN)
            add_scaled(gradient.second_bias, d_second, 1, HIDDEN)
            add_outer(gradient.second, run.first[move], d_second, HIDDEN, HIDDEN)
            add_product(d_hidden, d_second, &self.turned[WIDTH * HIDDEN], HIDDEN, HIDDEN)
            keep_where_positive(d_hidden, run.first[move], HIDDEN)
            add_scaled(d_context, d_hidden, 1, HIDDEN)
            add_outer(gradient.hidden, run.vectors[move], d_hidden, WIDTH, HIDDEN)
            add_product(self.d_vectors[move], d_hidden, &self.turned[0], HIDDEN, WIDTH)
        add_scaled(gradient.heat, run.stage, d_heat, STAGE_INPUTS)
        add_outer(gradient.context, run.summary, d_context, 2 * WIDTH, HIDDEN)
        add_outer(gradient.hidden_stage, run.stage, d_context, STAGE_INPUTS, HIDDEN)
        add_product(d_summary, d_context, &self.turned[(WIDTH + HIDDEN) * HIDDEN], HIDDEN, 2 * WIDTH)
        for i in range(WIDTH):
            self.d_vectors[run.largest[i]][i] += d_summary[WIDTH + i]
        for move in range(run.count):
            add_scaled(self.d_vectors[move], d_summary, 1.0 / <float>run.count, WIDTH)
            keep_where_positive(self.d_vectors[move], run.vectors[move], WIDTH)
            add_scaled(d_stage, self.d_vectors[move], 1, WIDTH)
            add_scaled(gradient.places + run.places[move] * WIDTH, self.d_vectors[move], 1, WIDTH)
            add_outer(gradient.facts, run.facts[move], self.d_vectors[move], network.fact_count, WIDTH)
        add_outer(gradient.stage, run.stage, d_stage, STAGE_INPUTS, WIDTH)

    cdef void add_rows(self, Run *run, const Seen *seen, const float *d_values) noexcept nogil:
        """Add the gradient of the patterns' rows."""
        cdef int move, i, j
        for move in range(run.count):
            for i in range(SEEN_SHAPES):
                if seen[move].rows[i]:
                    add_scaled(&self.vectors[seen[move].rows[i], 0], self.d_vectors[move], 1, WIDTH)
            for i in range(SEEN_SHAPES, SEEN_ROWS):
                if seen[move].rows[i]:
                    for j in range(SHARES):
                        self.shares[seen[move].rows[i], j] += d_values[move] * run.heat * run.gates[j]

    def add(
        self,
        const uint64_t[::1] movers,
        const uint64_t[::1] opponents,
        const uint8_t[::1] lasts,
        const uint8_t[::1] moves,
        const float[::1] ratings,
        const int8_t[:, :, ::1] scores=None,
    ) -> float:
        """Add the gradient of positions in which people played `moves`; return the sum of their losses, in nats."""
        cdef Seen seen[MOST_MOVES]
        cdef Run patterns, blend
        cdef Run *run = &blend if self.blends else &patterns
        cdef int32_t stage[SEEN_STAGE]
        cdef float d_values[MOST_MOVES]
        cdef Py_ssize_t position
        cdef double total = 0
        cdef int move
        self.turn()
        for position in range(movers.shape[0]):
            patterns.count = see_moves(seen, stage, movers[position], opponents[position], lasts[position])
            self.model.number_rows(seen, patterns.count)
            self.model.run_patterns(&patterns, seen, stage, ratings[position])
            if self.blends:
                self.model.run_blend(&blend, &patterns, scores[position], seen)
            for move in range(run.count):
                d_values[move] = expf(run.values[move])
                if seen[move].square == moves[position]:
                    d_values[move] -= 1
                    total -= run.values[move]
            self.add_gradient(run, d_values)
            if not self.blends:
                self.add_rows(run, seen, d_values)
        return total


def policy_logarithms(
    PolicyModel model,
    const uint64_t[::1] movers,
    const uint64_t[::1] opponents,
    const uint8_t[::1] lasts,
    const float[::1] ratings,
    float[:, ::1] logarithms,
    const int8_t[:, :, ::1] scores=None,
) -> None:
    """Write the logarithms of the probabilities, a row a position and a column a square; -99 for illegal moves."""
    cdef Seen seen[MOST_MOVES]
    cdef Run patterns, blend
    cdef Run *run = &patterns
    cdef int32_t stage[SEEN_STAGE]
    cdef Py_ssize_t position
    cdef int move
    cdef bint blends = scores is not None
    with nogil:
        for position in range(movers.shape[0]):
            logarithms[position, :] = -99
            patterns.count = see_moves(seen, stage, movers[position], opponents[position], lasts[position])
            if patterns.count == 0:
                continue
            model.number_rows(seen, patterns.count)
            model.run_patterns(&patterns, seen, stage, ratings[position])
            if blends:
                model.run_blend(&blend, &patterns, scores[position], seen)
                run = &blend
            for move in range(run.count):
                logarithms[position, seen[move].square] = run.values[move]


def seen_rows(
    const uint64_t[::1] movers,
    const uint64_t[::1] opponents,
    const uint8_t[::1] lasts,
    int32_t[:, ::1] rows,
    uint32_t[::1] boards,
) -> int:
    """Write the patterns' rows and the board's hash (0: none) of all moves of positions; return the number of moves."""
    cdef Seen seen[MOST_MOVES]
    cdef int32_t stage[SEEN_STAGE]
    cdef Py_ssize_t position, total = 0
    cdef int count, move, i
    for position in range(movers.shape[0]):
        count = see_moves(seen, stage, movers[position], opponents[position], lasts[position])
        if total + count > rows.shape[0] or total + count > boards.shape[0]:
            raise ValueError(f"{rows.shape[0]} rows: too few for all moves")
        for move in range(count):
            boards[total] = <uint32_t>seen[move].board
            for i in range(SEEN_PATTERNS + 1):
                rows[total, i] = seen[move].rows[i]
            total += 1
    return total
