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
_PRECISION: Final = 1e-14
_NARROW: Final = 1e-12

_MARKS: Final = 24
"""Parts of a range of means, equal in their logarithms, in each of which a maximum is looked for."""

_STEEP: Final = 0.5
_SPREAD: Final = 0.01
"""With fewer deviations and a larger variance than these there is one maximum."""

_CLOSE: Final = 1e-9
"""The relative distance at which a distribution touches; what is left of the condition is of the order of its square."""

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
    return _with_average_zero(observed, [score - mean for score in PAIR_SCORES])


def _with_average_zero(observed: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the most likely distribution in which `values`, some below 0 and some above, average 0."""
    pairs = list(zip(observed, values, strict=True))
    # The multiplier is the one zero of a falling function, between two poles. No share exceeds 1, so it keeps away.
    most, least = max(values), min(values)
    first_pole, last_pole, scale = -1 / most, -1 / least, 1 / max(most, -least)
    low, high = first_pole * (1 - observed[values.index(most)]), last_pole * (1 - observed[values.index(least)])
    multiplier, width = 0.0, math.inf
    for _ in range(_STEPS):
        height = fall = 0.0
        for share, value in pairs:
            part = value / (1 + multiplier * value)
            height += share * part
            fall += share * part * part
        if abs(height) * max(abs(multiplier), scale) < _PRECISION:
            break
        if height > 0:
            low = multiplier
        else:
            high = multiplier
        # Newton's step for the function without its outer poles; half the bracket where that does not shrink it.
        inclination = 1 / (multiplier - first_pole) - 1 / (last_pole - multiplier) - fall / height
        following = multiplier - 1 / inclination if inclination else low
        if not low < following < high or high - low > 0.9 * width:
            following = (low + high) / 2
        if following in (low, high):
            break
        multiplier, width = following, high - low
    shares = [share / (1 + multiplier * value) for share, value in pairs]
    # They add up to 1 but for the rounding of the multiplier, which an outcome that was hardly seen magnifies.
    total = sum(shares)
    return [share / total for share in shares]


def with_deviations(observed: Sequence[float], deviations: float) -> list[float]:
    """Return the most likely distribution whose mean lies `deviations` of its standard deviations above 1/2.

    Of (score - 1/2), the mean square is then a multiple of the squared mean: a parabola. Each of its tangents is a
    condition that is linear in the probabilities, and the tangent is sought at which the best distribution touches the
    parabola. From below the bound the most likely such distribution counts, and there can be several maxima; from above
    it, the distributions that are not are a convex set and there is one.
    """
    if deviations < 0:
        return with_deviations(observed[::-1], -deviations)[::-1]
    if deviations < _NARROW:
        return with_mean(observed, 0.5)
    ratio = 1 + deviations**-2
    found = moments(observed)
    mean, near = found.mean - 0.5, deviations * math.sqrt(found.variance)
    if mean > near:
        # Between these tangents' points the observed distribution is on their other side.
        reach = math.sqrt(max(0.0, mean * mean - (found.variance + mean * mean) / ratio))
        return _touching(observed, ratio, mean - reach, mean + reach)
    is_single = deviations < _STEEP and found.variance > _SPREAD
    best, most = list(observed), -math.inf
    for low, high in _ranges(ratio):
        if is_single:
            marks = [low, *(mark for mark in (0.8 * near, 1.2 * near) if low < mark < high), high]
        else:
            marks = [low * (high / low) ** (mark / _MARKS) for mark in range(_MARKS + 1)]
        rising = [True, *(_excess(observed, ratio, mark)[0] > 0 for mark in marks[1:-1]), False]
        for cell in range(len(marks) - 1):
            if rising[cell] and not rising[cell + 1]:
                fitted = _touching(observed, ratio, marks[cell], marks[cell + 1])
                likelihood = sum(share * math.log(one) for share, one in zip(observed, fitted, strict=True))
                if likelihood > most:
                    best, most = fitted, likelihood
    return best


def _ranges(ratio: float) -> list[tuple[float, float]]:
    """Return the ranges of means above 1/2 with which a distribution's mean square is `ratio` times the square."""
    ends = [0.25 / ratio, 0.5 / math.sqrt(ratio)]
    # Between the two highest scores the mean square is at least that of the chord.
    if (root := 0.75**2 - 0.5 * ratio) > 0:
        ends[1:1] = [(0.75 - math.sqrt(root)) / (2 * ratio), (0.75 + math.sqrt(root)) / (2 * ratio)]
    return list(zip(ends[::2], ends[1::2], strict=True))


def _excess(observed: Sequence[float], ratio: float, point: float) -> tuple[float, list[float]]:
    """Return the best distribution on the tangent at a mean, and before it how far its mean lies above that."""
    values = [offset * offset - ratio * point * (2 * offset - point) for offset in _OFFSETS]
    fitted = _with_average_zero(observed, values)
    return sum(share * offset for share, offset in zip(fitted, _OFFSETS, strict=True)) - point, fitted


def _touching(observed: Sequence[float], ratio: float, low: float, high: float) -> list[float]:
    """Return the best distribution on a tangent between two, at whose point its own mean lies.

    At `low` the mean lies above the point of the tangent, at `high` below it.
    """
    (at_low, fitted), (at_high, _) = _excess(observed, ratio, low), _excess(observed, ratio, high)
    stayed = 0
    for _ in range(_STEPS):
        # The false position, with the Illinois rule: an end that stays twice counts half.
        middle = (low * at_high - high * at_low) / (at_high - at_low) if at_high < 0 < at_low else (low + high) / 2
        if not low < middle < high:
            middle = (low + high) / 2
        excess, fitted = _excess(observed, ratio, middle)
        if abs(excess) < _CLOSE * middle or not low < middle < high:
            break
        if excess > 0:
            low, at_low, at_high = middle, excess, at_high / (2 if stayed > 0 else 1)
            stayed = 1
        else:
            high, at_high, at_low = middle, excess, at_low / (2 if stayed < 0 else 1)
            stayed = -1
    return fitted
