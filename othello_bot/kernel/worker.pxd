"""What one searching thread owns: counters, the evaluation's indices of each ply, lines, and its way to what is shared."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t

from othello_bot.kernel.table cimport Table

cdef enum:
    MAX_PLY = 128        # plies from the root, passes and ordering searches included

# What ends a search from outside; shared by all its workers.
cdef struct Control:
    int stop             # raised once, by anybody; read at every node above the exact solver
    int64_t deadline_ns  # on bits_now_ns()'s clock; 0: none
    uint64_t node_limit  # 0: none

# A node whose remaining moves several workers search together.
cdef struct Split:
    Split *parent        # the shared node above it, or NULL
    int cut              # raised when the node has failed high: everybody below gives up

cdef struct Worker:
    int16_t features[128][64]     # [ply][instance]: pattern indices as the mover of that ply sees them
    uint8_t line[128][64]         # [ply]: best line found from there (principal-variation nodes only)
    int line_length[128]
    uint64_t nodes                # positions visited
    uint64_t next_check           # node count at which deadline and node limit are looked at again
    Table *table
    Control *control
    Split *split                  # the innermost shared node that this worker works under, or NULL
    const int16_t **weights       # by number of empties: table of its stage; NULL: the hand-made evaluation
    int probcut_level             # ProbCut searches that this worker is inside of
