"""Principal-variation search, in the midgame and in the upper part of the endgame.

One function serves open windows (principal-variation nodes) and null windows, selective and full-width search, midgame
and endgame: a search whose depth reaches the number of empties is an endgame search and returns final scores; its last
plies go to the solver in endgame.pxi.  Scores are whole discs from the mover's view, fail-soft.

Sources: principal-variation search (Marsland and Campbell, 1982), enhanced transposition cut-offs (Plaat et al., 1996),
internal iterative deepening (Anantharaman, 1991), fastest first and stability cut-offs (as in Logistello and Zebra);
ProbCut, reduced moves, split points and the endgame solver name theirs.
"""

cdef enum:
    TABLE_DEPTH = 3           # below this depth a search costs less than the table's cache miss
    CUTOFF_DEPTH = 5          # from this depth on children are looked up before any is searched (ETC)
    CUTOFF_EMPTIES = ENDGAME_EMPTIES + 2   # the same in the endgame: children with fewer empties are not in the table
    PROBCUT_DEPTH = 3         # below this depth there is no shallower search worth asking
    PROBCUT_LEVELS = 2        # ProbCut searches inside of each other: each adds its own error to the margin's
    WIPE_OUT_DEPTH = 8        # plies within which a search that proves no scores looks for a wipe-out
    DEEPENING_DEPTH = 5       # principal-variation nodes from this depth on get internal iterative deepening


cdef inline uint64_t choose_leaf(
    Worker *worker, uint64_t mover, uint64_t opponent, uint64_t moves, uint64_t first, uint64_t second, int *square,
    uint64_t *next_key,
) noexcept nogil:
    """Return the flips of the move to be tried next, its square in *square, the key of the position after it in
    *next_key; the value of that is asked for.  `first`, `second`: squares to be tried before all others.
    """
    cdef uint64_t likely = moves & first if moves & first else moves & second, flips
    square[0] = bits_first(likely if likely else likely_first(moves))
    flips = bits_flips(square[0], mover, opponent)
    next_key[0] = table_key(opponent ^ flips, mover ^ flips | bit(square[0]))
    prefetch_value(worker, next_key[0])
    return flips


cdef int leaf_parent(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int beta
) noexcept nogil:
    """Return the best static value one move on.  `worker.nodes` already counts this node.

    Putting the moves in order would cost too much.  The reply that last failed high after the same two moves is tried
    first, then the one after the same last move (counter-moves: J. Uiterwijk, 1992): 75 of 100 nodes that fail high do
    so with their first move, and 68 without.  The value of the next move is on its way from the cache while that of the
    last one is worked out.
    """
    cdef uint64_t moves = bits_legal_moves(mover, opponent), flips, key, next_flips, next_key, first, second
    cdef int best = -INFINITE, score, square, next_square, last = played_before(worker, ply, 1)
    cdef uint8_t *to_one = &worker.replies[last]
    cdef uint8_t *to_two = &worker.replies_to_two[played_before(worker, ply, 2)][last]
    if moves == 0:
        if bits_legal_moves(opponent, mover) == 0:
            return final_difference(mover, opponent)
        pass_over(worker, ply)
        worker.nodes += 1
        score = -leaf_parent(worker, ply + 1, opponent, mover, -beta, -alpha)
        set_pv(worker, ply, PASS, worker)
        return score
    first = bit(to_two[0])
    second = bit(to_one[0])
    next_flips = choose_leaf(worker, mover, opponent, moves, first, second, &next_square, &next_key)
    while moves:
        square = next_square
        flips = next_flips
        key = next_key
        moves ^= bit(square)
        if flips == opponent:
            set_pv_move(worker, ply, square)
            return 64
        if moves:
            next_flips = choose_leaf(worker, mover, opponent, moves, first, second, &next_square, &next_key)
        worker.nodes += 1
        score = -evaluate_after(worker, ply, square, flips, opponent ^ flips, mover ^ flips | bit(square), key)
        if score > best:
            best = score
            if score > alpha:
                set_pv_move(worker, ply, square)
                if score >= beta:
                    to_one[0] = to_two[0] = <uint8_t>square
                    break
    return best


cdef inline int search_pass(Worker *worker, const Node *node) noexcept nogil:
    """Return the score of a node without a legal move.  A pass takes no ply of the depth."""
    cdef int score
    if bits_legal_moves(node.opponent, node.mover) == 0:
        return final_difference(node.mover, node.opponent)
    pass_over(worker, node.ply)
    score = -search(
        worker, node.ply + 1, node.opponent, node.mover, table_key(node.opponent, node.mover), -node.beta, -node.alpha,
        node.depth, node.selectivity_index,
    )
    if node.beta - node.alpha > 1:
        set_pv(worker, node.ply, PASS, worker)
    return score


