"""Principal-variation search, in the midgame and in the upper part of the endgame.

One function serves open windows (principal-variation nodes) and null windows, selective and full-width search, midgame and
endgame: a search whose depth reaches the number of empties is an endgame search and returns final scores; its last plies go to
the solver in endgame.pyx.  Scores are whole discs from the mover's view, fail-soft.

Techniques and where they come from: principal-variation search (Marsland and Campbell, 1982), Multi-ProbCut (Buro, 1997),
enhanced transposition cut-offs (Plaat et al., 1996), internal iterative deepening (Anantharaman, 1991), fastest-first and
stability cut-offs (Othello folklore since Logistello and Zebra).
"""

from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memcpy

from othello_bot.kernel.bits cimport (
    bits_add, bits_count, bits_first, bits_flips, bits_init, bits_legal_moves, bits_load, bits_load_acquire, bits_now_ns,
    bits_pause, bits_store, bits_store_release, bits_swap_if,
)
from othello_bot.kernel.endgame cimport ENDGAME_EMPTIES, final_difference, solve_null_window
from othello_bot.kernel.error_model cimport DEEPEST_SHALLOW, QUANTILE
from othello_bot.kernel.evaluation cimport evaluate, evaluate_fine, pass_over, sum_of, update, value_of
from othello_bot.kernel.geometry cimport around, bit
from othello_bot.kernel.stability cimport stability_threshold, stability_upper_bound
from othello_bot.kernel.table cimport NO_MOVE, Found, table_prefetch, table_probe, table_store
from othello_bot.kernel.worker cimport BUSY, CALLED, EVALUATION_UNIT, HIRED, IDLE, Candidate, Pool, Split

cdef extern from "<sched.h>" nogil:
    int sched_yield()

bits_init()

cdef enum:
    INFINITE = 127
    CHECK_NODES = 4096        # nodes between two looks at the clock: well under a millisecond
    TABLE_DEPTH = 3           # below this depth a search costs less than the table's cache miss
    CUTOFF_DEPTH = 5          # from this depth on the children are looked up before any is searched (ETC)
    PROBCUT_DEPTH = 3         # below this depth there is no shallower search worth asking
    SHARE_DEPTH = 8           # a midgame node of less depth is not worth calling a helper for: tens of microseconds
    SHARE_EMPTIES = 13        # the same in the endgame
    DEEPENING_DEPTH = 5       # principal-variation nodes from this depth on get internal iterative deepening
    REPLY_WORTH = 256         # ordering: one reply less for the opponent counts like two discs (fewest nodes at 20 empties)

cdef uint64_t CORNERS = 0x8100000000000081


cdef void look_at_limits(Worker *worker) noexcept nogil:
    """Raises the stop flag when the deadline or the node limit has been reached."""
    cdef uint64_t limit = worker.control.node_limit
    worker.next_check = worker.nodes + CHECK_NODES
    if limit != 0:
        if worker.nodes >= limit:
            bits_store(&worker.control.stop, 1)
        elif worker.next_check > limit:
            worker.next_check = limit
    if worker.control.deadline_ns != 0 and bits_now_ns() >= worker.control.deadline_ns:
        bits_store(&worker.control.stop, 1)


cdef bint stopped(Worker *worker) noexcept nogil:
    """Whether the search as a whole, or a shared node above this one, has been decided elsewhere."""
    cdef Split *split = worker.split
    if bits_load(&worker.control.stop):
        return True
    while split != NULL:
        if bits_load(&split.cut):
            return True
        split = split.parent
    return False


cdef inline void sort_in(Candidate *candidates, int count, Candidate candidate) noexcept nogil:
    """Insertion into candidates[0:count], best first."""
    while count > 0 and candidates[count - 1].value < candidate.value:
        candidates[count] = candidates[count - 1]
        count -= 1
    candidates[count] = candidate


cdef inline void set_line(Worker *owner, int ply, int move, Worker *finder) noexcept nogil:
    """The owner's line of this ply becomes `move` and the line that the finder has for the next ply."""
    cdef int length = finder.line_length[ply + 1]
    if length > 63:
        length = 63
    owner.line[ply][0] = <uint8_t>move
    memcpy(&owner.line[ply][1], finder.line[ply + 1], length)
    owner.line_length[ply] = length + 1


