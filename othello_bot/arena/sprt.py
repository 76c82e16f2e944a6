"""The sequential probability ratio test on pairs of games: whether a match is decided.

Wald's test (1945) compares two hypotheses about the Elo difference after every pair and stops when the likelihood ratio
leaves bounds set by the desired error rates. The distribution of the five outcomes of a pair is unknown; it is replaced
by its maximum-likelihood estimate under each hypothesis (the generalised test, GSPRT). Under a mean the estimate is
that of empirical likelihood (Owen 1988); under a normalised Elo it is found by fixed-point iteration. The method is
that of Michel Van den Bergh, as fishtest and OpenBench use it; the code is ours, the tests compare with their numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.statistics import NORMALISED_SCALE, PAIR_SCORES, moments, score_of_elo

UNSEEN: Final = 1e-3
"""Pairs counted for an outcome that was never observed, so that every likelihood is finite."""

_STEPS: Final = 100
_PRECISION: Final = 1e-10


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
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ConfigError("SPRT bounds", f"{self.elo0:g}, {self.elo1:g}", "elo0 smaller than elo1")
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
        fit: Callable[[Sequence[float], float], list[float]]
        if self.model is SprtModel.LOGISTIC:
            fit, bounds = with_mean, (score_of_elo(self.elo0), score_of_elo(self.elo1))
        else:
            # In deviations of the mean of a pair, which are smaller than those of a game by the square root of 2.
            scale = math.sqrt(2) / NORMALISED_SCALE
            fit, bounds = with_deviations, (scale * self.elo0, scale * self.elo1)
        under_h0, under_h1 = (fit(observed, bound) for bound in bounds)
        terms = zip(observed, under_h0, under_h1, strict=True)
        return total * sum(share * math.log(h1 / h0) for share, h0, h1 in terms)

    def verdict(self, counts: Sequence[float]) -> SprtVerdict:
        """Return the state of the test after these pairs."""
        ratio = self.log_likelihood_ratio(counts)
        if ratio >= self.upper:
            return SprtVerdict.H1
        return SprtVerdict.H0 if ratio <= self.lower else SprtVerdict.CONTINUE


def with_mean(observed: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution over the pair scores that has this mean, given the observed shares."""
    return _tilted(observed, [score - mean for score in PAIR_SCORES])


def with_deviations(observed: Sequence[float], deviations: float) -> list[float]:
    """Return the most likely distribution whose mean lies `deviations` of its standard deviations above 1/2.

    The condition is not linear in the distribution; at each step it is replaced by its tangent at the last estimate.
    """
    # If nearly all observed pairs ended alike, the iteration can leave the set of distributions.
    estimate = [1 / len(PAIR_SCORES)] * len(PAIR_SCORES)
    for _ in range(_STEPS):
        found = moments(estimate)
        deviation = math.sqrt(found.variance)
        tangent = [
            score - 0.5 - deviations * deviation / 2 * (1 + ((score - found.mean) / deviation) ** 2)
            for score in PAIR_SCORES
        ]
        following = _tilted(observed, tangent)
        change = max(abs(new - old) for new, old in zip(following, estimate, strict=True))
        estimate = following
        if change < _PRECISION:
            break
    return estimate


def _tilted(observed: Sequence[float], conditions: Sequence[float]) -> list[float]:
    """Return the most likely distribution under which the mean of `conditions`, which have both signs, is 0.

    It is observed / (1 + theta * condition); the theta that does it is the one zero of a falling function.
    """
    low, high = -1 / max(conditions), -1 / min(conditions)
    for _ in range(_STEPS):
        theta = (low + high) / 2
        slope = sum(share * value / (1 + theta * value) for share, value in zip(observed, conditions, strict=True))
        if slope > 0:
            low = theta
        else:
            high = theta
        if high - low < _PRECISION * max(1.0, abs(theta)):
            break
    theta = (low + high) / 2
    return [share / (1 + theta * value) for share, value in zip(observed, conditions, strict=True)]
