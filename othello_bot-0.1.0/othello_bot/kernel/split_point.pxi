"""Split points: nodes whose remaining moves any worker without work of its own may take.

Young brothers wait (R. Feldmann, "Game tree search on massively parallel systems", 1993): a node is split only after
its first move has been searched, or at once where it should fail low.  Every node large enough becomes a split point
then, whether or not a worker is idle: a worker that falls idle later joins the largest open node, where its work lasts
longest.  While an owner waits for the helpers at its node it helps below that node, and nowhere else, or it would be
late when they are ready.

A worker whose move has to exceed a bound that another worker raises meanwhile, here or at a node above, stops and asks
for the new bound: a higher bound is cheaper to refute, and after one good move the others mostly fail low.
"""

cdef enum:
    # Smaller nodes are over within some ten microseconds: helpers would come too late.
    SPLIT_DEPTH = 5           # least depth of a midgame node that is worth a split
    SPLIT_EMPTIES = 16        # the same in the endgame


cdef inline bint worth_splitting(Worker *worker, const Node *node) noexcept nogil:
    """Return whether there are helpers and the node is large enough for them."""
    return worker.pool != NULL and node.depth >= (SPLIT_EMPTIES if node.depth == node.empties else SPLIT_DEPTH)


cdef extern from "<sched.h>" nogil:
    int sched_yield()

cdef enum:
    SPINS = 4096              # pauses of a worker without work before it offers the processor to others: about 0.1 ms


cdef inline void acquire(int *lock) noexcept nogil:
    while not atomic_swap_if(lock, 0, 1):
        machine_pause()


cdef inline void release(int *lock) noexcept nogil:
    atomic_store_release(lock, 0)


cdef inline int lower_bound(const SplitPoint *split_point) noexcept nogil:
    """Return the score that the next move has to exceed."""
    cdef int best = atomic_load(&split_point.best)
    return best if best > split_point.node.alpha else split_point.node.alpha


cdef inline bint failed_high(const SplitPoint *split_point) noexcept nogil:
    """Return whether a move has reached beta."""
    return atomic_load(&split_point.best) >= split_point.node.beta


cdef inline bint in_vain(const SplitPoint *split_point, int asked) noexcept nogil:
    """Return whether a worker that asks its move at a split point to exceed `asked` need not go on.

    That is so where this split point or one above it has failed high, or the bound to exceed has been raised there.
    """
    while split_point != NULL:
        if lower_bound(split_point) > asked:
            return True
        asked = split_point.asked_above
        split_point = split_point.parent
    return False


cdef inline bint is_over(Worker *worker, const SplitPoint *split_point) noexcept nogil:
    """Return whether a split point needs no more work.  Once true, it stays true."""
    return (
        atomic_load(&worker.control.stop)
        or failed_high(split_point)
        or in_vain(split_point.parent, split_point.asked_above)
    )


cdef inline int ask(
    Worker *worker, int ply, uint64_t next_mover, uint64_t next_opponent, uint64_t key, int lower, int depth,
    int selectivity_index, int reduction,
) noexcept nogil:
    """Return the score of a move, which leads to the position at `ply`, in the null window above `lower`.

    With a reduction, a search less deep comes first: it decides where it fails low.
    """
    cdef int score
    if reduction:
        score = -search(
            worker, ply, next_mover, next_opponent, key, -lower - 1, -lower, depth - reduction, selectivity_index
        )
        if score <= lower or stopped(worker):
            return score
    return -search(worker, ply, next_mover, next_opponent, key, -lower - 1, -lower, depth, selectivity_index)


cdef inline int search_candidate(
    Worker *worker, SplitPoint *split_point, Candidate *candidate, int *lower, bint open_window
) noexcept nogil:
    """Return the score of a move: by a null window, and where it lies inside of an open one, by the open one.

    *lower is what the move had to exceed in the last of them.  Where is_over(), the score means nothing.
    """
    cdef const Node *node = split_point.node
    cdef uint64_t next_mover = node.opponent ^ candidate.flips
    cdef uint64_t next_opponent = node.mover ^ candidate.flips | bit(candidate.square)
    cdef int ply = node.ply + 1, depth = node.depth - 1, selectivity_index = node.selectivity_index, score
    update(worker, node.ply, candidate.square, candidate.flips)
    worker.pv_length[ply] = 0
    while True:
        enter(worker, split_point, lower[0])
        score = ask(
            worker, ply, next_mover, next_opponent, candidate.key, lower[0], depth, selectivity_index,
            candidate.reduction,
        )
        if not stopped(worker):
            if not (open_window and lower[0] < score < node.beta):
                return score
            score = -search(
                worker, ply, next_mover, next_opponent, candidate.key, -node.beta, -lower[0], depth, selectivity_index
            )
            if not stopped(worker):
                return score
        if is_over(worker, split_point):
            return score
        # Another worker has raised the bound meanwhile.
        lower[0] = lower_bound(split_point)


