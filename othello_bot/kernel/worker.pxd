"""What a searching thread owns, and what the threads of one search share."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t

from othello_bot.kernel.error_model cimport Sigmas
from othello_bot.kernel.factors cimport Factors
from othello_bot.kernel.lanes cimport LANES
from othello_bot.kernel.root_move cimport PV_LENGTH, RootMove
from othello_bot.kernel.table cimport Table

cdef enum:
    MAX_PLY = 128        # plies from the root, passes and ordering searches included

# What ends a search from outside; shared by all its workers.
cdef struct Control:
    int stop             # atomic: raised by any thread, see limits.pxd; read at every node above the exact solver
    int64_t deadline_ns  # on machine_now_ns()'s clock; 0: none
    uint64_t node_limit  # 0: none

cdef struct Candidate:
    uint64_t flips
    int square
    int value            # higher is tried earlier

# A node whose remaining moves several workers search together.
cdef struct SplitPoint:
    SplitPoint *parent   # the split point above it, or NULL
    Worker *owner        # who found the node; its arrays at this ply stay as they are while the node is split
    Candidate *candidates
    int count
    int next             # atomic: next candidate to be taken; written under `lock`
    int lock             # spin lock
    int helpers          # atomic: workers inside, the owner not counted
    int best             # atomic; from beta on the node has failed high; written under `lock`, as is the owner's line
    int best_move        # guarded by `lock`
    int ply, depth, selectivity, alpha, beta, probcut_level
    int asked_above      # what its owner's move at the split point above has to exceed
    uint64_t mover, opponent
    RootMove *found      # at the root: what was found of each candidate; its depth is 0 until then.  NULL elsewhere

cdef struct Worker:
    int16_t features[MAX_PLY][LANES]     # [ply][lane]: pattern indices as the mover of that ply sees them
    uint8_t pv[MAX_PLY][PV_LENGTH]            # [ply]: best line found from there (principal-variation nodes only)
    int pv_length[MAX_PLY]
    uint64_t nodes                # positions visited
    uint64_t idle_ns              # atomic: time without work since begin(), for measuring
    uint64_t next_check           # node count at which deadline and node limit are checked again
    int abandoned                 # atomic: what this worker searches is not needed any more
    Table *table
    Table small                   # its own, for the last plies: fits into the processor's cache
    uint64_t *values              # its evaluation cache
    Control *control
    Pool *pool                    # the other workers, or NULL where this one is alone
    const int16_t **weights       # by number of empties: table of its stage; NULL: the hand-made evaluation
    const Factors *factors        # NULL: the tables alone
    const Sigmas *sigmas          # NULL: no error model, and nothing is pruned
    int probcut_level             # ProbCut searches that this worker is inside of
    # What follows is written by other workers too: it has cache lines of its own, away from what every node reads.
    uint64_t before_shared[8]
    SplitPoint *split_point       # the innermost split point that this worker works below, or NULL; see chain_lock
    int asked                     # what its move at that split point has to exceed; see chain_lock
    SplitPoint *waiting           # its own split point, while it waits for the helpers there
    int chain_lock                # spin lock: while it is held, `split_point` and the open ones above it stay open
    int open                      # atomic: split points of its own that are open
    uint64_t after_shared[8]

# The workers of one searcher; the first belongs to the calling thread, the others to threads of their own.
cdef struct Pool:
    Worker *workers
    int size
    int searching        # atomic: helpers spin while it is set and sleep while it is not
    int quit             # atomic
