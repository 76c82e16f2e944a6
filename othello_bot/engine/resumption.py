"""Where a search goes on from an earlier one of the same position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GROWTH: Final = 2.2
"""An iteration takes about this many times the time of the one before it."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """How far an earlier search of the same position came: plies, percent, and the seconds its next iteration needs."""

    depth: int
    selectivity: int
    next_s: float
