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
    bits_count, bits_first, bits_flips, bits_init, bits_legal_moves, bits_load, bits_now_ns, bits_store,
)
from othello_bot.kernel.endgame cimport ENDGAME_EMPTIES, final_difference, solve_null_window
from othello_bot.kernel.evaluation cimport EVALUATION_UNIT, evaluate, evaluate_fine, pass_over, update
from othello_bot.kernel.stability cimport stability_threshold, stability_upper_bound
from othello_bot.kernel.table cimport NO_MOVE, Found, table_prefetch, table_probe, table_store
from othello_bot.kernel.worker cimport Split

bits_init()

cdef enum:
    INFINITE = 127
    CHECK_NODES = 4096        # nodes between two looks at the clock: well under a millisecond
    TABLE_DEPTH = 3           # below this depth a search costs less than the table's cache miss
    CUTOFF_DEPTH = 5          # from this depth on the children are looked up before any is searched (ETC)
    PROBCUT_DEPTH = 3         # below this depth there is no shallower search worth asking
    DEEPENING_DEPTH = 5       # principal-variation nodes from this depth on get internal iterative deepening
    MOBILITY_DISCS = 128      # ordering: one reply more for the opponent counts like this many 1/128 discs

cdef uint64_t CORNERS = 0x8100000000000081

# Half width of the interval that holds the given share of normally distributed errors, in standard deviations.
cdef double[6] QUANTILE
QUANTILE[:] = [1.1031, 1.5141, 1.9600, 2.3263, 2.5758, 1000.0]

# Standard deviation, in discs, of (deep search - shallow search): [empties][depth][shallow depth].
cdef float[61][61][21] SIGMA


cdef void no_model() noexcept nogil:
    """Until a model is set no window is ever decided: the errors are taken as larger than any score."""
    cdef float *sigma = &SIGMA[0][0][0]
    cdef int i
    for i in range(61 * 61 * 21):
        sigma[i] = 1000.0


no_model()


def set_probcut_model(const float[::1] sigma) -> None:
    """Replaces the ProbCut error model: 61 x 61 x 21 standard deviations in discs, by empties, depth and shallow depth."""
    if sigma.shape[0] != 61 * 61 * 21:
        raise ValueError(f"{sigma.shape[0]} entries: not 61 x 61 x 21")
    memcpy(SIGMA, &sigma[0], sizeof(SIGMA))


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


cdef inline uint64_t bit(int square) noexcept nogil:
    return <uint64_t>1 << square


cdef struct Candidate:
    uint64_t flips
    int square
    int value        # higher is tried earlier


cdef inline void sort_in(Candidate *candidates, int count, Candidate candidate) noexcept nogil:
    """Insertion into candidates[0:count], best first."""
    while count > 0 and candidates[count - 1].value < candidate.value:
        candidates[count] = candidates[count - 1]
        count -= 1
    candidates[count] = candidate


cdef inline void note_line(Worker *worker, int ply, int move) noexcept nogil:
    """The line of this ply becomes `move` and the line of the next ply."""
    cdef int length = worker.line_length[ply + 1]
    if length > 63:
        length = 63
    worker.line[ply][0] = <uint8_t>move
    memcpy(&worker.line[ply][1], worker.line[ply + 1], length)
    worker.line_length[ply] = length + 1


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
        note_line(worker, ply, PASS)
        return score
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flips = bits_flips(square, mover, opponent)
        if flips == opponent:
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


cdef inline int ordering_depth(int depth, int empties, bint open_window) noexcept nogil:
    """Depth of the searches that order the moves of a node; -1: by mobility alone, 0: by static value."""
    if depth < empties:
        if depth < 3:
            return -1
        return (depth - 4) // 3 if depth > 6 else 0
    if empties < 13:
        return -1
    if empties < 16:
        return 0
    return (empties - 13) // 3


cdef int order_value(Worker *worker, int ply, uint64_t next_mover, uint64_t next_opponent, int square, int depth, int selectivity) noexcept nogil:
    """How good a move looks: its value by a search of `depth` plies, and how few replies it leaves, corners counted twice."""
    cdef uint64_t replies = bits_legal_moves(next_mover, next_opponent)
    cdef int value = -(bits_count(replies) + bits_count(replies & CORNERS)) * MOBILITY_DISCS
    if depth == 0:
        worker.nodes += 1
        return value - evaluate_fine(worker, ply + 1, next_mover, next_opponent) * 2
    if depth > 0:
        return value - search(worker, ply + 1, next_mover, next_opponent, -64, 64, depth, selectivity) * (2 * EVALUATION_UNIT)
    return value + (<int>(CORNERS >> square & 1)) * MOBILITY_DISCS


