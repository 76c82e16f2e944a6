"""The sequential probability ratio test on pairs of games: whether a match is decided.

Wald's test (1945) compares two hypotheses about the Elo difference after every pair and stops when the likelihood ratio
leaves bounds set by the desired error rates. The distribution of the five outcomes of a pair is unknown; it is replaced
by its maximum-likelihood estimate under each hypothesis (the generalised test, GSPRT). The method is that of Michel Van
den Bergh, as fishtest and OpenBench use it; the code is ours, the tests compare with their numbers.

A test ends a part of a step beyond Wald's bounds, and would err less often than asked for, at the price of more games.
The bounds are therefore closer by the mean excess (D. Siegmund, "Sequential Analysis", 1985, chapter X).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.pentanomial import (
    NORMALISED_SCALE,
    PAIR_SCORES,
    moments,
    score_of_elo,
    seen_shares,
    with_deviations,
    with_mean,
)

MOST_ELO: Final = 2000
"""The largest bound: a difference at which one point of a hundred thousand is lost."""

_EXCESS: Final = 0.5826
"""The mean excess over a distant bound, in standard deviations of a normal step: -zeta(1/2) / sqrt(2 pi)."""

_LARGE_STEP: Final = 0.5
"""The largest standard deviation of a step for which the bounds are corrected in full: with some 120 Elo between them."""

_MOST_CLOSER: Final = 0.2
"""The largest part of a bound that the correction may take, for it is one of distant bounds."""

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
        return self._wald[0] + self.excess

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return self._wald[1] - self.excess

    @property
    def excess(self) -> float:
        """By how much `lower` and `upper` are closer than Wald's: as far as a test ends beyond a bound on average."""
        low, high = self._bounds
        # The deviation of a step. Under the logistic model it depends on that of a pair, which is 1/2 at most.
        step = high - low if self.model is SprtModel.NORMALISED else 2 * (high - low)
        return min(_EXCESS * min(step, _LARGE_STEP), _MOST_CLOSER * min(-self._wald[0], self._wald[1]))

    @property
    def _wald(self) -> tuple[float, float]:
        """Wald's bounds."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[float]) -> float:
        """Return the logarithm of the likelihood of H1 over that of H0, for pentanomial counts; 0 without pairs."""
        if not sum(counts):
            return 0.0
        total, observed = seen_shares(counts)
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