cdef int leaf_parent(Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta) noexcept nogil:
    """Depth 1: the best static value after each move.  `worker.nodes` already counts this node."""
    cdef uint64_t moves = bits_legal_moves(mover, opponent), flips
    cdef int best = -INFINITE, score, square
    if moves == 0:
        if bits_legal_moves(opponent, mover) == 0:
            return final_difference(mover, opponent)
        pass_over(worker, ply)
        worker.nodes += 1
        score = -leaf_parent(worker, ply + 1, opponent, mover, -beta, -alpha)
        set_line(worker, ply, PASS, worker)
        return score
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flips = bits_flips(square, mover, opponent)
        if flips == opponent:
            worker.line[ply][0] = <uint8_t>square
            worker.line_length[ply] = 1
            return 64
        update(worker, ply, square, flips)
        worker.nodes += 1
        score = -evaluate(worker, ply + 1, opponent ^ flips, mover ^ flips | bit(square))
        if score > best:
            best = score
            if score > alpha:
                worker.line[ply][0] = <uint8_t>square
                worker.line_length[ply] = 1
                if score >= beta:
                    break
    return best


cdef inline int ordering_depth(int depth, int empties) noexcept nogil:
    """Depth of the searches that order the moves of a node; -1: by mobility alone, 0: by static value."""
    if depth < empties:
        if depth < 3:
            return -1
        return (depth - 4) // 3 if depth > 6 else 0
    return (empties - 14) // 6 if empties >= 14 else -1