cdef int probcut(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int depth, int selectivity, int empties, int *score
) noexcept nogil:
    """Multi-ProbCut: true, with *score set, where a shallower search says that this null window is decided beyond doubt.

    "Beyond doubt" is QUANTILE[selectivity] standard deviations of the difference between the two depths, as measured by
    scripts/fit-probcut on this program's own searches.  A search is spent only where the static value makes the cut-off likely:
    within one standard deviation of its own error.
    """
    cdef int shallow = 2 * (depth // 4) + (depth & 1), static_value, bound, found
    cdef double margin, doubt
    if shallow >= depth:
        shallow -= 2
    if shallow < 0:
        return False
    if shallow > 20:
        shallow = 20
    margin = QUANTILE[selectivity] * SIGMA[empties][depth][shallow]
    doubt = SIGMA[empties][shallow][0]      # how far the shallow search is likely to be from the static value
    static_value = evaluate(worker, ply, mover, opponent)
    bound = <int>(alpha + 1 + margin + 0.999)
    if bound < 64 and static_value >= bound - doubt:
        worker.probcut_level += 1
        found = search(worker, ply, mover, opponent, bound - 1, bound, shallow, selectivity)
        worker.probcut_level -= 1
        if found >= bound:
            score[0] = alpha + 1
            return True
    bound = <int>(alpha - margin + 64) - 64
    if bound > -64 and static_value <= bound + doubt:
        worker.probcut_level += 1
        found = search(worker, ply, mover, opponent, bound, bound + 1, shallow, selectivity)
        worker.probcut_level -= 1
        if found <= bound:
            score[0] = alpha
            return True
    return False


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
    cdef Candidate candidates[36]
    cdef Candidate candidate
    cdef Found found
    cdef bint known = False
    cdef int count = 0, best = -INFINITE, best_move = NO_MOVE, score, lower, square, i, stage, order_depth
    cdef int first_move = NO_MOVE, second_move = NO_MOVE

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
            note_line(worker, ply, PASS)
        return score
    if not open_window:
        if alpha >= stability_threshold(empties):
            score = stability_upper_bound(mover, opponent)
            if score <= alpha:
                return score

    if depth >= TABLE_DEPTH and table_probe(worker.table, mover, opponent, &found):
        known = True
        if not open_window and found.depth >= depth and found.selectivity >= selectivity:
            if found.lower >= beta:
                return found.lower
            if found.upper <= alpha:
                return found.upper
        if found.first_move != NO_MOVE and moves & bit(found.first_move):
            first_move = found.first_move
        if found.second_move != NO_MOVE and moves & bit(found.second_move):
            second_move = found.second_move

    if not open_window:
        if depth >= CUTOFF_DEPTH:
            # Enhanced transposition cut-off: a child that is known to fail low is enough.
            next_opponent = moves
            while next_opponent:
                square = bits_first(next_opponent)
                next_opponent &= next_opponent - 1
                flips = bits_flips(square, mover, opponent)
                if table_probe(worker.table, opponent ^ flips, mover ^ flips | bit(square), &found):
                    if found.depth >= depth - 1 and found.selectivity >= selectivity and -found.upper >= beta:
                        table_store(worker.table, mover, opponent, depth, selectivity, alpha, beta, -found.upper, square)
                        return -found.upper
        if selectivity < EXACT and depth >= PROBCUT_DEPTH and worker.probcut_level < 2:
            if probcut(worker, ply, mover, opponent, alpha, depth, selectivity, empties, &score):
                return alpha if stopped(worker) else score
    elif first_move == NO_MOVE and depth >= DEEPENING_DEPTH:
        search(worker, ply, mover, opponent, alpha, beta, depth - 2 if depth < empties else depth // 2, selectivity if depth < empties else 0)
        if table_probe(worker.table, mover, opponent, &found) and found.first_move != NO_MOVE and moves & bit(found.first_move):
            first_move = found.first_move
        worker.line_length[ply] = 0

    # Moves in stages: what the table remembers needs no ordering; only when it has not cut are the others put in order.
    for stage in range(3):
        count = 0
        if stage == 0:
            if first_move == NO_MOVE:
                continue
            candidates[0].square = first_move
            candidates[0].flips = bits_flips(first_move, mover, opponent)
            count = 1
        elif stage == 1:
            if second_move == NO_MOVE or second_move == first_move:
                continue
            candidates[0].square = second_move
            candidates[0].flips = bits_flips(second_move, mover, opponent)
            count = 1
        else:
            if first_move != NO_MOVE:
                moves &= ~bit(first_move)
            if second_move != NO_MOVE:
                moves &= ~bit(second_move)
            order_depth = ordering_depth(depth, empties, open_window)
            while moves:
                square = bits_first(moves)
                moves &= moves - 1
                flips = bits_flips(square, mover, opponent)
                next_mover = opponent ^ flips
                next_opponent = mover ^ flips | bit(square)
                candidate.flips = flips
                candidate.square = square
                if next_mover == 0:
                    candidate.value = 1 << 24
                else:
                    if order_depth >= 0:
                        update(worker, ply, square, flips)
                    candidate.value = order_value(worker, ply, next_mover, next_opponent, square, order_depth, 0)
                sort_in(candidates, count, candidate)
                count += 1
        for i in range(count):
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
                    note_line(worker, ply, square)
                if score >= beta:
                    break
        if best >= beta:
            break
    if depth >= TABLE_DEPTH:
        table_store(worker.table, mover, opponent, depth, selectivity, alpha, beta, best, best_move)
    return best
