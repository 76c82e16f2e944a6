"""What a searching thread owns, what the threads of one search share, and when a search has to end.

A root move is what is known of a move at the root.  A search ends by its deadline, its node limit, a stop from outside,
or a decision at a node above.  Each worker keeps the principal variations that it found, one for each ply.
"""

cdef enum:
    PV_LENGTH = 64       # moves that are kept of a line

# How a root move's score relates to the true one; base.evaluated.Bound names them for Python.
cdef enum:
    BOUND_EXACT = 0
    BOUND_LOWER = 1
    BOUND_UPPER = 2

cdef struct RootMove:
    uint64_t flips
    uint64_t key           # table_key() of the position after the move
    int square
    int score              # discs, mover's view, of the last iteration that completed this move
    int bound
    int depth
    int selectivity_index
    int pv_length
    uint8_t pv[PV_LENGTH]


cdef inline int bound_of(int score, int alpha, int beta) noexcept nogil:
    """Return what a score of a search with this window is.  No bound is at the end of the scale: that is the score."""
    if score <= alpha and alpha > -64:
        return BOUND_UPPER
    if score >= beta and beta < 64:
        return BOUND_LOWER
    return BOUND_EXACT


cdef inline void record(
    RootMove *move, int score, int alpha, int beta, int depth, int selectivity_index, const uint8_t *line, int length
) noexcept nogil:
    """Set what a search with the window alpha, beta found; `line` continues the move's line, NULL keeps the old one."""
    move.score = score
    move.bound = bound_of(score, alpha, beta)
    move.depth = depth
    move.selectivity_index = selectivity_index
    if line != NULL:
        move.pv_length = 1 + (length if length < PV_LENGTH - 1 else PV_LENGTH - 1)
        memcpy(&move.pv[1], line, move.pv_length - 1)


cdef enum:
    MAX_PLY = 128        # plies from the root, passes and ordering searches included

# What ends a search from outside; shared by all its workers.
cdef struct Control:
    int stop             # atomic: raised by any thread, read at every node above the exact solver
    int64_t deadline_ns  # on machine_now_ns()'s clock; 0: none
    int64_t pause_ns     # when an iteration pauses, on the same clock; 0: never
    uint64_t node_limit  # 0: none

cdef struct Candidate:
    uint64_t flips
    uint64_t key         # table_key() of the position after the move
    Entry *bucket        # where that position may be stored, if the node looks for it there
    int square
    int value            # higher is tried earlier
    int reduction        # plies less of the search that a null window tries first; see reduce_late()

# An inner node of the tree: its position, and what is asked of it; see search().
cdef struct Node:
    uint64_t mover, opponent
    uint64_t key         # table_key() of the position
    Entry *bucket        # where the table may know the position; NULL at a node too small for the table
    int ply, alpha, beta, depth, selectivity_index, empties

# A node whose remaining moves several workers search together.
cdef struct SplitPoint:
    const Node *node
    SplitPoint *parent   # the split point above it, or NULL
    Worker *owner        # who found the node; its arrays at this ply stay as they are while the node is split
    Candidate *candidates
    int count
    int next             # atomic: next candidate to be taken; written under `lock`
    int lock             # spin lock
    int helpers          # atomic: workers inside, the owner not counted
    int best             # atomic; from beta on the node has failed high; written under `lock`, as is the owner's line
    int best_move        # guarded by `lock`
    int probcut_level
    int asked_above      # what its owner's move at the split point above has to exceed
    RootMove *found      # at the root: what was found of each candidate; its depth is 0 until then.  NULL elsewhere

