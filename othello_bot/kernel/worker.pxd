"""What one searching thread owns: counters, the evaluation's indices of each ply, lines, and its way to what is shared."""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t

from othello_bot.kernel.bits cimport BITS_CHANNELS, BITS_LANES
from othello_bot.kernel.error_model cimport Sigmas
from othello_bot.kernel.table cimport Table

cdef enum:
    MAX_PLY = 128        # plies from the root, passes and ordering searches included
    EVALUATION_UNIT = 128    # parts of a disc in which static values are counted
    SCALE_END = 64       # the last sum that the scale of an evaluation knows, in discs

# What ends a search from outside; shared by all its workers.
cdef struct Control:
    int stop             # raised once, by anybody; read at every node above the exact solver
    int64_t deadline_ns  # on bits_now_ns()'s clock; 0: none
    uint64_t node_limit  # 0: none

cdef struct Candidate:
    uint64_t flips
    int square
    int value            # higher is tried earlier

# A node whose remaining moves several workers search together.
cdef struct Split:
    Split *parent        # the shared node above it, or NULL
    Worker *owner        # who found the node; its arrays at this ply stay as they are while the node is shared
    Candidate *candidates
    int count
    int next             # next candidate to be taken
    int lock             # spin lock for `next`, `best`, `best_move` and the owner's line
    int cut              # raised when the node has failed high: everybody below gives up
    int helpers          # workers inside, the owner not counted
    int ply, depth, selectivity, alpha, beta, best, best_move, probcut_level
    uint64_t mover, opponent

cdef enum:
    BUSY = 0             # searching, or not yet ready
    IDLE = 1             # waiting for a shared node
    CALLED = 2           # somebody looks whether it may help
    HIRED = 3            # it has been given a node

# What pairs of patterns mean together (see evaluation.pyx), as rows of channels, and the scale of all that is added up.
cdef struct Factors:
    int8_t *memory                          # rows of every state, those of one phase of the game behind those of the other
    const int8_t *rows[65]                  # by number of empties: those of its phase; BITS_CHANNELS numbers each
    int16_t shift[65][BITS_CHANNELS]        # by number of empties: where the sums of the rows begin
    int16_t signs[BITS_CHANNELS]            # with which the squares count
    int16_t scale[65][SCALE_END + 2]                   # by number of empties: value of a sum of 0, 1, ... 64 discs, and the last once more
    float sums[65][SCALE_END + 1]                      # and back: sum with a value of 0, 1, ... 64 discs

cdef struct Worker:
    int16_t features[128][BITS_LANES]     # [ply][lane]: pattern indices as the mover of that ply sees them
    uint8_t line[128][64]         # [ply]: best line found from there (principal-variation nodes only)
    int line_length[128]
    uint64_t nodes                # positions visited
    uint64_t next_check           # node count at which deadline and node limit are looked at again
    Table *table
    Table small                   # its own, for the last plies: fits into the processor's cache
    Control *control
    Pool *pool                    # the other workers, or NULL where this one is alone
    Split *split                  # the innermost shared node that this worker works under, or NULL
    Split *waiting                # its own shared node, while it waits for the helpers there
    Split *given                  # the node that it was called to
    int state                     # BUSY, IDLE, CALLED or HIRED
    const int16_t **weights       # by number of empties: table of its stage; NULL: the hand-made evaluation
    const Factors *factors        # NULL: the tables alone
    const Sigmas *sigmas          # NULL: no model of its errors, and nothing is pruned
    int probcut_level             # ProbCut searches that this worker is inside of

# The workers of one searcher; the first belongs to the thread that calls, the others to threads of their own.
cdef struct Pool:
    Worker *workers
    int size
    int idle             # workers in state IDLE
    int searching        # helpers spin while it is set, sleep while it is not
    int quit
