"""The compiled kernel: bit boards, evaluation, transposition table, and the search from midgame to exact result.

From the ground up: `bits.h`, `lanes.h` and `machine.h` hold what only intrinsics can say; `geometry`, `stability`,
`table`, `handmade` and `evaluation` serve the nodes; `endgame` solves the last plies; `search` is the search, with
`move_picker`, `probcut` and `split_point`, which call it back (they cimport each other: a module exports its functions
before it imports any); `threads` holds the helpers' threads; `root` runs one iteration; `searcher` is the door for
Python. `board`, `columns`, `checksum` and `reduction` serve Python alone.
"""

from __future__ import annotations

__all__ = [
    "board",
    "checksum",
    "columns",
    "error_model",
    "evaluation",
    "handmade",
    "patterns",
    "reduction",
    "root_line",
    "searcher",
]
