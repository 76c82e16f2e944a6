"""Multi-ProbCut: null windows that a shallower search decides.

(M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function", 1997.)
"""

cdef enum:
    # A shallower search is spent where the static value lies no further than this on the wrong side of what it needs,
    # in hundredths of the standard deviation of their difference: further off, it rarely cuts.  Games chose it.
    HIGHEST_DOUBT = 50
    # Times the margin above and below the window, in hundredths.  Nine of ten nodes that are asked fail high, so a
    # shallower score above is wrong far less often than one below.  Games chose both.
    HIGH_WIDTH = 80
    LOW_WIDTH = 120
    # For searches of two plies the static value takes the place of the shallower search, with this times the margin, in
    # hundredths.  Games chose it.
    STATIC_WIDTH = 150


cdef inline int shallow_depth(int depth) noexcept nogil:
    """Return the depth of the search that is made instead of one of `depth` plies: about half, of the same parity."""
    cdef int shallow = 2 * (depth // 4) + (depth & 1)
    if shallow >= depth:
        shallow -= 2
    return shallow if shallow < DEEPEST_SHALLOW else DEEPEST_SHALLOW


cdef inline bint shallow_fails_high(Worker *worker, const Node *node, int bound, int depth) noexcept nogil:
    """Return whether a search of a node by `depth` plies scores at least `bound`."""
    cdef int score
    worker.probcut_level += 1
    score = search(
        worker, node.ply, node.mover, node.opponent, node.key, bound - 1, bound, depth, node.selectivity_index
    )
    worker.probcut_level -= 1
    return score >= bound


cdef inline bint static_value_decides(Worker *worker, const Node *node, int *score) noexcept nogil:
    """Return whether the static value decides a node with a null window, with the bound it proves in *score."""
    cdef int empties = node.empties, leaf_empties = empties - node.depth
    cdef double margin, static_sum
    cdef bint fails_high
    if empties > 60 or worker.sigmas == NULL:     # fewer than four discs: no model
        return False
    margin = STATIC_WIDTH / 100.0 * QUANTILE[node.selectivity_index] * worker.sigmas.of[empties][node.depth][0]
    static_sum = sum_of(worker.factors, empties, evaluate(worker, node.ply, node.mover, node.opponent, node.key))
    fails_high = static_sum >= sum_of(worker.factors, leaf_empties, node.alpha + 1) + margin
    score[0] = node.alpha + fails_high
    return fails_high or static_sum <= sum_of(worker.factors, leaf_empties, node.alpha) - margin


cdef bint probcut(Worker *worker, const Node *node, int *score) noexcept nogil:
    """Return whether a shallower search decides a node with a null window, with the bound it proves in *score.

    The shallower score must lie about QUANTILE[selectivity_index] standard deviations of the difference between both
    depths outside of the window (HIGH_WIDTH, LOW_WIDTH); training measures that difference on this program's own
    searches.  A search is spent only where the static value makes a cut-off likely (HIGHEST_DOUBT).  All values are
    compared as sums, before their scale, because the scale depends on the number of empties at the leaves; the score
    of a finished game has none.  Near the ends of the scale the shallower score cannot lie that far outside: the
    highest that static values reach is enough there.
    """
    cdef int alpha = node.alpha, empties = node.empties, leaf_empties = empties - node.depth
    cdef int shallow = shallow_depth(node.depth), bound, highest, highest_shallow
    cdef double margin, above, below, doubt, static_sum, needed
    if shallow < 0 or empties > 60 or worker.sigmas == NULL:     # fewer than four discs: no model
        return False
    margin = QUANTILE[node.selectivity_index] * worker.sigmas.of[empties][node.depth][shallow]
    margin *= PROBCUT_END_WIDTH if leaf_empties == 0 else PROBCUT_WIDTH
    if margin >= SCALE_END:     # a model without a clue
        return False
    above = HIGH_WIDTH / 100.0 * margin
    below = LOW_WIDTH / 100.0 * margin
    # In standard deviations of the shallow score from the static value.
    doubt = HIGHEST_DOUBT / 100.0 * PROBCUT_DOUBT * worker.sigmas.of[empties][shallow][0]
    static_sum = sum_of(worker.factors, empties, evaluate(worker, node.ply, node.mover, node.opponent, node.key))
    highest = EVALUATION_LIMIT if leaf_empties == 0 else highest_value(worker.factors, leaf_empties)
    highest_shallow = highest_value(worker.factors, empties - shallow)

    needed = (alpha + 1 if leaf_empties == 0 else sum_of(worker.factors, leaf_empties, alpha + 1)) + above
    bound = <int>(value_of(worker.factors, empties - shallow, needed) + 64 + 0.999) - 64
    if bound > highest_shallow and alpha < highest:
        bound = highest_shallow
        needed = sum_of(worker.factors, empties - shallow, bound)
    if bound < 64 and static_sum >= needed - doubt:
        if shallow_fails_high(worker, node, bound, shallow):
            score[0] = alpha + 1
            return True

    needed = (alpha if leaf_empties == 0 else sum_of(worker.factors, leaf_empties, alpha)) - below
    bound = <int>(value_of(worker.factors, empties - shallow, needed) + 64) - 64
    if bound < -highest_shallow and alpha >= -highest:
        bound = -highest_shallow
        needed = sum_of(worker.factors, empties - shallow, bound)
    if bound > -64 and static_sum <= needed + doubt:
        if not shallow_fails_high(worker, node, bound + 1, shallow):
            score[0] = alpha
            return True
    return False
