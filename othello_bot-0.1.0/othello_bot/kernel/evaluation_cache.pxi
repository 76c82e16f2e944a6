"""The evaluation cache: the static values of positions that a search has met before.

Nearly half of all values are known when a search asks for them: the moves of a node are put in order by them, the same
positions are evaluated again when they are searched, the next iteration puts them in order once more, and different
orders of the same moves lead to the same position.  Each worker has a cache of its own, small enough for the second
level of the processor's.  A value depends on the position alone: the cache changes the time of a search and nothing
else.

An entry is one word: the lower 48 bits of the position's key, and the value in 16 bits.  The key's upper bits choose
the place.  Two positions share all 64 bits once in some hundred years of searching.
"""

cdef enum:
    PLACE_BITS = 15      # 32,768 entries, 256 KiB
    VALUES_BYTES = 8 << PLACE_BITS
    VALUE_BITS = 16
    RESULT_BITS = 14     # the same for results, 128 KiB
    RESULTS_BYTES = 8 << RESULT_BITS
    RESULT_DEPTH = 2     # of the searches whose results are kept
    # Workers that share their results: two threads search 3 % fewer nodes so.  With many, each would mostly find its
    # lines of the cache in another core's.
    RESULT_SHARERS = 4


cdef inline void clear_values(Worker *worker) noexcept nogil:
    """Forget all values of a worker: those of other weights mean nothing."""
    memset(worker.values, 0, VALUES_BYTES)


cdef inline void clear_results(Worker *worker) noexcept nogil:
    """Forget all results and replies of a worker: an earlier search would change the nodes of the next one."""
    memset(worker.replies, 0, sizeof(worker.replies))
    memset(worker.replies_to_two, 0, sizeof(worker.replies_to_two))
    if worker.has_results:
        memset(worker.results, 0, RESULTS_BYTES)
        worker.has_results = False


cdef inline uint64_t *result_of(Worker *worker, uint64_t key) noexcept nogil:
    """Return the place of a position's result."""
    return worker.results + (key >> 64 - RESULT_BITS)


cdef inline bint is_entry_of(uint64_t entry, uint64_t key) noexcept nogil:
    """Return whether an entry is that of a position."""
    return entry >> VALUE_BITS == key << VALUE_BITS >> VALUE_BITS


cdef inline bint result_decides(uint64_t *place, uint64_t key, int alpha, int *score) noexcept nogil:
    """Return whether an entry is a position's and decides the window alpha, alpha + 1, with the bound in *score."""
    cdef uint64_t entry = atomic_load64(place)
    if not is_entry_of(entry, key):
        return False
    score[0] = lower_of(entry)
    if score[0] > alpha:
        return True
    score[0] = upper_of(entry)
    return score[0] <= alpha


cdef inline void remember_result(Worker *worker, uint64_t *place, uint64_t key, int alpha, int score) noexcept nogil:
    """Keep what a search of the window alpha, alpha + 1 found, beside the other bound of the same position."""
    cdef int lower = score if score > alpha else -64, upper = 64 if score > alpha else score
    cdef uint64_t entry = atomic_load64(place)
    if is_entry_of(entry, key):
        if score > alpha:
            upper = max(score, upper_of(entry))
        else:
            lower = min(score, lower_of(entry))
    atomic_store64(place, key << VALUE_BITS | <uint64_t>(upper + 64) << 8 | <uint64_t>(lower + 64))
    worker.has_results = True


cdef inline uint64_t *place_of(Worker *worker, uint64_t key) noexcept nogil:
    """Return the place of a position's entry."""
    return worker.values + (key >> 64 - PLACE_BITS)


cdef inline void prefetch_value(Worker *worker, uint64_t key) noexcept nogil:
    """Bring the entry of a position near, which will be asked for soon."""
    machine_prefetch(place_of(worker, key))


cdef inline bint is_known(const uint64_t *place, uint64_t key, int *value) noexcept nogil:
    """Return whether an entry is that of a position, with its value in *value."""
    value[0] = <int16_t>place[0]
    return is_entry_of(place[0], key)


cdef inline void remember(uint64_t *place, uint64_t key, int value) noexcept nogil:
    """Keep a value, unless it is too large for an entry: a file without factors may have such values."""
    if value == <int16_t>value:
        place[0] = key << VALUE_BITS | <uint64_t>value & (1 << VALUE_BITS) - 1


cdef inline int value_fine(Worker *worker, int ply, uint64_t mover, uint64_t opponent, uint64_t key) noexcept nogil:
    """Return the static value of the position at `ply`, in 1/EVALUATION_UNIT disc."""
    cdef uint64_t *place
    cdef int value
    if worker.weights == NULL:
        return evaluate_fine(worker, ply, mover, opponent)
    place = place_of(worker, key)
    if not is_known(place, key, &value):
        value = evaluate_fine(worker, ply, mover, opponent)
        remember(place, key, value)
    return value


cdef inline int value_fine_after(
    Worker *worker, int ply, int square, uint64_t flips, uint64_t next_mover, uint64_t next_opponent, uint64_t next_key
) noexcept nogil:
    """Return the static value after a move at `ply`, from its opponent's view, in 1/EVALUATION_UNIT disc.

    The indices of the next ply are worked out only where they are needed for that.
    """
    cdef uint64_t *place
    cdef int value
    if worker.weights == NULL:
        return evaluate_fine(worker, ply + 1, next_mover, next_opponent)
    place = place_of(worker, next_key)
    if not is_known(place, next_key, &value):
        update(worker, ply, square, flips)
        value = evaluate_fine(worker, ply + 1, next_mover, next_opponent)
        remember(place, next_key, value)
    return value


cdef inline int evaluate(Worker *worker, int ply, uint64_t mover, uint64_t opponent, uint64_t key) noexcept nogil:
    """Return the static value of the position at `ply` in whole discs."""
    return whole_discs(value_fine(worker, ply, mover, opponent, key))


cdef inline int evaluate_after(
    Worker *worker, int ply, int square, uint64_t flips, uint64_t next_mover, uint64_t next_opponent, uint64_t next_key
) noexcept nogil:
    """Return the static value after a move at `ply` in whole discs, from its opponent's view."""
    return whole_discs(value_fine_after(worker, ply, square, flips, next_mover, next_opponent, next_key))
