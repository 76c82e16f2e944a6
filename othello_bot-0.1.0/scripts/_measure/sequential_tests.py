"""Many sequential tests at once, with likelihoods by other means than the program's, in NumPy.

The likeliest distribution of a normalised difference comes from Michel Van den Bergh's iteration, whose fixed point has
the tilted shares; the arena looks for tangents of a parabola.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from othello_bot.arena.pentanomial import NORMALISED_SCALE, PAIR_SCORES, UNSEEN
from othello_bot.arena.sprt import Sprt

SCORES: Final = np.array(PAIR_SCORES)

FEW_PAIRS: Final = 10
"""With fewer pairs, no test that is simulated here can end."""

NEAR: Final = 6.0
"""The estimated ratio of so many pairs is wrong by less than `NEAR` divided by their root, if it is near a bound."""


class SequentialTests:
    """Tests of two normalised differences, without schedules: one pair after the other."""

    def __init__(self, test: Sprt) -> None:
        self._test = test
        self._ends = [math.sqrt(2) / NORMALISED_SCALE * elo for elo in (test.elo0, test.elo1)]

    def accepted(self, rng: Any, tests: int, chances: Sequence[float]) -> tuple[int, int, int]:
        """Return how many accept H0, how many H1, and their pairs, whose outcomes have these chances."""
        steps = np.cumsum(chances)[:-1]
        counts = np.zeros((tests, len(PAIR_SCORES)))
        pairs = played = h0 = h1 = 0
        while len(counts):
            counts[np.arange(len(counts)), np.searchsorted(steps, rng.random(len(counts)))] += 1
            pairs, played = pairs + 1, played + len(counts)
            if pairs >= FEW_PAIRS:
                ratios = self.ratios(counts)
                h0 += int((ratios <= self._test.lower).sum())
                h1 += int((ratios >= self._test.upper).sum())
                counts = counts[(ratios > self._test.lower) & (ratios < self._test.upper)]
        return h0, h1, played

    def ratios(self, counts: Any) -> Any:
        """Return the log-likelihood ratio of each row of counts; far from the bounds, to second order."""
        low, high = self._ends
        seen = np.maximum(counts, UNSEEN)
        pairs = seen.sum(1)
        shares = seen / pairs[:, None]
        away = SCORES - (shares @ SCORES)[:, None]
        deviation = np.sqrt((shares * away**2).sum(1))
        away = away / deviation[:, None]
        value = (shares @ SCORES - 0.5) / deviation
        skew, kurtosis = (shares * away**3).sum(1), (shares * away**4).sum(1)
        found = pairs * (high - low) * (value - (low + high) / 2) / (1 - value * skew + value**2 / 4 * (kurtosis - 1))
        near = np.minimum(self._test.upper - found, found - self._test.lower) < NEAR / np.sqrt(pairs)
        found[near] = self.exact_ratios(counts[near])
        return found

    def exact_ratios(self, counts: Any) -> Any:
        """Return the log-likelihood ratio of each row of counts."""
        if not len(counts):
            return np.zeros(0)
        seen = np.maximum(counts, UNSEEN)
        shares = seen / seen.sum(1)[:, None]
        low, high = (_with_deviations(shares, end) for end in self._ends)
        return (seen * np.log(high / low)).sum(1)


def _with_deviations(shares: Any, deviations: float) -> Any:
    """Return the likeliest distributions whose mean lies so many standard deviations above 1/2."""
    found = np.full_like(shares, 1 / len(PAIR_SCORES))
    for _ in range(200):
        away = SCORES - (found @ SCORES)[:, None]
        deviation = np.sqrt((found * away**2).sum(1))[:, None]
        before = found
        found = _tilted(shares, SCORES - 0.5 - deviations * deviation * (1 + (away / deviation) ** 2) / 2)
        if abs(found - before).max() < 1e-9:
            break
    return found


def _tilted(shares: Any, values: Any) -> Any:
    """Return the likeliest distributions in which the values average 0."""
    low, high = -1 / values.max(1), -1 / values.min(1)
    multiplier = np.zeros(len(shares))
    for _ in range(60):
        parts = values / (1 + multiplier[:, None] * values)
        height = (shares * parts).sum(1)
        if abs(height).max() < 1e-12:
            break
        low, high = np.where(height > 0, multiplier, low), np.where(height < 0, multiplier, high)
        newton = multiplier + height / (shares * parts * parts).sum(1)
        multiplier = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
    return shares / (1 + multiplier[:, None] * values)
