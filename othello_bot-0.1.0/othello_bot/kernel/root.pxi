"""The root of a search: its moves with what is known of each, best first; one iteration at a time.

Which iterations with which windows is the caller's business.
"""

cdef struct Root:
    RootMove moves[MOST_MOVES]
    int count
    int searched                     # moves that the iteration has completed: where it goes on after a pause
    Node node                        # its position, and what this iteration asks of it
    Worker *worker                   # who searches now


cdef void root_begin(Root *root, Worker *worker, uint64_t considered) noexcept nogil:
    """List the moves of the root's node in order of static value: there is an answer however soon the search stops.

    Only the moves to the squares `considered` are taken, all where it is 0.
    """
    cdef uint64_t mover = root.node.mover, opponent = root.node.opponent
    cdef uint64_t moves = bits_legal_moves(mover, opponent) & (considered if considered else ~<uint64_t>0)
    cdef uint64_t next_mover, next_opponent
    cdef RootMove move
    cdef int place
    root.count = 0
    indices_from_scratch(worker.features[0], mover, opponent)
    while moves:
        move.square = bits_first(moves)
        move.flips = bits_flips(move.square, mover, opponent)
        moves &= moves - 1
        next_mover = opponent ^ move.flips
        next_opponent = mover ^ move.flips | bit(move.square)
        move.key = table_key(next_mover, next_opponent)
        move.score = -evaluate_after(worker, 0, move.square, move.flips, next_mover, next_opponent, move.key)
        move.bound = BOUND_EXACT
        move.depth = 1
        move.selectivity_index = 0
        move.pv[0] = <uint8_t>move.square
        move.pv_length = 1
        place = root.count
        while place > 0 and root.moves[place - 1].score < move.score:
            root.moves[place] = root.moves[place - 1]
            place -= 1
        root.moves[place] = move
        root.count += 1


cdef inline int search_move(Root *root, const RootMove *move, int alpha, int beta) noexcept nogil:
    """Return the score of a root move by a search; the line to it is the worker's at ply 1."""
    update(root.worker, 0, move.square, move.flips)
    root.worker.pv_length[1] = 0
    return -search(
        root.worker, 1, root.node.opponent ^ move.flips, root.node.mover ^ move.flips | bit(move.square), move.key,
        -beta, -alpha, root.node.depth - 1, root.node.selectivity_index,
    )


cdef int score_by_null_windows(Root *root, const RootMove *move, int alpha, int beta) noexcept nogil:
    """Return what search_move() returns, without a line to it, by null windows from the move's present score on.

    The solver of the last plies has null windows alone, and they cost less than an open one (compare MTD(f): A. Plaat
    and others, 1996).  A stop ends it with a score that means nothing.
    """
    cdef bint is_final = root.node.depth >= root.node.empties
    cdef int lower = alpha, upper = beta, asked = move.score, score
    while lower < upper and not stopped(root.worker):
        asked = max(lower + 1, min(upper, asked))
        score = search_move(root, move, asked - 1, asked)
        if score >= asked:
            lower = score
            asked = score + 1 + is_final
        else:
            # Final scores are even: the empty squares go to the winner.
            asked = upper = score & ~1 if is_final else score
    return lower if lower > alpha else upper


cdef inline bint better(const RootMove *move, const RootMove *other) noexcept nogil:
    """Return whether a searched move goes before another one.  A mere upper bound never does."""
    if move.bound == BOUND_UPPER:
        return False
    return move.score > other.score or move.score == other.score and other.bound == BOUND_UPPER


cdef inline void move_up(Root *root, int index, const RootMove *searched) noexcept nogil:
    """Put a searched move in its place among those that this iteration has searched."""
    cdef int place = index
    while place > 0 and better(searched, &root.moves[place - 1]):
        root.moves[place] = root.moves[place - 1]
        place -= 1
    root.moves[place] = searched[0]


cdef bint search_together(Root *root, int first) noexcept nogil:
    """Search the moves from `first` on with every worker that joins; return False if stopped.

    The best move is known: the others are asked whether they are better.
    """
    cdef RootMove found[MOST_MOVES]
    cdef Candidate candidates[MOST_MOVES]
    cdef Node node = root.node
    cdef int count = root.count - first, best_move = 0, best, i
    for i in range(count):
        found[i] = root.moves[first + i]
        found[i].depth = 0
        candidates[i].square = found[i].square
        candidates[i].flips = found[i].flips
        candidates[i].key = found[i].key
        candidates[i].reduction = 0
    if root.moves[0].score > node.alpha:
        node.alpha = root.moves[0].score
    best = node.alpha
    split(root.worker, &node, candidates, count, found, &best, &best_move)
    for i in range(count):
        if found[i].depth != 0:
            move_up(root, first + i, &found[i])
    return not stopped(root.worker)


cdef bint root_iterate(
    Root *root, Worker *worker, int depth, int selectivity_index, int alpha, int beta, int multi_pv, bint scores_alone
) noexcept nogil:
    """Search all moves; return False if stopped, then those completed and better than others have moved up already.

    The `multi_pv` best moves get true scores, as far as they lie within alpha and beta, the others bounds.
    `scores_alone`: no line is wanted, which saves open windows.
    """
    cdef RootMove searched
    cdef int i, lower, score
    root.worker, root.node.depth, root.node.selectivity_index = worker, depth, selectivity_index
    root.node.alpha, root.node.beta = alpha, beta
    for i in range(root.searched, root.count):
        searched = root.moves[i]
        lower = alpha
        if i >= multi_pv and root.moves[multi_pv - 1].score > alpha:
            lower = root.moves[multi_pv - 1].score
        if lower >= beta:
            break
        if i == 1 and multi_pv == 1 and worth_splitting(worker, &root.node):
            if not search_together(root, i):
                return False
            break
        if i >= multi_pv:
            searched.score = score = search_move(root, &searched, lower, lower + 1)
        if i < multi_pv or lower < score < beta and not stopped(worker):
            if scores_alone:
                score = score_by_null_windows(root, &searched, lower, beta)
            else:
                score = search_move(root, &searched, lower, beta)
        if stopped(worker):
            return False
        record(
            &searched, score, lower, beta, depth, selectivity_index,
            worker.pv[1] if not scores_alone and (score > lower or i < multi_pv) else NULL, worker.pv_length[1],
        )
        move_up(root, i, &searched)
        root.searched = i + 1
    # Where every move failed low, what is known of the position is the highest of their bounds.
    if root.moves[0].bound == BOUND_UPPER:
        for i in range(1, root.count):
            if root.moves[i].score > root.moves[0].score:
                root.moves[0].score = root.moves[i].score
    return True


cdef bint root_clearly_best(Root *root, Worker *worker, int margin, int depth, int selectivity_index) noexcept nogil:
    """Return whether no other move comes within `margin` discs of the best one's score; False if stopped."""
    cdef int i, bound
    root.worker, root.node.depth, root.node.selectivity_index = worker, depth, selectivity_index
    if root.count == 0 or root.moves[0].score - margin <= -64:
        return False
    bound = root.moves[0].score - margin
    for i in range(1, root.count):
        if search_move(root, &root.moves[i], bound - 1, bound) >= bound:
            return False
        if stopped(worker):
            return False
    return True