cdef inline void store(Worker *worker, const Node *node, int score, int move) noexcept nogil:
    """Store the outcome of a node's search in the table."""
    table_store(
        worker.table, node.bucket, node.key, node.depth, node.selectivity_index, node.alpha, node.beta, score, move
    )


cdef inline bint transposition_cutoff(Worker *worker, const Node *node, MovePicker *picker, int *score) noexcept nogil:
    """Return whether the table knows a child that fails low, so that the node fails high with *score (ETC)."""
    cdef Found found
    cdef Candidate *candidate
    cdef int i
    for i in range(picker.count):
        candidate = &picker.moves[i]
        if table_probe(candidate.bucket, candidate.key, &found):
            if found.depth < node.depth - 1 or found.selectivity_index < node.selectivity_index:
                continue
            if -found.upper >= node.beta:
                score[0] = -found.upper
                store(worker, node, -found.upper, candidate.square)
                return True
    return False


cdef inline int deepen_internally(Worker *worker, const Node *node) noexcept nogil:
    """Return the best move of a cheaper search, or NO_MOVE (internal iterative deepening)."""
    cdef Found found
    cdef bint midgame = node.depth < node.empties
    search(
        worker, node.ply, node.mover, node.opponent, node.key, node.alpha, node.beta,
        node.depth - 2 if midgame else node.depth // 2, node.selectivity_index if midgame else 0,
    )
    worker.pv_length[node.ply] = 0
    if table_probe(node.bucket, node.key, &found):
        return found.first_move
    return NO_MOVE


cdef inline bint search_moves(
    Worker *worker, const Node *node, MovePicker *picker, bint fails_low, int *best_score, int *best_move
) noexcept nogil:
    """Search the picker's moves until one reaches beta, alone or with idle workers; return False if stopped.

    `fails_low`: none is expected to reach it, so that nothing is gained by searching the first one alone.
    """
    cdef Candidate *candidate
    cdef uint64_t flips, next_mover, next_opponent, key
    cdef int ply = node.ply, alpha = node.alpha, beta = node.beta, depth = node.depth
    cdef int selectivity_index = node.selectivity_index, best = -INFINITE, lower, score, square
    cdef bint open_window = beta - alpha > 1
    if fails_low and picker.count > 1:
        if picker.stage != REMAINING:
            order_moves(worker, node, picker, True)
        split(worker, node, &picker.moves[0], picker.count, NULL, &best, best_move)
        best_score[0] = best
        return not stopped(worker)
    while True:
        candidate = next_move(worker, node, picker)
        if candidate == NULL:
            break
        if best != -INFINITE and only_ordered_left(picker) and worth_splitting(worker, node):
            split(worker, node, candidate, picker.count - picker.next + 1, NULL, &best, best_move)
            if stopped(worker):
                return False
            break
        square = candidate.square
        flips = candidate.flips
        key = candidate.key
        next_mover = node.opponent ^ flips
        next_opponent = node.mover ^ flips | bit(square)
        if depth == RESULT_DEPTH + 1:
            machine_prefetch(result_of(worker, key))
        if open_window or depth < node.empties or node.empties > ENDGAME_EMPTIES + 1:     # the solver needs no indices
            update(worker, ply, square, flips)
        lower = best if best > alpha else alpha
        worker.pv_length[ply + 1] = 0
        if best == -INFINITE:
            score = -search(
                worker, ply + 1, next_mover, next_opponent, key, -beta, -lower, depth - 1, selectivity_index
            )
        else:
            score = ask(
                worker, ply + 1, next_mover, next_opponent, key, lower, depth - 1, selectivity_index,
                candidate.reduction,
            )
            if lower < score < beta and not stopped(worker):
                score = -search(
                    worker, ply + 1, next_mover, next_opponent, key, -beta, -lower, depth - 1, selectivity_index
                )
        if stopped(worker):
            return False
        if score > best:
            best = score
            best_move[0] = square
            if open_window and score > alpha:
                set_pv(worker, ply, square, worker)
            if score >= beta:
                break
    best_score[0] = best
    return True


