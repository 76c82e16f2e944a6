"""Split points: the remaining moves of a node, searched by every worker that is idle.

Young brothers wait (R. Feldmann, "Game tree search on massively parallel systems", 1993): a node is split only after
its first move has been searched.  The owner takes moves like its helpers; while it waits for the last of them it helps
below its own node, and nowhere else, or it would be late when they are ready.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from othello_bot.kernel.evaluation cimport update
from othello_bot.kernel.geometry cimport bit
from othello_bot.kernel.limits cimport stopped
from othello_bot.kernel.machine cimport (
    atomic_add, atomic_load, atomic_load_acquire, atomic_store, atomic_store_release, atomic_swap_if, machine_pause,
)
from othello_bot.kernel.pv cimport set_pv
from othello_bot.kernel.search cimport search
from othello_bot.kernel.worker cimport ASSIGNED, BUSY, CLAIMED, IDLE, Candidate, SplitPoint, Worker

cdef extern from "<sched.h>" nogil:
    int sched_yield()


cdef inline void acquire(int *lock) noexcept nogil:
    while not atomic_swap_if(lock, 0, 1):
        machine_pause()


cdef inline void release(int *lock) noexcept nogil:
    atomic_store_release(lock, 0)


cdef inline int lower_bound(SplitPoint *split_point) noexcept nogil:
    """Return the score that the next move has to exceed."""
    cdef int best = atomic_load(&split_point.best)
    return best if best > split_point.alpha else split_point.alpha


cdef inline int search_candidate(
    Worker *worker, SplitPoint *split_point, Candidate *candidate, int lower, bint open_window
) noexcept nogil:
    """Return the score of a move: by a null window, and where it lies inside of an open one, by the open one."""
    cdef uint64_t next_mover = split_point.opponent ^ candidate.flips
    cdef uint64_t next_opponent = split_point.mover ^ candidate.flips | bit(candidate.square)
    cdef int ply = split_point.ply + 1, depth = split_point.depth - 1, selectivity = split_point.selectivity, score
    update(worker, split_point.ply, candidate.square, candidate.flips)
    worker.pv_length[ply] = 0
    score = -search(worker, ply, next_mover, next_opponent, -lower - 1, -lower, depth, selectivity)
    if lower < score < split_point.beta and open_window and not stopped(worker):
        # Another worker may have raised the bound meanwhile: the open window begins at what is known now.  The null
        # window's score is only a lower bound, so ask again even where the bound has come up to it.
        lower = lower_bound(split_point)
        score = -search(worker, ply, next_mover, next_opponent, -split_point.beta, -lower, depth, selectivity)
    return score


cdef void search_candidates(Worker *worker, SplitPoint *split_point) noexcept nogil:
    """Take one move after the other until none is left or the node has failed high."""
    cdef Candidate *candidate
    cdef int lower, score
    cdef bint open_window = split_point.beta - split_point.alpha > 1
    while True:
        acquire(&split_point.lock)
        if split_point.next >= split_point.count or atomic_load(&split_point.cut):
            release(&split_point.lock)
            return
        candidate = &split_point.candidates[split_point.next]
        split_point.next += 1
        lower = lower_bound(split_point)
        release(&split_point.lock)
        score = search_candidate(worker, split_point, candidate, lower, open_window)
        if stopped(worker):
            return
        acquire(&split_point.lock)
        if score > split_point.best and not atomic_load(&split_point.cut):
            atomic_store(&split_point.best, score)
            split_point.best_move = candidate.square
            if open_window and score > split_point.alpha:
                set_pv(split_point.owner, split_point.ply, candidate.square, worker)
            if score >= split_point.beta:
                atomic_store(&split_point.cut, 1)
        release(&split_point.lock)


cdef void join(Worker *worker) noexcept nogil:
    """Work at the assigned split point; afterwards the worker is BUSY, with its own node and counters as before."""
    cdef SplitPoint *split_point = worker.assigned
    cdef SplitPoint *above = worker.split_point
    cdef int level = worker.probcut_level
    atomic_store(&worker.state, BUSY)
    worker.split_point = split_point
    worker.probcut_level = split_point.probcut_level
    memcpy(worker.features[split_point.ply], split_point.owner.features[split_point.ply], sizeof(worker.features[0]))
    search_candidates(worker, split_point)
    worker.split_point = above
    worker.probcut_level = level
    atomic_add(&split_point.helpers, -1)


cdef void wait_for_work(Worker *worker, int *until_zero) noexcept nogil:
    """Join whichever split point the worker is assigned to, until *until_zero is 0."""
    cdef unsigned int spins = 0
    while True:
        atomic_add(&worker.pool.idle, 1)
        atomic_store_release(&worker.state, IDLE)
        while atomic_load_acquire(&worker.state) != ASSIGNED:
            if atomic_load_acquire(until_zero) == 0 and atomic_swap_if(&worker.state, IDLE, BUSY):
                atomic_add(&worker.pool.idle, -1)
                return
            spins += 1
            if spins & 255:
                machine_pause()
            else:
                sched_yield()      # on a busy machine another thread may need the processor more
        join(worker)


cdef bint may_join(Worker *worker, SplitPoint *split_point) noexcept nogil:
    """Return whether the worker waits for nothing, or for helpers of a split point above this one."""
    cdef SplitPoint *own = worker.waiting
    if own == NULL:
        return True
    while split_point != NULL:
        if split_point == own:
            return True
        split_point = split_point.parent
    return False


cdef void call_helpers(Worker *worker, SplitPoint *split_point) noexcept nogil:
    """Assign idle workers to the split point, at most one for each move but the owner's first."""
    cdef Worker *helper
    cdef int i, called = 0
    for i in range(worker.pool.size):
        helper = &worker.pool.workers[i]
        if called >= split_point.count - 1:
            break
        if helper != worker and atomic_load(&helper.state) == IDLE and atomic_swap_if(&helper.state, IDLE, CLAIMED):
            if not may_join(helper, split_point):
                atomic_store_release(&helper.state, IDLE)
                continue
            atomic_add(&worker.pool.idle, -1)
            atomic_add(&split_point.helpers, 1)
            helper.assigned = split_point
            called += 1
            atomic_store_release(&helper.state, ASSIGNED)


cdef void split(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity,
    Candidate *candidates, int count, int *best, int *best_move,
) noexcept nogil:
    """Search the remaining moves of a node with every worker that is idle, and update *best and *best_move."""
    cdef SplitPoint split_point
    cdef SplitPoint *waiting_before
    split_point.parent = worker.split_point
    split_point.owner = worker
    split_point.candidates = candidates
    split_point.count = count
    split_point.next = 0
    split_point.lock = 0
    split_point.cut = 0
    split_point.helpers = 0
    split_point.ply = ply
    split_point.depth = depth
    split_point.selectivity = selectivity
    split_point.alpha = alpha
    split_point.beta = beta
    split_point.best = best[0]
    split_point.best_move = best_move[0]
    split_point.probcut_level = worker.probcut_level
    split_point.mover = mover
    split_point.opponent = opponent
    call_helpers(worker, &split_point)
    worker.split_point = &split_point
    search_candidates(worker, &split_point)
    if atomic_load_acquire(&split_point.helpers) > 0:
        waiting_before = worker.waiting
        worker.waiting = &split_point
        wait_for_work(worker, &split_point.helpers)
        worker.waiting = waiting_before
    worker.split_point = split_point.parent
    best[0] = split_point.best
    best_move[0] = split_point.best_move
