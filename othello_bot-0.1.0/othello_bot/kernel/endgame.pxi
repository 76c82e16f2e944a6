"""Exact endgame search for the last plies, without evaluation.

Scores are final disc differences from the mover's view; empty squares go to the winner.  Every function is a
null-window search: a score above alpha is a lower bound of the true one, any other an upper bound.

From the leaves upwards: hand-unrolled code for one to four empties, ordered by parity; then parity order with legal
moves from the bit board; then fastest first (the opponent's mobility) with a transposition table and stability
cut-offs.  The orderings are the classic ones (G. Andersson, "Writing an Othello program"; M. Buro, "The evolution of
strong Othello programs").
"""

cdef enum:
    # Up to this many empties the solver takes over from search.pxi; at 11, FFO #45 to #52 have 8 % more nodes.
    ENDGAME_EMPTIES = 10


cdef enum:
    PARITY_EMPTIES = 5      # up to here moves are ordered by parity alone; up to 6, there are 10 % more nodes
    CHECKED_EMPTIES = 7     # from here on limits are checked: below, a position is solved in a few hundred nodes
    TABLE_EMPTIES = 7       # from here on results are kept in the worker's small table; from 8 on, 5 % more nodes

cdef uint8_t[64] QUADRANT               # 1, 2, 4 or 8: which quarter of the board
cdef uint64_t[16] QUADRANT_SQUARES      # squares of a set of quadrants


