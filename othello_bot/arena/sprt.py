"""The sequential probability ratio test on pairs of games: whether a match is decided.

Wald's test (1945) compares two hypotheses about the Elo difference after every pair and stops when the likelihood ratio
leaves bounds set by the desired error rates. The distribution of the five outcomes of a pair is unknown; it is replaced
by its maximum-likelihood estimate under each hypothesis (the generalised test, GSPRT): each observed share is divided by
1 + (a multiple of the condition's value), as in empirical likelihood (A. B. Owen, "Empirical likelihood ratio confidence
intervals for a single functional", Biometrika 75, 1988). The method is that of Michel Van den Bergh, as fishtest and
OpenBench use it; the code is ours, the tests compare with their numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.statistics import NORMALISED_SCALE, PAIR_SCORES, moments, score_of_elo

UNSEEN: Final = 1e-3
"""Pairs counted for an outcome that was never observed, so that every likelihood is finite."""

MOST_ELO: Final = 2000
"""The largest bound: a difference at which one point of a hundred thousand is lost."""

_FEW: Final = 50
"""Pairs up to which a test is judged after every pair."""


class SprtModel(str, Enum):
    """The unit of the bounds: Elo in deviations of a pair's result, or that of the logistic curve."""

    NORMALISED = "normalised"
    LOGISTIC = "logistic"

    __str__ = str.__str__


class SprtVerdict(Enum):
    """The state of the test; the value is what is shown."""

    CONTINUE = "undecided"
    H0 = "H0 accepted"
    H1 = "H1 accepted"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of "the difference is `elo0`" against "it is `elo1`", in Elo of the model.

    `alpha` is the probability of accepting H1 where the difference is elo0, `beta` that of accepting H0 where it is
    elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: SprtModel = SprtModel.NORMALISED

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            right = f"elo0 smaller than elo1, both from {-MOST_ELO} to {MOST_ELO}"
            raise ConfigError("SPRT bounds", f"{self.elo0:g}, {self.elo1:g}", right)
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ConfigError(f"SPRT {name}", rate, "a probability above 0 and below 0.5")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[float]) -> float:
        """Return the logarithm of the likelihood of H1 over that of H0, for pentanomial counts; 0 without pairs."""
        if not sum(counts):
            return 0.0
        seen = [max(float(count), UNSEEN) for count in counts]
        total = sum(seen)
        observed = [count / total for count in seen]
        fit = with_mean if self.model is SprtModel.LOGISTIC else with_deviations
        under_h0, under_h1 = (fit(observed, bound) for bound in self._bounds)
        terms = zip(observed, under_h0, under_h1, strict=True)
        return total * sum(share * math.log(h1 / h0) for share, h0, h1 in terms)

    def largest_step(self, counts: Sequence[float]) -> float:
        """Return twice the most by which one more pair changes the ratio of a long test, to first order."""
        found = moments(counts)
        deviation = max(math.sqrt(found.variance), 0.01)
        low, high = self._bounds
        width = (high - low) / deviation if self.model is SprtModel.LOGISTIC else high - low
        return 2 * width * (max(found.mean, 1 - found.mean) / deviation + 1)

    @property
    def _bounds(self) -> tuple[float, float]:
        """The bounds as scores, or in deviations of the mean of a pair."""
        if self.model is SprtModel.LOGISTIC:
            return score_of_elo(self.elo0), score_of_elo(self.elo1)
        # These deviations are smaller than those of a game by the square root of 2.
        scale = math.sqrt(2) / NORMALISED_SCALE
        return scale * self.elo0, scale * self.elo1

    def verdict(self, counts: Sequence[float]) -> SprtVerdict:
        """Return the state of the test after these pairs."""
        return self.verdict_of(self.log_likelihood_ratio(counts))

    def verdict_of(self, ratio: float) -> SprtVerdict:
        """Return the state of the test at a log-likelihood ratio."""
        if ratio >= self.upper:
            return SprtVerdict.H1
        return SprtVerdict.H0 if ratio <= self.lower else SprtVerdict.CONTINUE


class SequentialRun:
    """A test in progress. Pairs of games are judged in the order of the schedule, however they end.

    In the order of their ends, those that end early come first, and where wins are shorter than losses that favours
    whoever wins: a match with many games at once would be decided wrongly more often than alpha says. After the
    verdict nothing counts any more. `counts` are those of the judged pairs.
    """

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.counts = [0] * len(PAIR_SCORES)
        self.verdict = SprtVerdict.CONTINUE
        self._ended: dict[int, int | None] = {}
        """Pairs that ended before an earlier one."""
        self._next = 0
        self._look = 1

    @property
    def log_likelihood_ratio(self) -> float:
        """The log-likelihood ratio of the judged pairs."""
        return self.test.log_likelihood_ratio(self.counts)

    @property
    def waiting(self) -> int:
        """The number of pairs that have ended and wait for an earlier one."""
        return len(self._ended)

    def add(self, number: int, outcome: int | None) -> None:
        """Note the outcome (0 to 4 half points) of a pair by its number in the schedule; None for one not to count."""
        self._ended[number] = outcome
        while self.verdict is SprtVerdict.CONTINUE and self._next in self._ended:
            ended = self._ended.pop(self._next)
            self._next += 1
            if ended is not None:
                self.counts[ended] += 1
                if sum(self.counts) >= self._look:
                    self._judge()
        if self.verdict is not SprtVerdict.CONTINUE:
            self._ended.clear()

    def _judge(self) -> None:
        """Judge, and plan the next judgement: no sooner than a run of wins or losses could end the test."""
        ratio = self.log_likelihood_ratio
        self.verdict = self.test.verdict_of(ratio)
        pairs = sum(self.counts)
        if pairs >= _FEW:
            distance = min(self.test.upper - ratio, ratio - self.test.lower)
            self._look = pairs + max(1, int(distance / self.test.largest_step(self.counts)))
        else:
            self._look = pairs + 1


# -- the most likely distribution over the results of a pair -----------------------------------------------------------

_STEPS: Final = 100
_PRECISION: Final = 1e-16
_SMALLEST_STEP: Final = 1e-4
_NARROW: Final = 1e-12

_LEFT: Final = (0.0, 1e-5, 1e-4, 1e-3, 0.005, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
_PLACES: Final = (*_LEFT, 0.5, *(1 - place for place in reversed(_LEFT)))
"""Shares of a range between which a maximum is looked for; close to each other at the ends, where it can be narrow."""

_STEEP: Final = 0.25
_SPREAD: Final = 0.01
"""With fewer deviations and a larger variance than these there is one maximum."""

_EDGE: Final = 1e-9
"""The distance that a mean keeps from where a condition cannot be met, as a share of the whole."""

_FLAT: Final = 1e-6
"""The slope at which a maximum counts as reached."""

_OFFSETS: Final = tuple(score - 0.5 for score in PAIR_SCORES)


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