cdef inline void take_moves(SplitPoint *split_point, int count) noexcept nogil:
    """Take the next moves of a split point; call with its lock held.  Without a move left, nobody looks for it."""
    if split_point.next < split_point.count:
        atomic_store(&split_point.next, split_point.next + count)
        if split_point.next == split_point.count:
            atomic_add(&split_point.owner.open, -1)


cdef void search_candidates(Worker *worker, SplitPoint *split_point) noexcept nogil:
    """Take one move after the other until none is left or the node has failed high."""
    cdef const Node *node = split_point.node
    cdef Candidate *candidate
    cdef int lower, score
    cdef bint open_window = node.beta - node.alpha > 1
    while True:
        acquire(&split_point.lock)
        if split_point.next >= split_point.count or failed_high(split_point):
            release(&split_point.lock)
            return
        candidate = &split_point.candidates[split_point.next]
        take_moves(split_point, 1)
        lower = lower_bound(split_point)
        release(&split_point.lock)
        score = search_candidate(worker, split_point, candidate, &lower, open_window)
        if is_over(worker, split_point):
            return
        acquire(&split_point.lock)
        if failed_high(split_point):      # meanwhile, by another worker: the score may be a mere lower bound
            release(&split_point.lock)
            return
        if split_point.found != NULL:
            record(
                &split_point.found[candidate - split_point.candidates], score, lower, node.beta, node.depth,
                node.selectivity_index, worker.pv[node.ply + 1] if score > lower else NULL,
                worker.pv_length[node.ply + 1],
            )
        if score > split_point.best:
            atomic_store(&split_point.best, score)
            split_point.best_move = candidate.square
            if open_window and score > node.alpha:
                set_pv(split_point.owner, node.ply, candidate.square, worker)
        release(&split_point.lock)
        # Without helpers, nobody but the owner works below.
        if score > lower and (worker != split_point.owner or atomic_load(&split_point.helpers) != 0):
            abandon_in_vain(worker.pool)


cdef bint below(const SplitPoint *split_point, const SplitPoint *ancestor) noexcept nogil:
    """Return whether a split point lies below another one; every one lies below NULL."""
    if ancestor == NULL:
        return True
    while split_point != NULL:
        if split_point == ancestor:
            return True
        split_point = split_point.parent
    return False


cdef void abandon_in_vain(Pool *pool) noexcept nogil:
    """Tell every worker whose work is in vain now: a bound has been raised."""
    cdef Worker *worker
    cdef int i
    for i in range(pool.size):
        worker = &pool.workers[i]
        acquire(&worker.chain_lock)
        if in_vain(worker.split_point, worker.asked):
            atomic_store(&worker.abandoned, 1)
        release(&worker.chain_lock)


cdef SplitPoint *largest_open(Worker *owner, const SplitPoint *ancestor) noexcept nogil:
    """Return the owner's largest split point below `ancestor` with a move left, or NULL.

    Call with owner.chain_lock held: while it is, none of them closes.  Outer nodes are larger.
    """
    cdef SplitPoint *split_point = owner.split_point
    cdef SplitPoint *largest = NULL
    if not below(split_point, ancestor):
        return NULL
    while split_point != NULL and split_point.owner == owner:
        if atomic_load(&split_point.next) < split_point.count and not failed_high(split_point):
            largest = split_point
        split_point = split_point.parent
    return largest


cdef SplitPoint *join_largest(Worker *worker) noexcept nogil:
    """Register the worker at the largest open split point that it may help at, and return it; NULL: there is none."""
    cdef Worker *owner
    cdef Worker *chosen
    cdef SplitPoint *split_point
    cdef int i, depth
    while True:
        chosen = NULL
        depth = 0
        for i in range(worker.pool.size):
            owner = &worker.pool.workers[i]
            if owner == worker or atomic_load(&owner.open) == 0:
                continue
            acquire(&owner.chain_lock)
            split_point = largest_open(owner, worker.waiting)
            if split_point != NULL and split_point.node.depth > depth:
                depth = split_point.node.depth
                chosen = owner
            release(&owner.chain_lock)
        if chosen == NULL:
            return NULL
        acquire(&chosen.chain_lock)
        split_point = largest_open(chosen, worker.waiting)
        if split_point != NULL:
            atomic_add(&split_point.helpers, 1)
        release(&chosen.chain_lock)
        if split_point != NULL:
            return split_point
        # The one seen before is closed by now: there may be another one.