cdef void fill_endgame_tables() noexcept:
    """Fill in the tables above."""
    cdef int square, quadrants
    for square in range(64):
        QUADRANT[square] = 1 << ((square & 7) // 4 + 2 * (square // 32))
    for quadrants in range(16):
        QUADRANT_SQUARES[quadrants] = 0
        for square in range(64):
            if QUADRANT[square] & quadrants:
                QUADRANT_SQUARES[quadrants] |= <uint64_t>1 << square


fill_endgame_tables()


cdef inline int solve_1(Worker *worker, uint64_t mover, int square) noexcept nogil:
    """Return the true score with one empty square; all squares that are not the mover's are the opponent's."""
    cdef int flips = bits_last_flips(square, mover), score = 2 * bits_count(mover) - 62
    worker.nodes += 1
    if flips:
        return score + 2 * flips
    flips = bits_last_flips(square, ~mover ^ bit(square))
    if flips:
        return score - 2 * flips - 2
    return score if score > 0 else score - 2


cdef inline int solve_2(Worker *worker, bits_board mover, bits_board opponent, int alpha, int a, int b) noexcept nogil:
    """Return the score with the empty squares a and b, tried in this order; passes are resolved here."""
    cdef bits_board flips
    cdef int best = -INFINITE, score
    worker.nodes += 1
    flips = bits_board_flips(a, mover, opponent)
    if bits_of_board(flips):
        best = -solve_1(worker, bits_of_board(bits_xor(opponent, flips)), b)
        if best > alpha:
            return best
    flips = bits_board_flips(b, mover, opponent)
    if bits_of_board(flips):
        score = -solve_1(worker, bits_of_board(bits_xor(opponent, flips)), a)
        return score if score > best else best
    if best != -INFINITE:
        return best
    # The mover passes.
    best = INFINITE
    flips = bits_board_flips(a, opponent, mover)
    if bits_of_board(flips):
        best = solve_1(worker, bits_of_board(bits_xor(mover, flips)), b)
        if best <= alpha:
            return best
    flips = bits_board_flips(b, opponent, mover)
    if bits_of_board(flips):
        score = solve_1(worker, bits_of_board(bits_xor(mover, flips)), a)
        return score if score < best else best
    return best if best != INFINITE else final_difference(bits_of_board(mover), bits_of_board(opponent))


cdef int solve_3(
    Worker *worker, bits_board mover, bits_board opponent, int alpha, int a, int b, int c, bint passed
) noexcept nogil:
    """Return the score with three empties, tried in this order; `passed`: the opponent has just passed."""
    cdef bits_board flips
    cdef int best = -INFINITE, score
    worker.nodes += 1
    flips = bits_board_flips(a, mover, opponent)
    if bits_of_board(flips):
        best = -solve_2(worker, bits_xor(opponent, flips), bits_after(mover, flips, a), -alpha - 1, b, c)
        if best > alpha:
            return best
    flips = bits_board_flips(b, mover, opponent)
    if bits_of_board(flips):
        score = -solve_2(worker, bits_xor(opponent, flips), bits_after(mover, flips, b), -alpha - 1, a, c)
        if score > alpha:
            return score
        if score > best:
            best = score
    flips = bits_board_flips(c, mover, opponent)
    if bits_of_board(flips):
        score = -solve_2(worker, bits_xor(opponent, flips), bits_after(mover, flips, c), -alpha - 1, a, b)
        return score if score > best else best
    if best != -INFINITE:
        return best
    if passed:
        return final_difference(bits_of_board(mover), bits_of_board(opponent))
    return -solve_3(worker, opponent, mover, -alpha - 1, a, b, c, True)


cdef inline int solve_3_by_parity(
    Worker *worker, bits_board mover, bits_board opponent, int alpha, int a, int b, int c
) noexcept nogil:
    """Return the score with three empties; where two share a quadrant, the single one is tried first."""
    cdef bint same = QUADRANT[b] == QUADRANT[c]
    cdef bint last = QUADRANT[a] == QUADRANT[b] and not same, middle = QUADRANT[a] == QUADRANT[c] and not same
    cdef int first = c if last else b if middle else a, second = a if last | middle else b, third = b if last else c
    return solve_3(worker, mover, opponent, alpha, first, second, third, False)


cdef int solve_4(
    Worker *worker, bits_board mover, bits_board opponent, int alpha, int a, int b, int c, int d, bint passed
) noexcept nogil:
    """Return the score with four empties, tried in this order; `passed`: the opponent has just passed."""
    cdef bits_board flips
    cdef int best = -INFINITE, score
    worker.nodes += 1
    flips = bits_board_flips(a, mover, opponent)
    if bits_of_board(flips):
        best = -solve_3_by_parity(worker, bits_xor(opponent, flips), bits_after(mover, flips, a), -alpha - 1, b, c, d)
        if best > alpha:
            return best
    flips = bits_board_flips(b, mover, opponent)
    if bits_of_board(flips):
        score = -solve_3_by_parity(worker, bits_xor(opponent, flips), bits_after(mover, flips, b), -alpha - 1, a, c, d)
        if score > alpha:
            return score
        if score > best:
            best = score
    flips = bits_board_flips(c, mover, opponent)
    if bits_of_board(flips):
        score = -solve_3_by_parity(worker, bits_xor(opponent, flips), bits_after(mover, flips, c), -alpha - 1, a, b, d)
        if score > alpha:
            return score
        if score > best:
            best = score
    flips = bits_board_flips(d, mover, opponent)
    if bits_of_board(flips):
        score = -solve_3_by_parity(worker, bits_xor(opponent, flips), bits_after(mover, flips, d), -alpha - 1, a, b, c)
        return score if score > best else best
    if best != -INFINITE:
        return best
    if passed:
        return final_difference(bits_of_board(mover), bits_of_board(opponent))
    return -solve_4(worker, opponent, mover, -alpha - 1, a, b, c, d, True)


cdef inline int solve_4_by_parity(
    Worker *worker, bits_board mover, bits_board opponent, int alpha, uint64_t empties, int parity
) noexcept nogil:
    """Return the score with the four `empties`; those in quadrants of the set `parity` are tried first."""
    cdef uint64_t odd = empties & QUADRANT_SQUARES[parity], even = empties ^ odd
    cdef int squares[4]
    cdef uint64_t part
    cdef int i
    for i in range(4):      # no branch depends on how many are odd
        part = odd if odd else even
        squares[i] = bits_first(part)
        part &= -part
        odd &= ~part
        even &= ~part
    return solve_4(worker, mover, opponent, alpha, squares[0], squares[1], squares[2], squares[3], False)


cdef int solve_by_parity(
    Worker *worker, uint64_t mover, uint64_t opponent, int alpha, int parity
) noexcept nogil:
    """Return the score with PARITY_EMPTIES empties, which are five; `parity`: the quadrants with an odd number."""
    cdef uint64_t moves, part, empties = ~(mover | opponent)
    cdef bits_board own = bits_board_of(mover), other = bits_board_of(opponent), flips
    cdef int best = -INFINITE, score, square
    worker.nodes += 1
    if stability_cutoff(mover, opponent, alpha, PARITY_EMPTIES, &score):
        return score
    moves = bits_legal_moves(mover, opponent)
    if moves == 0:
        if bits_legal_moves(opponent, mover) == 0:
            return final_difference(mover, opponent)
        return -solve_by_parity(worker, opponent, mover, -alpha - 1, parity)
    part = moves & QUADRANT_SQUARES[parity]
    for _ in range(2):
        while part:
            square = bits_first(part)
            part &= part - 1
            flips = bits_board_flips(square, own, other)
            score = -solve_4_by_parity(
                worker, bits_xor(other, flips), bits_after(own, flips, square), -alpha - 1, empties ^ bit(square),
                parity ^ QUADRANT[square],
            )
            if score > alpha:
                return score
            if score > best:
                best = score
        part = moves & ~QUADRANT_SQUARES[parity]
    return best


cdef inline int order_key(
    uint64_t replies, uint64_t next_mover, uint64_t next_opponent, int square, bint odd, int alpha
) noexcept nogil:
    """Return how good a move looks, as a positive number: few replies first, then odd quadrants."""
    return 2048 + 4 * odd + 8 * (
        replies_order(replies, next_mover, next_opponent) + corner_order(square)
        + kept_order(next_mover, next_opponent, alpha)
    )


# The worker's small table holds less than table.pxi's entries: proven bounds alone, no depth and no move.  A word is a
# position's key, whose last two bytes are replaced by the bounds, lower + 64 and upper + 64; the replaced bytes choose
# one of at most 2**16 buckets.  A new word comes first in its bucket and pushes out the last one.
cdef enum:
    SMALL_BUCKET = 8        # words, a cache line


cdef inline uint64_t *small_bucket(const Table *small, uint64_t key) noexcept nogil:
    """Return the first of the words where a position may be stored."""
    return <uint64_t *>small.entries + SMALL_BUCKET * ((key & 0xffff) * small.buckets >> 16)


cdef inline uint64_t small_probe(const uint64_t *bucket, uint64_t key) noexcept nogil:
    """Return the position's word, or 0 where it is not stored; without branches."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(SMALL_BUCKET):
        found |= bucket[i] if (bucket[i] ^ key) >> 16 == 0 else 0
    return found


cdef inline void small_store(uint64_t *bucket, uint64_t key, int lower, int upper) noexcept nogil:
    """Store bounds of a position that has no word yet."""
    cdef uint64_t others[SMALL_BUCKET - 1]
    memcpy(others, bucket, sizeof(others))
    memcpy(bucket + 1, others, sizeof(others))
    bucket[0] = key >> 16 << 16 | <uint64_t>(lower + 64) << 8 | <uint64_t>(upper + 64)


# The moves of a node of the solver.
cdef struct SolverMoves:
    int order[MOST_MOVES]           # value << 12 | index << 6 | square; see best_to_front()
    uint64_t flips[MOST_MOVES]      # by index
    uint64_t keys[MOST_MOVES]       # by index: table_key() of the positions after the moves


cdef inline int list_moves(
    Worker *worker, uint64_t mover, uint64_t opponent, uint64_t moves, int alpha, int empties, int parity,
    SolverMoves *listed,
) noexcept nogil:
    """Fill in the moves in any order; return their number, or 0 where one takes the opponent's last disc."""
    cdef uint64_t odd = QUADRANT_SQUARES[parity], flips, next_mover, next_opponent, replies
    cdef bits_board own = bits_board_of(mover), other = bits_board_of(opponent), board_flips
    cdef int count = 0, square, value
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        board_flips = bits_board_flips(square, own, other)
        flips = bits_of_board(board_flips)
        if flips == opponent:
            return 0
        next_mover = opponent ^ flips
        next_opponent = mover ^ flips | bit(square)
        listed.flips[count] = flips
        if empties > TABLE_EMPTIES:       # the bucket arrives while the moves are put in order
            listed.keys[count] = table_key(next_mover, next_opponent)
            machine_prefetch(small_bucket(&worker.small, listed.keys[count]))
        replies = bits_board_moves(bits_xor(other, board_flips), bits_after(own, board_flips, square))
        replies &= ~(next_mover | next_opponent)
        value = order_key(replies, next_mover, next_opponent, square, odd & bit(square) != 0, alpha)
        listed.order[count] = value << 12 | count << 6 | square
        count += 1
    return count


cdef inline void best_to_front(int *order, int count) noexcept nogil:
    """Exchange the first of the moves for the best one.

    Most nodes end with their first move or the second: sorting all of them would cost more.
    """
    cdef int front = order[0], best = front, place = 0, i
    for i in range(1, count):
        place = i if order[i] > best else place
        best = order[i] if order[i] > best else best
    order[0] = best
    order[place] = front if place else best


cdef int solve_fastest_first(
    Worker *worker, uint64_t mover, uint64_t opponent, uint64_t key, int alpha, int empties
) noexcept nogil:
    """Return the score with more than PARITY_EMPTIES empties.

    `key`: the position's table_key(), used from TABLE_EMPTIES on.
    """
    cdef uint64_t moves, flips, next_mover, next_opponent, found = 0
    cdef uint64_t *bucket = small_bucket(&worker.small, key)
    cdef SolverMoves listed
    cdef int count, best = -INFINITE, score, parity, square, index, i
    worker.nodes += 1
    if empties >= CHECKED_EMPTIES:
        if worker.nodes >= worker.next_check:
            check_time(worker)
        if stopped(worker):
            return alpha
    if stability_cutoff(mover, opponent, alpha, empties, &score):
        return score
    if empties >= TABLE_EMPTIES:
        found = small_probe(bucket, key)
        if found:
            score = <int>(found >> 8 & 255) - 64
            if score > alpha:
                return score
            score = <int>(found & 255) - 64
            if score <= alpha:
                return score
    moves = bits_legal_moves(mover, opponent)
    if moves == 0:
        if bits_legal_moves(opponent, mover) == 0:
            return final_difference(mover, opponent)
        if empties >= TABLE_EMPTIES:
            key = table_key(opponent, mover)
        return -solve_fastest_first(worker, opponent, mover, key, -alpha - 1, empties)
    parity = odd_quadrants(~(mover | opponent))
    count = list_moves(worker, mover, opponent, moves, alpha, empties, parity, &listed)
    if count == 0:
        return 64
    for i in range(count):
        best_to_front(&listed.order[i], count - i)
        square = listed.order[i] & 63
        index = listed.order[i] >> 6 & 63
        flips = listed.flips[index]
        next_mover = opponent ^ flips
        next_opponent = mover ^ flips | bit(square)
        if empties - 1 <= PARITY_EMPTIES:
            score = -solve_by_parity(worker, next_mover, next_opponent, -alpha - 1, parity ^ QUADRANT[square])
        else:
            score = -solve_fastest_first(
                worker, next_mover, next_opponent, listed.keys[index], -alpha - 1, empties - 1
            )
        if score > best:
            best = score
            if score > alpha:
                break
    # Scores of children that were cut short by a stop mean nothing.  Bounds found before stay: they seldom change.
    if empties >= TABLE_EMPTIES and not found and not (empties > CHECKED_EMPTIES and stopped(worker)):
        small_store(bucket, key, best if best > alpha else -64, best if best <= alpha else 64)
    return best


cdef int solve_null_window(Worker *worker, uint64_t mover, uint64_t opponent, int alpha) noexcept nogil:
    """Return the score of any position; meant for up to ENDGAME_EMPTIES empties."""
    cdef uint64_t empty = ~(mover | opponent)
    cdef int empties = bits_count(empty), a, b
    require(alpha >= -64 and alpha < 64 and mover & opponent == 0)
    if empties > PARITY_EMPTIES:
        return solve_fastest_first(worker, mover, opponent, table_key(mover, opponent), alpha, empties)
    if empties > 4:
        return solve_by_parity(worker, mover, opponent, alpha, odd_quadrants(empty))
    if empties == 4:
        return solve_4_by_parity(
            worker, bits_board_of(mover), bits_board_of(opponent), alpha, empty, odd_quadrants(empty)
        )
    if empties == 0:
        worker.nodes += 1
        return final_difference(mover, opponent)
    a = bits_first(empty)
    if empties == 1:
        return solve_1(worker, mover, a)
    empty &= empty - 1
    b = bits_first(empty)
    if empties == 2:
        return solve_2(worker, bits_board_of(mover), bits_board_of(opponent), alpha, a, b)
    empty &= empty - 1
    return solve_3_by_parity(
        worker, bits_board_of(mover), bits_board_of(opponent), alpha, a, b, bits_first(empty)
    )