cdef struct Worker:
    int16_t features[MAX_PLY][LANES]     # [ply][lane]: pattern indices as the mover of that ply sees them
    uint8_t pv[MAX_PLY][PV_LENGTH]            # [ply]: best line found from there (principal-variation nodes only)
    int pv_length[MAX_PLY]
    uint8_t played[MAX_PLY]                   # [ply]: the square of the move to the next ply
    uint8_t replies[64]                       # to each move: the last that failed high above the leaves; 0 at first
    uint8_t replies_to_two[64][64]            # the same to two moves
    uint64_t nodes                # positions visited
    uint64_t idle_ns              # atomic: time without work since begin(), for measuring
    uint64_t next_check           # node count at which deadline and node limit are checked again
    int abandoned                 # atomic: what this worker searches is not needed any more
    Table *table
    Table small                   # its own, for the last plies: fits into the processor's cache; see endgame.pxi
    uint64_t *values              # its evaluation cache
    uint64_t *results             # a cache of shallow searches that some workers share; see evaluation_cache.pxi
    bint has_results              # whether it has put anything there
    Control *control
    Pool *pool                    # the other workers, or NULL where this one is alone
    const int16_t **weights       # by number of empties: table of its stage; NULL: the hand-made evaluation
    const Factors *factors        # NULL: the tables alone
    const int8_t *move_order      # see Weights.set_move_order(); NULL: none
    const Sigmas *sigmas          # NULL: no error model, and nothing is pruned
    int probcut_level             # ProbCut searches that this worker is inside of
    # What follows is read and written by other workers too: it has cache lines of its own, away from what every node
    # reads, and `open`, which idle workers look at, one away from what this worker writes with each move.
    uint64_t before_shared[8]
    SplitPoint *split_point       # the innermost split point that this worker works below, or NULL; see chain_lock
    int asked                     # what its move at that split point has to exceed; see chain_lock
    SplitPoint *waiting           # its own split point, while it waits for the helpers there
    int chain_lock                # spin lock: while it is held, `split_point` and the open ones above it stay open
    uint64_t before_open[8]
    int open                      # atomic: split points of its own with a move left
    uint64_t after_shared[8]

# The workers of one searcher; the first belongs to the calling thread, the others to threads of their own.
cdef struct Pool:
    Worker *workers
    int size
    int searching        # atomic: helpers spin while it is set and sleep while it is not
    int quit             # atomic
    # Each has a cache line of its own.
    uint64_t before_idle[8]
    int idle             # atomic: workers that look for work
    uint64_t before_offers[8]
    int offers           # atomic: grows with each split point that is opened while a worker looks for work
    uint64_t after_offers[8]


cdef enum:
    CHECK_NODES = 1024        # nodes between two checks of the clock: a millisecond on a machine ten times slower
    # What Control.stop is, other than 0:
    STOP_ASKED = 1            # somebody asked for it, perhaps before the search began: only arm() takes it back
    LIMIT_REACHED = 2         # the deadline or the node limit: this ends with the search
    PAUSED = 3                # the end of a slice: the same iteration goes on from the table


cdef inline void check_time(Worker *worker) noexcept nogil:
    """Raise the stop flag when the deadline or the node limit has been reached, and schedule the next check."""
    cdef uint64_t limit = worker.control.node_limit
    worker.next_check = worker.nodes + CHECK_NODES
    if limit != 0:
        if worker.nodes >= limit:
            atomic_swap_if(&worker.control.stop, 0, LIMIT_REACHED)
        elif worker.next_check > limit:
            worker.next_check = limit
    if worker.control.deadline_ns != 0 and machine_now_ns() >= worker.control.deadline_ns:
        atomic_swap_if(&worker.control.stop, 0, LIMIT_REACHED)
    if worker.control.pause_ns != 0 and machine_now_ns() >= worker.control.pause_ns:
        atomic_swap_if(&worker.control.stop, 0, PAUSED)


cdef inline bint stopped(Worker *worker) noexcept nogil:
    """Return whether the search was stopped, or what the worker searches is not needed any more."""
    return atomic_load(&worker.control.stop) or atomic_load(&worker.abandoned)


cdef inline int played_before(const Worker *worker, int ply, int count) noexcept nogil:
    """Return the square of the move `count` plies before; any square for a pass, or beyond the root."""
    return worker.played[ply - count] if ply >= count else 0


cdef inline void set_pv_move(Worker *worker, int ply, int move) noexcept nogil:
    """Set the worker's line at `ply` to the single `move`."""
    worker.pv[ply][0] = <uint8_t>move
    worker.pv_length[ply] = 1


cdef inline void set_pv(Worker *owner, int ply, int move, Worker *finder) noexcept nogil:
    """Set the owner's line at `ply` to `move`, followed by the finder's line at the next ply."""
    cdef int length = finder.pv_length[ply + 1]
    if length > PV_LENGTH - 1:
        length = PV_LENGTH - 1
    owner.pv[ply][0] = <uint8_t>move
    memcpy(&owner.pv[ply][1], finder.pv[ply + 1], length)
    owner.pv_length[ply] = length + 1
