"""What one searching thread owns: counters, stop flag, the evaluation's indices of each ply, and its way to what is shared."""

from libc.stdint cimport int16_t, uint64_t

from othello_bot.kernel.table cimport Table

cdef enum:
    MAX_PLY = 128        # plies from the root, passes included
    FEATURES = 64        # pattern instances on the board, padded to whole vectors

cdef struct Split        # a node whose moves several threads search together; defined in midgame.pxd

cdef struct Worker:
    int16_t features[128][64]     # [ply][instance]: pattern indices as the mover of that ply sees them
    uint64_t nodes                # positions visited
    Table *table
    int *stop                     # raised by whoever wants this search to end
    Split *split                  # the innermost shared node that this worker works under, or NULL