cdef inline int search_node(Worker *worker, Node *node) noexcept nogil:
    """Return the score of an inner node; see search()."""
    cdef uint64_t mover = node.mover, opponent = node.opponent
    cdef int alpha = node.alpha, depth = node.depth, empties = node.empties
    cdef bint open_window = node.beta - alpha > 1
    cdef uint64_t moves
    cdef uint64_t *result = NULL
    cdef MovePicker picker
    cdef Candidate *candidate
    cdef Found found
    cdef int best, best_move = NO_MOVE, score, i
    cdef bint fails_low = False, known = False, asks_probcut
    if depth >= TABLE_DEPTH:
        node.bucket = table_bucket(worker.table, mover, opponent)
        machine_prefetch(node.bucket)
    elif depth == RESULT_DEPTH and depth < empties and not open_window:
        result = result_of(worker, node.key)
        if result_decides(result, node.key, alpha, &score):
            return score
    moves = bits_legal_moves(mover, opponent)
    if moves == 0:
        return search_pass(worker, node)
    if result != NULL and node.selectivity_index < EXACT and static_value_decides(worker, node, &score):
        return score
    if not open_window and stability_cutoff(mover, opponent, alpha, empties, &score):
        return score
    picker.first_stored = picker.second_stored = NO_MOVE
    if depth >= TABLE_DEPTH and table_probe(node.bucket, node.key, &found):
        if not open_window and found.depth >= depth and found.selectivity_index >= node.selectivity_index:
            if found.lower >= node.beta:
                return found.lower
            if found.upper <= alpha:
                return found.upper
        picker.first_stored = found.first_move
        picker.second_stored = found.second_move
        known = True
    generate_moves(&picker, moves, mover, opponent)
    asks_probcut = (
        node.selectivity_index < EXACT and depth >= PROBCUT_DEPTH and worker.probcut_level < PROBCUT_LEVELS
    )
    if depth >= (CUTOFF_DEPTH if depth < empties else CUTOFF_EMPTIES):
        for i in range(picker.count):
            candidate = &picker.moves[i]
            candidate.bucket = table_bucket(
                worker.table, opponent ^ candidate.flips, mover ^ candidate.flips | bit(candidate.square)
            )
            machine_prefetch(candidate.bucket)
        if not open_window:
            # While the buckets are on their way: most nodes will need this.
            if asks_probcut:
                value_fine(worker, node.ply, mover, opponent, node.key)
            elif picker.first_stored == NO_MOVE and way_of(worker, node) != BY_SEARCH:
                order_remaining(worker, node, &picker)
            if transposition_cutoff(worker, node, &picker, &score):
                return score
    if open_window:
        if picker.first_stored == NO_MOVE and depth >= DEEPENING_DEPTH:
            picker.first_stored = deepen_internally(worker, node)
    elif asks_probcut:
        if probcut(worker, node, &score):
            return alpha if stopped(worker) else score
    if not open_window and worth_splitting(worker, node):
        fails_low = found.upper <= alpha if known else evaluate(worker, node.ply, mover, opponent, node.key) <= alpha
    if not search_moves(worker, node, &picker, fails_low, &best, &best_move):
        return alpha
    if depth >= TABLE_DEPTH:
        store(worker, node, best, best_move)
    elif result != NULL:
        remember_result(worker, result, node.key, alpha, best)
    return best


cdef int search(
    Worker *worker, int ply, uint64_t mover, uint64_t opponent, uint64_t key, int alpha, int beta, int depth,
    int selectivity_index,
) noexcept nogil:
    """Return the score of a position: at most alpha, an upper bound; at least beta, a lower bound; otherwise true.

    `key`: the position's table_key().  `depth` in plies; from the number of empties on the score is final.  After a
    stop the score means nothing: ask stopped() before using it.  In an open window the worker's line at `ply` leads to
    the score.

    Only a wipe-out scores beyond EVALUATION_LIMIT, so nothing but proof decides a window there: neither static values
    nor ProbCut.  That is what makes it dear, and a search that proves no scores looks for it a few plies deep only.
    """
    cdef int empties = 64 - bits_count(mover | opponent)
    cdef bint open_window = beta - alpha > 1
    cdef int score
    cdef Node node
    require(alpha >= -64 and alpha < beta and beta <= 64 and selectivity_index >= 0 and selectivity_index <= EXACT)
    require(ply < MAX_PLY - 1 and mover & opponent == 0)
    if open_window:
        worker.pv_length[ply] = 0
    if depth >= empties:
        depth = empties
        if empties <= ENDGAME_EMPTIES and not open_window:
            return solve_null_window(worker, mover, opponent, alpha)
        if empties == 0:
            worker.nodes += 1
            return final_difference(mover, opponent)
    elif depth <= 0:
        worker.nodes += 1
        return evaluate(worker, ply, mover, opponent, key)
    if depth > WIPE_OUT_DEPTH and (depth < empties or selectivity_index < EXACT):
        if alpha >= EVALUATION_LIMIT:
            score = search(worker, ply, mover, opponent, key, alpha, beta, WIPE_OUT_DEPTH, selectivity_index)
            return score if score > alpha else alpha
        if beta <= -EVALUATION_LIMIT:
            score = search(worker, ply, mover, opponent, key, alpha, beta, WIPE_OUT_DEPTH, selectivity_index)
            return score if score < beta else beta
    worker.nodes += 1
    if depth == 1 and depth < empties:
        return leaf_parent(worker, ply, mover, opponent, alpha, beta)
    if worker.nodes >= worker.next_check:
        check_time(worker)
    if stopped(worker):
        return alpha
    node = Node(mover, opponent, key, NULL, ply, alpha, beta, depth, selectivity_index, empties)
    return search_node(worker, &node)
