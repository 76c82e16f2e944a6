"""The compiled kernel: bit boards, evaluation, transposition table, and the search from midgame to exact result.

From the ground up: `bits.h`, `lanes.h` and `machine.h` hold what only intrinsics can say; `geometry`, `stability`,
`table`, `handmade` and `evaluation` serve the nodes; `endgame` solves the last plies; `search` is the search, with
`move_picker`, `probcut` and `split_point`, which call it back (they cimport each other: a module exports its functions
before it imports any); `threads` holds the helpers' threads; `root` runs one iteration; `searcher` is the door for
Python. `board`, `columns`, `checksum` and `reduction` serve Python alone.

The modules are compiled for several processors (`variants`); `processor` tells what this one can run. `VARIANT` is the
name of the variant that this process uses, `BUILT` holds those that are there.
"""

from __future__ import annotations

from pathlib import Path

from othello_bot.kernel.variants import built, chosen

VARIANT = chosen(Path(__file__).parent)
BUILT = built(Path(__file__).parent)
__path__.insert(0, str(Path(__file__).with_name(VARIANT)))

__all__ = [
    "BUILT",
    "VARIANT",
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
