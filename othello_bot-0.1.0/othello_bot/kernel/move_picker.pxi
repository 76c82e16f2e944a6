"""The moves of a node, one at a time: those that the table remembers first, then the others, best first."""

cdef enum Stage:
    FIRST_STORED         # the last best move that the table remembers
    SECOND_STORED        # the one before it
    ORDERING             # a stored move often cuts: the others are put in order only now
    REMAINING            # the others, best first

cdef struct MovePicker:
    Candidate moves[MOST_MOVES]      # as generated; from REMAINING on the other moves, best first
    int count
    int next                         # index of the next move, in stage REMAINING
    Stage stage
    int first_stored, second_stored  # squares, or NO_MOVE


cdef inline void generate_moves(MovePicker *picker, uint64_t moves, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Fill the picker with the legal moves, with their flips and keys, and make it begin."""
    cdef uint64_t flips
    cdef int square
    picker.count = 0
    picker.next = 0
    picker.stage = FIRST_STORED
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        flips = bits_flips(square, mover, opponent)
        picker.moves[picker.count].square = square
        picker.moves[picker.count].reduction = 0
        picker.moves[picker.count].flips = flips
        picker.moves[picker.count].key = table_key(opponent ^ flips, mover ^ flips | bit(square))
        picker.count += 1


cdef inline void order_remaining(Worker *worker, const Node *node, MovePicker *picker) noexcept nogil:
    """Put the moves that the table does not remember in order; they come next."""
    order_moves(worker, node, picker, False)
    picker.stage = REMAINING


cdef inline Candidate *next_move(Worker *worker, const Node *node, MovePicker *picker) noexcept nogil:
    """Return the next move, or NULL after the last.  It stays where it is until the next call."""
    cdef int i, square
    while picker.stage < ORDERING:
        if picker.stage == FIRST_STORED:
            square = picker.first_stored
            picker.stage = SECOND_STORED
        else:
            square = picker.second_stored if picker.second_stored != picker.first_stored else NO_MOVE
            picker.stage = ORDERING
        if square != NO_MOVE:
            for i in range(picker.count):
                if picker.moves[i].square == square:
                    return &picker.moves[i]
    if picker.stage == ORDERING:
        order_remaining(worker, node, picker)
    if picker.next == picker.count:
        return NULL
    picker.next += 1
    return &picker.moves[picker.next - 1]


cdef inline bint only_ordered_left(const MovePicker *picker) noexcept nogil:
    """Return whether the last move taken and at least one more stand in order from it on."""
    return picker.stage == REMAINING and picker.next < picker.count


cdef enum:
    # Least empties at which static values order the moves of the endgame: below, they cost more time than they save; a
    # smaller function orders there.
    STATIC_VALUE_EMPTIES = 16
    STATIC_VALUE_DEPTH = 3      # least depth for the same in the midgame
    SEARCH_EMPTIES = 22         # least empties at which short searches do: below, they cost what they save
    SEARCH_DEPTH = 2            # of them, after the move; 1 and 4 plies leave more nodes
    SEARCH_MARGIN = 8           # discs below alpha that a move's value need not be known
    HALF_REPLY_WORTH = 128      # in 1/EVALUATION_UNIT disc
    ENDGAME_REPLY_WORTH = 192   # the same where static values order the moves of the endgame (least time at 24 to 28)
    TABLES_REPLY_WORTH = 320    # the same where the smaller function does; 192 and 512 leave more nodes
    REDUCED_DEPTH = 4           # least depth of a node whose worse moves are searched less deep first
    REDUCED_DISCS = 6           # how far below the best value theirs lie, at 73 %: games chose it
    REDUCTION = 2               # plies, so that the parity of the leaves stays
    ORDER_UNIT = 8              # parts of a disc in which that counts
    WIPE_OUT = 1 << 24          # above every other value: the move takes the opponent's last disc
    STORED = 1 << 23            # the moves that the table remembers: below that, above all others


# What orders the moves of a node beside the replies that they leave.
cdef enum OrderedBy:
    BY_CORNERS
    BY_TABLES           # Weights.set_move_order()
    BY_STATIC_VALUE
    BY_SEARCH           # a short one after each move: in the endgame, where much depends on the order


cdef inline OrderedBy way_of(const Worker *worker, const Node *node) noexcept nogil:
    """Return what orders the moves of a node."""
    if node.depth < node.empties:
        return BY_STATIC_VALUE if node.depth >= STATIC_VALUE_DEPTH else BY_CORNERS
    if node.empties >= STATIC_VALUE_EMPTIES:
        return BY_SEARCH if node.empties >= SEARCH_EMPTIES else BY_STATIC_VALUE
    return BY_CORNERS if worker.move_order == NULL else BY_TABLES


cdef inline int reply_worth(OrderedBy way, bint endgame) noexcept nogil:
    """Return what half a reply counts, in 1/EVALUATION_UNIT disc."""
    if way == BY_TABLES:
        return TABLES_REPLY_WORTH
    return ENDGAME_REPLY_WORTH if way == BY_STATIC_VALUE and endgame else HALF_REPLY_WORTH


cdef inline int searched_value(
    Worker *worker, const Node *node, const Candidate *candidate, uint64_t next_mover, uint64_t next_opponent
) noexcept nogil:
    """Return the score of a short search after a move, in discs; well below alpha, any such score."""
    cdef int lower = node.alpha - SEARCH_MARGIN if node.alpha - SEARCH_MARGIN > -64 else -64
    update(worker, node.ply, candidate.square, candidate.flips)
    return -search(worker, node.ply + 1, next_mover, next_opponent, candidate.key, -64, -lower, SEARCH_DEPTH, 0)


cdef inline void sort_moves(Candidate *moves, int count) noexcept nogil:
    """Put moves in order, best first, equal ones as they are.

    Each is compared with all others: no branch depends on a value, which would be predicted wrongly half of the time.
    """
    cdef Candidate unsorted[MOST_MOVES]
    cdef int places[MOST_MOVES]
    cdef int i, j, before, place
    for i in range(count):
        unsorted[i] = moves[i]
        place = i
        for j in range(i):
            before = moves[j].value < moves[i].value
            places[j] += before
            place -= before
        places[i] = place
    for i in range(count):
        moves[places[i]] = unsorted[i]


cdef inline void reduce_late(const Worker *worker, const Node *node, Candidate *moves, int count) noexcept nogil:
    """Let moves whose values lie far below the best one's be searched less deep first, in selective null windows.

    (Late move reductions, by value instead of place.)  Does nothing at a node whose moves have no static values.  The
    distance grows with the selectivity, as ProbCut's margins do; where ProbCut has no model of errors, or one without
    a clue, nothing is reduced.
    """
    cdef int best = -WIPE_OUT, empties = node.empties, i
    cdef double highest, width = QUANTILE[node.selectivity_index]
    if node.depth < REDUCED_DEPTH or node.depth >= empties or node.beta - node.alpha > 1:
        return
    if empties > 60 or worker.sigmas == NULL or width * worker.sigmas.of[empties][node.depth][0] >= SCALE_END:
        return
    for i in range(count):
        if moves[i].value < STORED and moves[i].value > best:
            best = moves[i].value
    highest = best - REDUCED_DISCS * EVALUATION_UNIT * width / QUANTILE[0]
    for i in range(count):
        if moves[i].value < highest:
            moves[i].reduction = REDUCTION


cdef void order_moves(Worker *worker, const Node *node, MovePicker *picker, bint with_stored) noexcept nogil:
    """Leave the moves that the table does not remember, best first; of equal ones the lower square.

    `with_stored`: leave those that it remembers too, in front of the others.
    """
    cdef Candidate candidate
    cdef uint64_t mover = node.mover, opponent = node.opponent, next_mover, next_opponent
    cdef bint endgame = node.depth >= node.empties, stored
    cdef OrderedBy way = way_of(worker, node)
    cdef int half_reply_worth = reply_worth(way, endgame), ply = node.ply, count = 0, i
    if way == BY_STATIC_VALUE:
        for i in range(picker.count):
            prefetch_value(worker, picker.moves[i].key)
    for i in range(picker.count):
        candidate = picker.moves[i]
        stored = candidate.square == picker.first_stored or candidate.square == picker.second_stored
        if stored and not with_stored:
            continue
        next_mover = opponent ^ candidate.flips
        next_opponent = mover ^ candidate.flips | bit(candidate.square)
        if next_mover == 0:
            candidate.value = WIPE_OUT
        elif stored:
            candidate.value = STORED + (candidate.square == picker.first_stored)
        else:
            candidate.value = mobility_order(next_mover, next_opponent) * half_reply_worth
            if way == BY_SEARCH:
                candidate.value += EVALUATION_UNIT * searched_value(worker, node, &candidate, next_mover, next_opponent)
            elif way == BY_TABLES:
                candidate.value -= EVALUATION_UNIT // ORDER_UNIT * lanes_order(
                    worker.move_order, worker.features[ply], PLACED, candidate.square, candidate.flips
                )
            elif way == BY_STATIC_VALUE:
                worker.nodes += 1
                candidate.value -= value_fine_after(
                    worker, ply, candidate.square, candidate.flips, next_mover, next_opponent, candidate.key
                )
            else:
                candidate.value += corner_order(candidate.square) * half_reply_worth
            if endgame:
                candidate.value += kept_order(next_mover, next_opponent, node.alpha) * half_reply_worth
        picker.moves[count] = candidate
        count += 1
    picker.count = count
    reduce_late(worker, node, picker.moves, count)
    sort_moves(picker.moves, count)
