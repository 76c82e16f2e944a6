"""What the kernel reports about a root move."""

from __future__ import annotations

from typing import NamedTuple


class RootLine(NamedTuple):
    """A root move as the last completed search of it left it.

    `score` in discs from the root mover's view; `bound` says how to read it: 0 exact, 1 a lower bound,
    2 an upper bound (see `base.evaluated.Bound`). `depth` in plies; `selectivity_index`:
    that of the kernel's selectivities, 5 for full width. `pv` begins with `move`; a pass in it is 64.
    """

    move: int
    score: int
    bound: int
    depth: int
    selectivity_index: int
    pv: tuple[int, ...]
