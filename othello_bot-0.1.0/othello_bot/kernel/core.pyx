"""The compiled kernel: one module that includes its parts, from the ground up.

`bits.h`, `lanes.h` and `machine.h` hold what only intrinsics can say. Each part below is a file with its own subject;
all share one namespace, so a part may call any other. The compiler sees all of them at once.
"""

from libc.math cimport exp, expf, fmax, fmin, log, logf
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from othello_bot.kernel.bits cimport (
    BITS_BRANCH, bits_after, bits_board, bits_board_flips, bits_board_moves, bits_board_of, bits_count, bits_first,
    bits_flips, bits_init, bits_last_flips, bits_legal_moves, bits_move_sets, bits_of_board, bits_xor,
)
from othello_bot.kernel.lanes cimport (
    CHANNELS, LANES, ORDER_BLOCKS, ORDER_LINES, ORDER_STATES, ROW_BIAS, TABLE_LANES, lanes_order, lanes_sum_weights,
    lanes_update, rows_place_of, rows_places, rows_places_of_lanes, rows_sum, rows_sum_squares,
)
from othello_bot.kernel.machine cimport (
    atomic_add, atomic_load, atomic_load64, atomic_load_acquire, atomic_store, atomic_store64, atomic_store_release,
    atomic_swap_if, machine_allocate, machine_now_ns, machine_pause, machine_prefetch, require,
)

from othello_bot.kernel import patterns
from othello_bot.kernel.root_line import RootLine

bits_init()

# What nodes are made of.
include "forks.pxi"
include "geometry.pxi"
include "stability.pxi"
include "table.pxi"
include "tuned.pxi"
include "error_model.pxi"
include "factors.pxi"
include "worker.pxi"
# What a position is worth.
include "handmade.pxi"
include "reduction.pxi"
include "evaluation.pxi"
include "evaluation_cache.pxi"
include "weights.pxi"
# The search, from the last plies to the root.
include "endgame.pxi"
include "move_picker.pxi"
include "probcut.pxi"
include "split_point.pxi"
include "search.pxi"
include "root.pxi"
include "threads.pxi"
# What Python calls.
include "searcher.pxi"
include "board.pxi"
include "batch.pxi"
include "position.pxi"
include "columns.pxi"
include "checksum.pxi"
# What has been played.
include "postings.pxi"
# How people play.
include "policy_facts.pxi"
include "policy.pxi"
include "policy_training.pxi"
