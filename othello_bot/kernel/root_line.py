"""What the kernel reports about a root move."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Bound(IntEnum):
    """How a score relates to the true one: equal to it, at most it (a lower bound), or at least it (an upper bound)."""

    EXACT = 0
    LOWER = 1
    UPPER = 2


class RootLine(NamedTuple):
    """A root move as the last completed search of it left it.

    `score` in discs from the root mover's view; `bound` says how to read it. `depth` in plies; `selectivity_index`:
    that of the kernel's selectivities, 5 for full width. `pv` begins with `move`; a pass in it is 64.
    """

    move: int
    score: int
    bound: Bound
    depth: int
    selectivity_index: int
    pv: tuple[int, ...]