cdef void help_at(Worker *worker, SplitPoint *split_point) noexcept nogil:
    """Work at a split point that the worker has joined; afterwards it is at its own node as before."""
    cdef SplitPoint *above = worker.split_point
    cdef int ply = split_point.node.ply, level = worker.probcut_level, asked_above = worker.asked
    worker.probcut_level = split_point.probcut_level
    memcpy(worker.features[ply], split_point.owner.features[ply], sizeof(worker.features[0]))
    search_candidates(worker, split_point)
    enter(worker, above, asked_above)
    worker.probcut_level = level
    atomic_add(&split_point.helpers, -1)


cdef inline void enter(Worker *worker, SplitPoint *split_point, int asked) noexcept nogil:
    """Make a split point the innermost one that the worker works below, and `asked` what its move has to exceed there.

    Who raises a bound looks for workers below it afterwards, under the same lock: each learns of it in one way or the
    other.
    """
    acquire(&worker.chain_lock)
    worker.split_point = split_point
    worker.asked = asked
    atomic_store(&worker.abandoned, in_vain(split_point, asked))
    release(&worker.chain_lock)


cdef inline void leave_split_points(Worker *worker) noexcept nogil:
    """Forget where a worker was whose thread is gone, and release its lock."""
    worker.split_point = worker.waiting = NULL
    worker.asked = worker.chain_lock = worker.open = worker.abandoned = worker.probcut_level = 0


cdef inline void add_idle(Worker *worker, int64_t since_ns) noexcept nogil:
    """Count the time since a moment as idle.  The last helper may still be at it when the search has ended."""
    atomic_store64(&worker.idle_ns, atomic_load64(&worker.idle_ns) + <uint64_t>(machine_now_ns() - since_ns))


cdef void help_until_zero(Worker *worker, int *until_zero) noexcept nogil:
    """Help wherever the worker may, until *until_zero is 0.

    A worker without work looks at the others only when a split point has been opened: many that look all the time would
    take cache lines away from those that work.
    """
    cdef Pool *pool = worker.pool
    cdef SplitPoint *split_point
    cdef int64_t since_ns = machine_now_ns()
    cdef int offers
    atomic_add(&pool.idle, 1)
    while atomic_load_acquire(until_zero) != 0:
        offers = atomic_load_acquire(&pool.offers)
        split_point = join_largest(worker)
        if split_point == NULL:
            wait_for_offer(pool, offers, until_zero)
            continue
        atomic_add(&pool.idle, -1)
        add_idle(worker, since_ns)
        help_at(worker, split_point)
        since_ns = machine_now_ns()
        atomic_add(&pool.idle, 1)
    atomic_add(&pool.idle, -1)
    add_idle(worker, since_ns)


cdef inline void wait_for_offer(Pool *pool, int offers, int *until_zero) noexcept nogil:
    """Wait until there is an offer, *until_zero is 0, or it is time to look again: an offer may have been missed."""
    cdef int _
    for _ in range(SPINS):
        if atomic_load(&pool.offers) != offers or atomic_load_acquire(until_zero) == 0:
            return
        machine_pause()
    sched_yield()      # on a busy machine another thread may need the processor more


cdef void split(
    Worker *worker, const Node *node, Candidate *candidates, int count, RootMove *found, int *best, int *best_move
) noexcept nogil:
    """Search the remaining moves of a node with every worker that joins, and update *best and *best_move."""
    cdef SplitPoint split_point
    cdef SplitPoint *waiting_before
    split_point.node = node
    split_point.parent = worker.split_point
    split_point.owner = worker
    split_point.candidates = candidates
    split_point.count = count
    split_point.next = 0
    split_point.lock = 0
    split_point.helpers = 0
    split_point.best = best[0]
    split_point.best_move = best_move[0]
    split_point.probcut_level = worker.probcut_level
    split_point.asked_above = worker.asked
    split_point.found = found
    enter(worker, &split_point, lower_bound(&split_point))
    atomic_add(&worker.open, 1)
    if atomic_load(&worker.pool.idle) != 0:
        atomic_add(&worker.pool.offers, 1)
    search_candidates(worker, &split_point)
    acquire(&split_point.lock)
    take_moves(&split_point, split_point.count - split_point.next)      # those that are left have become needless
    release(&split_point.lock)
    enter(worker, split_point.parent, split_point.asked_above)      # from here on no worker joins
    if atomic_load_acquire(&split_point.helpers) > 0:
        waiting_before = worker.waiting
        worker.waiting = &split_point
        help_until_zero(worker, &split_point.helpers)
        worker.waiting = waiting_before
    best[0] = split_point.best
    best_move[0] = split_point.best_move
