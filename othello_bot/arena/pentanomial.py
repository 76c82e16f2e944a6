"""The results of a pair of games as a distribution over five outcomes: its moments, and the likeliest under a condition.

The pentanomial model is that of fishtest (https://github.com/official-stockfish/fishtest/wiki , "Fishtest mathematics").
Without a condition the likeliest distribution is the observed one. Under a condition that is linear in the probabilities,
each observed share is divided by 1 + (a multiple of the condition's value): empirical likelihood (A. B. Owen, "Empirical
likelihood ratio confidence intervals for a single functional", Biometrika 75, 1988).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points per game of a pair with 0, 1/2, 1, 3/2 or 2 points: the five outcomes, in the order of all counts."""

NORMALISED_SCALE: Final = 800 / math.log(10)
"""Normalised Elo of a score that is one standard deviation of a game above 1/2."""

UNSEEN: Final = 1e-3
"""Pairs counted for an outcome that was never observed, so that every likelihood is finite."""

_STEPS: Final = 100
_PRECISION: Final = 1e-16
_SMALLEST_STEP: Final = 1e-4
_NARROW: Final = 1e-12

_LEFT: Final = (0.0, 1e-5, 1e-4, 1e-3, 0.005, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
_PLACES: Final = (*_LEFT, 0.5, *(1 - place for place in reversed(_LEFT)))
"""Shares of a range between which a maximum is looked for; close to each other at the ends, where it can be narrow."""

_STEEP: Final = 0.5
_SPREAD: Final = 0.01
"""With fewer deviations and a larger variance than these there is one maximum."""

_EDGE: Final = 1e-9
"""The distance that a mean keeps from where a condition cannot be met, as a share of the whole."""

_FLAT: Final = 1e-6
"""The slope at which a maximum counts as reached."""

_OFFSETS: Final = tuple(score - 0.5 for score in PAIR_SCORES)


@dataclass(frozen=True, slots=True)
class Moments:
    """Number, mean and variance (maximum likelihood) of observed values."""

    count: float
    mean: float
    variance: float

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean; 0 without observations."""
        return math.sqrt(self.variance / self.count) if self.count else 0.0


def moments(counts: Sequence[float], values: Sequence[float] = PAIR_SCORES) -> Moments:
    """Return the moments of `values` observed `counts` times each; the mean is 1/2 without observations."""
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
    # Subtracted from 0, so that an even score gives 0 and not -0.
    return 0.0 - 400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """Return the expected score of a logistic Elo difference."""
    return 1 / (1 + 10 ** (-max(-40_000.0, elo) / 400))


def seen_shares(counts: Sequence[float]) -> tuple[float, list[float]]:
    """Return the number of pairs and the shares of the outcomes, none of which is 0."""
    seen = [max(float(count), UNSEEN) for count in counts]
    total = sum(seen)
    return total, [count / total for count in seen]


def with_mean(observed: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution over the pair scores that has this mean (above 0, below 1)."""
    conditions = [score - mean for score in PAIR_SCORES]
    # The multiplier is the one zero of a falling function.
    low, high = -1 / max(conditions), -1 / min(conditions)
    for _ in range(_STEPS):
        multiplier = (low + high) / 2
        slope = sum(share * value / (1 + multiplier * value) for share, value in zip(observed, conditions, strict=True))
        if slope > 0:
            low = multiplier
        else:
            high = multiplier
        if high - low < _NARROW * max(1.0, abs(multiplier)):
            break
    return [share / (1 + multiplier * value) for share, value in zip(observed, conditions, strict=True)]


def with_deviations(observed: Sequence[float], deviations: float) -> list[float]:
    """Return the most likely distribution whose mean lies `deviations` of its standard deviations above 1/2.

    With a given mean the condition is linear: it fixes the second moment. So the mean is sought whose best distribution
    is the most likely one. There can be several maxima if the deviations are many.
    """
    if deviations < 0:
        return with_deviations(observed[::-1], -deviations)[::-1]
    if deviations < _NARROW:
        return with_mean(observed, 0.5)
    search = _MeanSearch(observed, 1 + deviations**-2)
    found = moments(observed)
    near = deviations * math.sqrt(found.variance)
    # Above the bound, the distributions that are not are a convex set, and the maximum is the only one.
    is_single = found.mean - 0.5 >= near or (deviations < _STEEP and found.variance > _SPREAD)
    best, most = list(observed), -math.inf
    for low, high in search.ranges():
        if is_single:
            marks = [low, *(mark for mark in (0.8 * near, 1.2 * near) if low < mark < high), high]
        else:
            marks = [low * (high / low) ** place for place in _PLACES]
        rising = [True, *(search.slope(mark) > 0 for mark in marks[1:-1]), False]
        for cell in range(len(marks) - 1):
            if rising[cell] and not rising[cell + 1]:
                fitted = search.best(search.maximum(marks[cell], marks[cell + 1]))
                likelihood = sum(share * math.log(one) for share, one in zip(observed, fitted, strict=True))
                if likelihood > most:
                    best, most = fitted, likelihood
    return best


class _MeanSearch:
    """The most likely distributions with mean 1/2 + m and mean square of (score - 1/2) `ratio` * m * m, for m > 0."""

    def __init__(self, observed: Sequence[float], ratio: float) -> None:
        self._observed = observed
        self._ratio = ratio
        self._multipliers = (0.0, 0.0)

    def ranges(self) -> list[tuple[float, float]]:
        """Return the ranges of m for which there are distributions over the five scores."""
        ratio = self._ratio
        ends = [0.25 / ratio, 0.5 / math.sqrt(ratio)]
        # Between the two highest scores the mean square is at least that of the chord.
        if (root := 0.75**2 - 0.5 * ratio) > 0:
            ends[1:1] = [(0.75 - math.sqrt(root)) / (2 * ratio), (0.75 + math.sqrt(root)) / (2 * ratio)]
        pairs = zip(ends[::2], ends[1::2], strict=True)
        return [(low + _EDGE * (high - low), high - _EDGE * (high - low)) for low, high in pairs if high > low]

    def slope(self, mean: float) -> float:
        """Return the slope of the log-likelihood of the best distribution with this mean, as the mean grows."""
        first, second = self._solve(mean)
        return first + 2 * second * self._ratio * mean

    def best(self, mean: float) -> list[float]:
        """Return the most likely distribution with this mean."""
        first, second = self._solve(mean)
        conditions = self._conditions(mean)
        return [
            share / (1 + first * one + second * other)
            for share, (one, other) in zip(self._observed, conditions, strict=True)
        ]

    def maximum(self, low: float, high: float) -> float:
        """Return the mean at which the likelihood stops rising; it rises at `low` and falls at `high`."""
        at_low, at_high = self.slope(low), self.slope(high)
        stayed = 0
        while at_low > _FLAT and at_high < -_FLAT and high - low > _NARROW:
            # The false position, with the Illinois rule: an end that stays twice counts half.
            middle = (low * at_high - high * at_low) / (at_high - at_low)
            if not low < middle < high:
                middle = (low + high) / 2
            slope = self.slope(middle)
            if slope > 0:
                low, at_low, at_high = middle, slope, at_high / (2 if stayed > 0 else 1)
                stayed = 1
            else:
                high, at_high, at_low = middle, slope, at_low / (2 if stayed < 0 else 1)
                stayed = -1
        return low if at_low < -at_high else high

    def _conditions(self, mean: float) -> list[tuple[float, float]]:
        square = self._ratio * mean * mean
        return [(offset - mean, offset * offset - square) for offset in _OFFSETS]

    def _solve(self, mean: float) -> tuple[float, float]:
        """Return the multipliers of both conditions: the minimum of a convex function, by Newton's method."""
        conditions = self._conditions(mean)
        first, second = self._multipliers
        value = self._value(conditions, first, second)
        if math.isinf(value):
            first, second, value = 0.0, 0.0, 0.0
        for _ in range(_STEPS):
            gradient_1 = gradient_2 = matrix_11 = matrix_12 = matrix_22 = 0.0
            for share, (one, other) in zip(self._observed, conditions, strict=True):
                part = 1 / (1 + first * one + second * other)
                weight = share * part
                gradient_1 -= weight * one
                gradient_2 -= weight * other
                weight *= part
                matrix_11 += weight * one * one
                matrix_12 += weight * one * other
                matrix_22 += weight * other * other
            determinant = matrix_11 * matrix_22 - matrix_12 * matrix_12
            if determinant <= 0:
                break
            step_1 = (matrix_12 * gradient_2 - matrix_22 * gradient_1) / determinant
            step_2 = (matrix_12 * gradient_1 - matrix_11 * gradient_2) / determinant
            decrement = -(gradient_1 * step_1 + gradient_2 * step_2)
            if decrement < _PRECISION:
                break
            size, following = 1.0, self._value(conditions, first + step_1, second + step_2)
            while following > value - 0.1 * size * decrement and size > _SMALLEST_STEP:
                size /= 2
                following = self._value(conditions, first + size * step_1, second + size * step_2)
            if following > value:
                break
            first, second, value = first + size * step_1, second + size * step_2, following
        self._multipliers = (first, second)
        return first, second

    def _value(self, conditions: Sequence[tuple[float, float]], first: float, second: float) -> float:
        """Return the convex function, infinite where it has no value."""
        total = 0.0
        for share, (one, other) in zip(self._observed, conditions, strict=True):
            part = 1 + first * one + second * other
            if part <= 0:
                return math.inf
            total -= share * math.log(part)
        return total