cdef int order_value(Worker *worker, int ply, uint64_t next_mover, uint64_t next_opponent, int square, int depth) noexcept nogil:
    """How good a move looks: its value by a search of `depth` plies as selective as can be, and how few replies it leaves, corners counted twice."""
    cdef uint64_t replies = bits_legal_moves(next_mover, next_opponent)
    cdef uint64_t frontier = ~(next_mover | next_opponent) & around(next_opponent)
    cdef int value = -(bits_count(replies) + bits_count(replies & CORNERS)) * REPLY_WORTH - bits_count(frontier) * (REPLY_WORTH // 2)
    if depth == 0:
        worker.nodes += 1
        return value - evaluate_fine(worker, ply + 1, next_mover, next_opponent)
    if depth > 0:
        return value - search(worker, ply + 1, next_mover, next_opponent, -64, 64, depth, 0) * EVALUATION_UNIT
    return value + (<int>(CORNERS >> square & 1)) * REPLY_WORTH


cdef int probcut(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int depth, int selectivity, int empties, int *score
) noexcept nogil:
    """Multi-ProbCut: true, with *score set, where a shallower search says that this null window is decided beyond doubt.

    "Beyond doubt" is QUANTILE[selectivity] standard deviations of the difference between the two depths, as measured by
    scripts/fit-probcut on this program's own searches.  A search is spent only where the static value makes the cut-off likely:
    within one standard deviation of its own error.  All are compared as sums, before their scales: these differ with the number of
    empties at the leaves, and the score of a finished game has none.
    """
    cdef int shallow = 2 * (depth // 4) + (depth & 1), bound, found
    cdef double margin, doubt, static_sum, needed
    if shallow >= depth:
        shallow -= 2
    if shallow < 0 or empties > 60 or worker.sigmas == NULL:     # boards with fewer than four discs have no model
        return False
    if shallow > DEEPEST_SHALLOW:
        shallow = DEEPEST_SHALLOW
    margin = QUANTILE[selectivity] * worker.sigmas.of[empties][depth][shallow]
    doubt = worker.sigmas.of[empties][shallow][0]      # how far the shallow search is likely to be from the static value
    static_sum = sum_of(worker.factors, empties, evaluate(worker, ply, mover, opponent))
    needed = (alpha + 1 if depth == empties else sum_of(worker.factors, empties - depth, alpha + 1)) + margin
    bound = <int>(value_of(worker.factors, empties - shallow, needed) + 64 + 0.999) - 64
    if bound < 64 and static_sum >= needed - doubt:
        worker.probcut_level += 1
        found = search(worker, ply, mover, opponent, bound - 1, bound, shallow, selectivity)
        worker.probcut_level -= 1
        if found >= bound:
            score[0] = alpha + 1
            return True
    needed = (alpha if depth == empties else sum_of(worker.factors, empties - depth, alpha)) - margin
    bound = <int>(value_of(worker.factors, empties - shallow, needed) + 64) - 64
    if bound > -64 and static_sum <= needed + doubt:
        worker.probcut_level += 1
        found = search(worker, ply, mover, opponent, bound, bound + 1, shallow, selectivity)
        worker.probcut_level -= 1
        if found <= bound:
            score[0] = alpha
            return True
    return False


cdef inline bint worth_sharing(Worker *worker, int depth, int empties) noexcept nogil:
    """Whether the node is large enough, and somebody has nothing to do."""
    return depth >= (SHARE_EMPTIES if depth == empties else SHARE_DEPTH) and bits_load(&worker.pool.idle) > 0


cdef inline void take_lock(int *lock) noexcept nogil:
    while not bits_swap_if(lock, 0, 1):
        bits_pause()


cdef inline void give_lock(int *lock) noexcept nogil:
    bits_store_release(lock, 0)


cdef void work_on(Worker *worker, Split *split) noexcept nogil:
    """Takes moves of a shared node, one after the other, until none is left or the node has failed high."""
    cdef Candidate *candidate
    cdef uint64_t next_mover, next_opponent
    cdef int lower, score
    cdef bint open_window = split.beta - split.alpha > 1
    while True:
        take_lock(&split.lock)
        if split.next >= split.count or split.cut:
            give_lock(&split.lock)
            return
        candidate = &split.candidates[split.next]
        split.next += 1
        lower = split.best if split.best > split.alpha else split.alpha
        give_lock(&split.lock)
        next_mover = split.opponent ^ candidate.flips
        next_opponent = split.mover ^ candidate.flips | bit(candidate.square)
        update(worker, split.ply, candidate.square, candidate.flips)
        worker.line_length[split.ply + 1] = 0
        score = -search(worker, split.ply + 1, next_mover, next_opponent, -lower - 1, -lower, split.depth - 1, split.selectivity)
        if lower < score < split.beta and open_window and not stopped(worker):
            # Somebody else may have raised the bound in the meantime: the open window starts from what is known now.  What the
            # null window found is only a lower bound, so it must be asked again even where the bound has come to that.
            lower = bits_load(&split.best) if bits_load(&split.best) > split.alpha else split.alpha
            score = -search(worker, split.ply + 1, next_mover, next_opponent, -split.beta, -lower, split.depth - 1, split.selectivity)
        if stopped(worker):
            return
        take_lock(&split.lock)
        if score > split.best and not split.cut:
            split.best = score
            split.best_move = candidate.square
            if open_window and score > split.alpha:
                set_line(split.owner, split.ply, candidate.square, worker)
            if score >= split.beta:
                bits_store(&split.cut, 1)
        give_lock(&split.lock)


cdef void help_out(Worker *worker) noexcept nogil:
    """Does the work that this worker was hired for; afterwards it is BUSY, with its own node and counters as before."""
    cdef Split *split = worker.given
    cdef Split *above = worker.split
    cdef int level = worker.probcut_level
    bits_store(&worker.state, BUSY)
    worker.split = split
    worker.probcut_level = split.probcut_level
    memcpy(worker.features[split.ply], split.owner.features[split.ply], sizeof(worker.features[0]))
    work_on(worker, split)
    worker.split = above
    worker.probcut_level = level
    bits_add(&split.helpers, -1)


cdef void stand_by(Worker *worker, int *until_zero) noexcept nogil:
    """Helps whoever calls, until *until_zero is 0."""
    cdef unsigned int spins = 0
    while True:
        bits_add(&worker.pool.idle, 1)
        bits_store_release(&worker.state, IDLE)
        while bits_load_acquire(&worker.state) != HIRED:
            # Who calls and who leaves may meet here: only one of them changes IDLE into something else.
            if bits_load_acquire(until_zero) == 0 and bits_swap_if(&worker.state, IDLE, BUSY):
                bits_add(&worker.pool.idle, -1)
                return
            spins += 1
            if spins & 255:
                bits_pause()
            else:
                sched_yield()      # on a busy machine somebody else may need the processor more
        help_out(worker)


cdef bint may_help(Worker *worker, Split *split) noexcept nogil:
    """An owner that waits for its helpers may only work below its own node; else it would be late when they are ready."""
    cdef Split *own = worker.waiting
    if own == NULL:
        return True
    while split != NULL:
        if split == own:
            return True
        split = split.parent
    return False


cdef void share(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity,
    Candidate *candidates, int count, int *best, int *best_move,
) noexcept nogil:
    """Searches the remaining moves of a node together with whoever is idle; *best and *best_move are brought up to date.

    Young brothers wait (Feldmann, 1993): the node's first move has been searched before.  The owner takes moves like the helpers
    and, while it waits for the last of them, helps with the nodes below this one.
    """
    cdef Split split
    cdef Split *waiting_before
    cdef Worker *helper
    cdef int i, called = 0
    split.parent = worker.split
    split.owner = worker
    split.candidates = candidates
    split.count = count
    split.next = 0
    split.lock = 0
    split.cut = 0
    split.helpers = 0
    split.ply = ply
    split.depth = depth
    split.selectivity = selectivity
    split.alpha = alpha
    split.beta = beta
    split.best = best[0]
    split.best_move = best_move[0]
    split.probcut_level = worker.probcut_level
    split.mover = mover
    split.opponent = opponent
    for i in range(worker.pool.size):
        helper = &worker.pool.workers[i]
        if called >= count - 1:
            break
        if helper != worker and bits_load(&helper.state) == IDLE and bits_swap_if(&helper.state, IDLE, CALLED):
            if not may_help(helper, &split):
                bits_store_release(&helper.state, IDLE)
                continue
            bits_add(&worker.pool.idle, -1)
            bits_add(&split.helpers, 1)
            helper.given = &split
            called += 1
            bits_store_release(&helper.state, HIRED)
    worker.split = &split
    work_on(worker, &split)
    if bits_load_acquire(&split.helpers) > 0:
        waiting_before = worker.waiting
        worker.waiting = &split
        stand_by(worker, &split.helpers)
        worker.waiting = waiting_before
    worker.split = split.parent
    best[0] = split.best
    best_move[0] = split.best_move


cdef int search(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta, int depth, int selectivity
) noexcept nogil:
    """Score of a position, mover's view, fail-soft: a value <= alpha is an upper bound, a value >= beta a lower bound.

    `depth` in plies; at the number of empties or beyond it the score is final.  After a stop the value means nothing: whoever
    called has to look at stopped() before believing it.
    """
    cdef int empties = 64 - bits_count(mover | opponent)
    cdef bint open_window = beta - alpha > 1
    cdef uint64_t moves, flips, next_mover, next_opponent
    cdef Candidate all_moves[40]       # no position has more than 35 legal moves
    cdef Candidate candidates[40]
    cdef Candidate candidate
    cdef Found found
    cdef int generated, count = 0, best = -INFINITE, best_move = NO_MOVE, score, lower, square, i, stage, order_depth
    cdef int first_move = NO_MOVE, second_move = NO_MOVE      # what the table remembers

    if open_window:
        worker.line_length[ply] = 0
    if depth >= empties:
        depth = empties
        if empties <= ENDGAME_EMPTIES and not open_window:
            return solve_null_window(worker, mover, opponent, alpha)
        if empties == 0:
            worker.nodes += 1
            return final_difference(mover, opponent)
    elif depth <= 0:
        worker.nodes += 1
        return evaluate(worker, ply, mover, opponent)
    worker.nodes += 1
    if depth == 1 and depth < empties:
        return leaf_parent(worker, ply, mover, opponent, alpha, beta)
    if depth >= TABLE_DEPTH:
        table_prefetch(worker.table, mover, opponent)
    if worker.nodes >= worker.next_check:
        look_at_limits(worker)
    if stopped(worker):
        return alpha

    moves = bits_legal_moves(mover, opponent)
    if moves == 0:
        if bits_legal_moves(opponent, mover) == 0:
            return final_difference(mover, opponent)
        pass_over(worker, ply)
        score = -search(worker, ply + 1, opponent, mover, -beta, -alpha, depth, selectivity)
        if open_window:
            set_line(worker, ply, PASS, worker)
        return score
    if not open_window:
        if alpha >= stability_threshold(empties):
            score = stability_upper_bound(mover, opponent)
            if score <= alpha:
                return score

    if depth >= TABLE_DEPTH and table_probe(worker.table, mover, opponent, &found):
        if not open_window and found.depth >= depth and found.selectivity >= selectivity:
            if found.lower >= beta:
                return found.lower
            if found.upper <= alpha:
                return found.upper
        first_move = found.first_move
        second_move = found.second_move

    generated = 0
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flips = bits_flips(square, mover, opponent)
        all_moves[generated].square = square
        all_moves[generated].flips = flips
        generated += 1
        if depth >= CUTOFF_DEPTH:
            table_prefetch(worker.table, opponent ^ flips, mover ^ flips | bit(square))

    if not open_window:
        if depth >= CUTOFF_DEPTH:
            # Enhanced transposition cut-off: a child that is known to fail low is enough.
            for i in range(generated):
                flips = all_moves[i].flips
                square = all_moves[i].square
                if table_probe(worker.table, opponent ^ flips, mover ^ flips | bit(square), &found):
                    if found.depth >= depth - 1 and found.selectivity >= selectivity and -found.upper >= beta:
                        table_store(worker.table, mover, opponent, depth, selectivity, alpha, beta, -found.upper, square)
                        return -found.upper
        if selectivity < EXACT and depth >= PROBCUT_DEPTH and worker.probcut_level < 2:
            if probcut(worker, ply, mover, opponent, alpha, depth, selectivity, empties, &score):
                return alpha if stopped(worker) else score
    elif first_move == NO_MOVE and depth >= DEEPENING_DEPTH:
        # Internal iterative deepening: a cheaper search finds the move to begin with.
        search(worker, ply, mover, opponent, alpha, beta, depth - 2 if depth < empties else depth // 2, selectivity if depth < empties else 0)
        if table_probe(worker.table, mover, opponent, &found):
            first_move = found.first_move
        worker.line_length[ply] = 0

    # Moves in stages: what the table remembers needs no ordering; only when it has not cut are the others put in order.
    for stage in range(3):
        count = 0
        if stage < 2:
            square = first_move if stage == 0 else second_move
            if square == NO_MOVE or stage == 1 and square == first_move:
                continue
            for i in range(generated):
                if all_moves[i].square == square:
                    candidates[0] = all_moves[i]
                    count = 1
        else:
            order_depth = ordering_depth(depth, empties)
            for i in range(generated):
                candidate = all_moves[i]
                if candidate.square == first_move or candidate.square == second_move:
                    continue
                next_mover = opponent ^ candidate.flips
                next_opponent = mover ^ candidate.flips | bit(candidate.square)
                if next_mover == 0:
                    candidate.value = 1 << 24
                else:
                    if order_depth >= 0:
                        update(worker, ply, candidate.square, candidate.flips)
                    candidate.value = order_value(worker, ply, next_mover, next_opponent, candidate.square, order_depth)
                sort_in(candidates, count, candidate)
                count += 1
        for i in range(count):
            if worker.pool != NULL and best != -INFINITE and i + 1 < count and worth_sharing(worker, depth, empties):
                share(worker, ply, mover, opponent, alpha, beta, depth, selectivity, candidates + i, count - i, &best, &best_move)
                if stopped(worker):
                    return alpha
                break
            square = candidates[i].square
            flips = candidates[i].flips
            next_mover = opponent ^ flips
            next_opponent = mover ^ flips | bit(square)
            update(worker, ply, square, flips)
            lower = best if best > alpha else alpha
            worker.line_length[ply + 1] = 0
            if best == -INFINITE:
                score = -search(worker, ply + 1, next_mover, next_opponent, -beta, -lower, depth - 1, selectivity)
            else:
                score = -search(worker, ply + 1, next_mover, next_opponent, -lower - 1, -lower, depth - 1, selectivity)
                if lower < score < beta and not stopped(worker):
                    score = -search(worker, ply + 1, next_mover, next_opponent, -beta, -lower, depth - 1, selectivity)
            if stopped(worker):
                return alpha
            if score > best:
                best = score
                best_move = square
                if open_window and score > alpha:
                    set_line(worker, ply, square, worker)
                if score >= beta:
                    break
        if best >= beta:
            break
    if depth >= TABLE_DEPTH:
        table_store(worker.table, mover, opponent, depth, selectivity, alpha, beta, best, best_move)
    return best
