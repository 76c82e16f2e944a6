"""What the results of a match say about the difference of two players: pure functions of counts.

Openings are played in pairs with the colours swapped, and the two games of a pair are not independent, so the unit of
every error here is the pair: the pentanomial model of fishtest (https://github.com/official-stockfish/fishtest/wiki ,
"Fishtest mathematics"). Normalised Elo is Michel Van den Bergh's ("Comments on Normalized Elo"); the interval of the
Elo difference and the likelihood of superiority are computed as fastchess and OpenBench do. No code of theirs is used;
the tests compare with numbers that those programs published.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points a game of a pair that brought 0, 1/2, 1, 3/2 or 2 points: the five outcomes, in the order of all counts."""

NORMALISED_SCALE: Final = 800 / math.log(10)
"""Normalised Elo of a score that is one standard deviation of a game above 1/2."""

QUANTILE_95: Final = 1.959963984540054
"""A normal variable lies within so many standard deviations with a probability of 95 %."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Moments:
    """Number, mean and variance (of one, by maximum likelihood) of what was observed."""

    count: float
    mean: float
    variance: float

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean; 0 without observations."""
        return math.sqrt(self.variance / self.count) if self.count else 0.0


def moments(counts: Sequence[float], values: Sequence[float] = PAIR_SCORES) -> Moments:
    """Return the moments of `values` observed `counts` times each; a mean of 1/2 where nothing was observed."""
    total = float(sum(counts))
    if not total:
        return Moments(0.0, 0.5, 0.0)
    mean = sum(count * value for count, value in zip(counts, values, strict=True)) / total
    variance = sum(count * (value - mean) ** 2 for count, value in zip(counts, values, strict=True)) / total
    return Moments(total, mean, variance)


def elo_of_score(score: float) -> float:
    """Return the logistic Elo difference of an expected score; plus or minus infinity at 1 and 0.

    >>> round(elo_of_score(0.75), 2)
    190.85
    """
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    # Of an even score it is 0 and not -0.
    return 0.0 - 400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """Return the expected score of a logistic Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo(counts: Sequence[float]) -> Estimate:
    """Return the logistic Elo difference of pentanomial counts, with the interval of the mean score carried over.

    Pairs that all ended alike tell nothing about how much they vary: the interval is then everything.
    """
    found = moments(counts)
    if not found.variance:
        return Estimate(elo_of_score(found.mean), -math.inf, math.inf)
    margin = QUANTILE_95 * found.standard_error
    return Estimate(
        elo_of_score(found.mean),
        elo_of_score(max(0.0, found.mean - margin)),
        elo_of_score(min(1.0, found.mean + margin)),
    )


def normalised_elo(counts: Sequence[float]) -> Estimate:
    """Return the normalised Elo difference: the score above 1/2 in standard deviations of a game, times a scale.

    Two games of a pair have the variance of the pair's mean twice over, hence the factor 2.
    """
    found = moments(counts)
    if not found.variance:
        value = 0.0 if found.mean == 0.5 else math.copysign(math.inf, found.mean - 0.5)
        return Estimate(value, -math.inf, math.inf)
    deviation = math.sqrt(2 * found.variance)
    value = NORMALISED_SCALE * (found.mean - 0.5) / deviation
    margin = NORMALISED_SCALE * QUANTILE_95 * found.standard_error / deviation
    return Estimate(value, value - margin, value + margin)


def likelihood_of_superiority(counts: Sequence[float]) -> float:
    """Return the probability that the first player is the stronger one, by the normal approximation (0 to 1).

    That says "certain" after a single pair, and after any number that all ended alike. Then the share of such pairs,
    which was uniformly distributed before the first one, lies above one half with a probability of 1 - 2 ** -(n + 1).
    """
    found = moments(counts)
    if not found.variance:
        doubt = 0.5 if found.mean == 0.5 else 0.5 ** (found.count + 1)
        return doubt if found.mean < 0.5 else 1 - doubt
    return normal_distribution((found.mean - 0.5) / found.standard_error)


def normal_distribution(deviations: float) -> float:
    """Return the probability that a standard normal variable lies below `deviations`."""
    return 0.5 * math.erfc(-deviations / math.sqrt(2))


class RunningMoments:
    """Mean and standard error of numbers that come one by one (Welford's method); keeps none of them."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Take one more number."""
        self.count += 1
        difference = value - self.mean
        self.mean += difference / self.count
        self._squares += difference * (value - self.mean)

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of the mean; NaN with fewer than two numbers."""
        if self.count < 2:
            return math.nan
        return math.sqrt(self._squares / (self.count - 1) / self.count)
