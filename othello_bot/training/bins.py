"""Reported scores beside exact ones, in bins of the reported score."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH_DISCS: Final = 5
"""Width of a bin of reported scores."""

LEAST_POSITIONS: Final = 100
"""A bin with fewer positions is not judged; neighbours are joined until they have as many."""

TOLERANCE_DISCS: Final = 0.5
"""A score means what it says if the exact scores of its bin are at most this far away on average."""

CERTAIN_ERRORS: Final = 2
"""A bin is off if its mean lies beyond the tolerance by more than this many standard errors."""


@dataclass(frozen=True)
class Bin:
    """The positions whose reported score is at least `low` discs and less than `high`."""

    low: int
    high: int
    positions: int
    exact_minus_reported: float
    standard_error: float

    @property
    def is_judged(self) -> bool:
        """Whether the bin has enough positions to be judged."""
        return self.positions >= LEAST_POSITIONS

    @property
    def is_off(self) -> bool:
        """Whether the scores of a judged bin do not mean what they say."""
        beyond = abs(self.exact_minus_reported) - TOLERANCE_DISCS
        return self.is_judged and beyond > CERTAIN_ERRORS * self.standard_error


def bins(pairs: Iterable[tuple[float, float]], least: int = 1) -> list[Bin]:
    """Return the bins of pairs of a reported and an exact score in discs, lowest first.

    From the lowest one on, neighbours are joined until a bin has the `least` positions; what remains at the top goes
    into the last bin. Positions are chosen by what a user sees, the reported score: bins of the exact score would
    select by outcome.
    """
    differences: defaultdict[int, list[float]] = defaultdict(list)
    for reported, exact in pairs:
        differences[int(reported // WIDTH_DISCS) * WIDTH_DISCS].append(exact - reported)
    joined: list[list[int]] = []

    def lacks(lows: list[int]) -> bool:
        return sum(len(differences[low]) for low in lows) < least

    for low in sorted(differences):
        if joined and lacks(joined[-1]):
            joined[-1].append(low)
        else:
            joined.append([low])
    if len(joined) > 1 and lacks(joined[-1]):
        last = joined.pop()
        joined[-1] += last
    found = [(lows, [value for low in lows for value in differences[low]]) for lows in joined]
    return [Bin(lows[0], lows[-1] + WIDTH_DISCS, len(values), *mean(values)) for lows, values in found]


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, which is NaN for a single value; raise StatisticsError for none."""
    spread = statistics.stdev(values) if len(values) > 1 else float("nan")
    return statistics.fmean(values), spread / len(values) ** 0.5
