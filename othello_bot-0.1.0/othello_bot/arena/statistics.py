"""What the results of two players say about their difference: pure functions of counts.

The interval of the difference has the values whose likelihood is large enough. Its logarithm is scaled by the ratio of
the variance that the openings show and the one that independent games would have (R. E. Chandler and S. Bate, "Inference
for clustered data using the independence loglikelihood", Biometrika 94, 2007). Openings are the units: the games on one
opening hang together, and games that repeat others have their opening. The variance of few openings is uncertain, hence
Student's distribution, with degrees of freedom after Satterthwaite (1946). Where points were won, or
dropped, on fewer than three openings, there is a bound alone: the difference with which so few, or none, have a
probability of 5 %. `ratings` does the same for many players.

Normalised Elo is Michel Van den Bergh's ("Comments on Normalized Elo"). No code of others is used; the tests compare with
numbers that fastchess, OpenBench and fishtest published.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from othello_bot.arena.pentanomial import (
    NORMALISED_SCALE,
    PAIR_SCORES,
    elo_of_score,
    moments,
    score_of_elo,
    seen_shares,
    with_deviations,
)

QUANTILE_95: Final = 1.959963984540054
"""Standard deviations within which a normal variable lies with a probability of 95 %."""

LEAST_OPENINGS: Final = 10
"""With fewer openings, no interval covers as often as it says."""

LOGISTIC_SCALE: Final = math.log(10) / 400
"""The slope of the logistic curve of a score, in Elo."""

_PRECISION: Final = 1e-9
_FAR: Final = 100_000.0


class RunningMoments:
    """Running mean and standard error (Welford's method); the numbers themselves are not kept."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Add a number."""
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


# -- Student's distribution ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def student_distribution(deviations: float, freedom: float) -> float:
    """Return the probability that a variable of Student's distribution lies below `deviations`."""
    # The incomplete beta function by its continued fraction (Lentz's method; Press et al., "Numerical Recipes", 6.4).
    x = freedom / (freedom + deviations * deviations)
    is_middle = x > (freedom / 2 + 1) / (freedom / 2 + 2.5)
    if is_middle:
        inner, first, second = 1 - x, 0.5, freedom / 2
    else:
        inner, first, second = x, freedom / 2, 0.5
    if not inner:
        tail = 0.0
    else:
        d = 1 / (1 - (first + second) * inner / (first + 1))
        c, fraction = 1.0, d
        for m in range(1, 500):
            even = m * (second - m) * inner / ((first + 2 * m - 1) * (first + 2 * m))
            odd = -(first + m) * (first + second + m) * inner / ((first + 2 * m) * (first + 2 * m + 1))
            before = fraction
            for part in (even, odd):
                d, c = 1 / (1 + part * d), 1 + part / c
                fraction *= c * d
            if abs(fraction - before) < 1e-15 * fraction:
                break
        logarithm = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
        logarithm += first * math.log(inner) + second * math.log1p(-inner)
        tail = math.exp(logarithm) * fraction / first
    outside = 1 - tail if is_middle else tail
    return outside / 2 if deviations < 0 else 1 - outside / 2


@lru_cache(maxsize=1024)
def student_quantile(probability: float, freedom: float) -> float:
    """Return the deviations below which a variable of Student's distribution lies with a probability above 1/2."""
    low, high = 0.0, 1.0
    while student_distribution(high, freedom) < probability:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_distribution(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


# -- two players ------------------------------------------------------------------------------------------------------

FEW: Final = f"fewer than {LEAST_OPENINGS} openings"
ALIKE: Final = "all openings ended alike"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval. Where an end is infinite, the other one is a bound with at least 95 %.

    If both are infinite, there is no interval, and `why` says why.
    """

    value: float
    low: float
    high: float
    why: str = ""


@dataclass(slots=True)
class OpeningScore:
    """The games of two players on one opening, from the first one's view.

    `pairs` counts the complete pairs by outcome; a game whose other one is not played counts in games and points alone.
    """

    games: int = 0
    points: float = 0.0
    pairs: list[int] = field(default_factory=lambda: [0] * len(PAIR_SCORES))


@dataclass(frozen=True, slots=True)
class Spread:
    """How much openings vary: variance as a multiple of that of independent games, and degrees of freedom."""

    ratio: float
    freedom: float

    @property
    def why(self) -> str:
        """Why there is no interval; empty if there is one."""
        # Unequal numbers of games on the openings cost a little of one opening.
        return FEW if self.freedom < LEAST_OPENINGS - 1.5 else "" if self.ratio > _PRECISION else ALIKE

    @property
    def limit(self) -> float:
        """Twice the loss of log-likelihood at the ends of the interval, on the scale of independent games."""
        return self.ratio * student_quantile(0.975, self.freedom) ** 2


def elo(openings: Sequence[OpeningScore]) -> Estimate:
    """Return the logistic Elo difference of two players; NaN without games."""
    games, points = sum(one.games for one in openings), sum(one.points for one in openings)
    if not games:
        return Estimate(math.nan, -math.inf, math.inf, "no games")
    value = elo_of_score(points / games)
    if math.isinf(value):
        bound = elo_of_score(1 - _lost_by_chance(len(openings)))
        return Estimate(value, bound, math.inf) if value > 0 else Estimate(value, -math.inf, -bound)
    spread = _spread_of_score(openings)
    if spread.why:
        return Estimate(value, -math.inf, math.inf, spread.why)
    profile = Profile([(games, points, value, 1.0)], [(games, len(openings), value, 1.0)])
    low, high = profile.ends(spread, *missed(openings))
    return Estimate(value, value + low, value + high)


def normalised_elo(openings: Sequence[OpeningScore]) -> Estimate:
    """Return the normalised Elo difference: the score above 1/2 in standard deviations of a game, times a scale.

    Two games of a pair have the variance of the pair's mean twice over, hence the factor 2. The interval has the values
    for which the likeliest distribution over the outcomes is likely enough, so the deviation's own error is in it.
    """
    counts = [sum(column) for column in zip([0] * 5, *(one.pairs for one in openings), strict=False)]
    found, scale = moments(counts), NORMALISED_SCALE / math.sqrt(2)
    if not found.count:
        return Estimate(math.nan, -math.inf, math.inf, "no pair of games")
    if not found.variance:
        if abs(found.mean - 0.5) < 0.5:
            value = 0.0 if found.mean == 0.5 else math.copysign(math.inf, found.mean - 0.5)
            return Estimate(value, -math.inf, math.inf, ALIKE)
        bound = scale * _bound_of_deviations(len(openings))
        return Estimate(math.inf, bound, math.inf) if found.mean > 0.5 else Estimate(-math.inf, -math.inf, -bound)
    value = (found.mean - 0.5) / math.sqrt(found.variance)
    spread = _spread_of_deviations(openings, counts)
    if spread.why:
        return Estimate(scale * value, -math.inf, math.inf, spread.why)
    gained, dropped = missed(openings)
    low, high = (
        _end_of_deviations(counts, value, -1, spread, gained),
        _end_of_deviations(counts, value, 1, spread, dropped),
    )
    if dropped < _LEAST_MISSED:
        low, high = min(low, _bound_of_deviations(len(openings), dropped)), math.inf
    elif gained < _LEAST_MISSED:
        low, high = -math.inf, max(high, -_bound_of_deviations(len(openings), gained))
    return Estimate(scale * value, scale * low, scale * high)


def _end_of_deviations(counts: Sequence[int], value: float, way: int, spread: Spread, missed: int) -> float:
    """Return the deviations at which an interval ends, above (`way` 1) or below (-1), as `Profile` does for Elo."""
    total, observed = seen_shares(counts)
    # Pairs that were won (`way` 1) or lost as a whole.
    whole = 4 if way > 0 else 0

    @lru_cache(maxsize=64)
    def fitted(area: float) -> list[float]:
        return with_deviations(observed, math.sinh(area))

    def loss(area: float) -> float:
        return 2 * total * sum(share * math.log(share / one) for share, one in zip(observed, fitted(area), strict=True))

    # On the scale of the area sine, the root of the loss is nearly a straight line.
    start = math.asinh(value)
    end = _reach(loss, start, way, spread.limit)
    if missed > _MANY_MISSED or missed < _LEAST_MISSED:
        return math.sinh(end)

    def conditional(area: float) -> float:
        share = (1 - fitted(area)[whole]) / (1 - observed[whole])
        return loss(area) + 2 * spread.ratio * _log_of_two_or_more(missed * share)

    best = min((start + (end - start) * place / 10 for place in range(11)), key=conditional)
    least = conditional(best)
    return math.sinh(_reach(lambda area: conditional(area) - least, best, way, spread.limit))


def _bound_of_deviations(openings: int, missed: int = 0) -> float:
    """Return the fewest deviations above 1/2 with which all of so many openings but `missed` are won, but by chance."""
    lost = _lost_by_chance(openings, missed)
    return (0.5 - lost) / math.sqrt(lost * (1 - lost))


def _spread_of_deviations(openings: Sequence[OpeningScore], counts: Sequence[int]) -> Spread:
    """Return how much the normalised difference varies from opening to opening."""
    found = moments(counts)
    deviation = math.sqrt(found.variance)
    away = [(score - found.mean) / deviation for score in PAIR_SCORES]
    value = (found.mean - 0.5) / deviation
    parts = [one - value / 2 * (one * one - 1) for one in away]
    even = sum(sum(one.pairs) ** 2 for one in openings) / found.count**2
    alone = sum(part * part * count for part, count in zip(parts, counts, strict=True))
    together = sum(sum(map(operator.mul, parts, one.pairs)) ** 2 for one in openings)
    # The likelihood knows of the number of pairs already; the quantile alone stands for the estimated variance.
    return Spread((1 - even) * together / alone if alone > _PRECISION else 0.0, 1 / even - 1)


def _reach(loss: Callable[[float], float], start: float, way: int, limit: float) -> float:
    """Return where a loss, 0 at the start, has grown to a limit; its root is nearly a straight line."""
    wanted = math.sqrt(limit)
    near, missing, step = 0.0, -wanted, 0.1
    while (over := math.sqrt(max(0.0, loss(start + way * step))) - wanted) < 0 and step < 10:
        near, missing, step = step, over, 2 * step
    far = step
    for _ in range(12):
        step = near - missing * (far - near) / (over - missing) if over > missing else far
        found = math.sqrt(max(0.0, loss(start + way * step))) - wanted
        if abs(found) < 1e-5 * wanted:
            break
        if found < 0:
            near, missing = step, found
        else:
            far, over = step, found
    return start + way * step


def likelihood_of_superiority(openings: Sequence[OpeningScore]) -> float:
    """Return the probability that the first player is the stronger one (0 to 1); NaN where nothing is known.

    It is 1 minus the probability that an equal player has such a result or a better one. So it is above 97.5 % where the
    interval of the difference is above 0. With few openings it is known only if all ended for the same player.
    """
    games, points = sum(one.games for one in openings), sum(one.points for one in openings)
    sides = {(one.points > one.games / 2) - (one.points < one.games / 2) for one in openings if one.games}
    if sides in ({1}, {-1}):
        doubt = 0.5 ** len(openings)
        return 1 - doubt if 1 in sides else doubt
    spread = _spread_of_score(openings) if games else Spread(0.0, 0.0)
    if spread.why:
        return math.nan
    value = elo_of_score(points / games)
    lost = Profile([(games, points, value, 1.0)], []).loss(-value)
    return student_distribution(math.copysign(math.sqrt(max(0.0, lost) / spread.ratio), value), spread.freedom)


def _spread_of_score(openings: Sequence[OpeningScore]) -> Spread:
    """Return how much the score varies from opening to opening."""
    games, points = sum(one.games for one in openings), sum(one.points for one in openings)
    mean = points / games
    even = sum(one.games**2 for one in openings) / games**2
    squares = sum((one.points - one.games * mean) ** 2 for one in openings)
    expected = games * mean * (1 - mean) * (1 - even)
    return Spread(squares / expected if expected > 0 else 0.0, 1 / even - 1)


def _lost_by_chance(openings: int, missed: int = 0) -> float:
    """Return the share of openings that is lost where at most `missed` of so many are lost with a probability of 5 %.

    It is an end of the interval of Clopper and Pearson (1934).
    """
    if not missed:
        return -math.expm1(-SURPRISE / openings)
    chance = Profile([], [(0.0, openings, 0.0, 1.0)])
    return score_of_elo(first_beyond(lambda step: chance.surprise(_FAR - step, 1, missed) > SURPRISE) - _FAR)


LikelihoodTerm = tuple[float, float, float, float]
"""Games, points, the difference in Elo, and how much it changes with a parameter."""

OwnTerm = tuple[float, int, float, float]
"""Games, openings, the lead of a player over an opponent in Elo, and how much it changes with the player's rating."""

SURPRISE: Final = -math.log(0.05)
"""The logarithm of the chance of a result at a bound, without its sign."""

_LEAST_MISSED: Final = 3
"""Where a player dropped points on fewer openings than this, nothing says how far up an interval reaches."""

_MANY_MISSED: Final = 15

_MOST_EXPONENT: Final = 300.0


class Profile:
    """The likelihood along a line through the most likely ratings, on which one player's rating grows by a step.

    `terms` are all meetings, `own` those of the player.
    """

    def __init__(self, terms: Sequence[LikelihoodTerm], own: Sequence[OwnTerm]) -> None:
        self._terms = terms
        self._own = own

    def loss(self, step: float) -> float:
        """Return twice the loss of log-likelihood at a step."""
        lost = 0.0
        for games, points, value, change in self._terms:
            before, after = LOGISTIC_SCALE * value, LOGISTIC_SCALE * (value + step * change)
            lost += points * (before - after) + games * (softplus(after) - softplus(before))
        return 2 * lost

    def surprise(self, step: float, way: int, missed: int = 0) -> float:
        """Return minus the logarithm of the chance that all openings are won (`way` 1) or lost (-1) as a whole.

        At most `missed` of them, 0, 1 or 2, may be no such opening.
        """
        logarithm = odds = squares = 0.0
        for _, openings, value, change in self._own:
            lead = LOGISTIC_SCALE * way * (value + step * change)
            logarithm += openings * softplus(-lead)
            if missed:
                odd = math.exp(min(-lead, _MOST_EXPONENT))
                odds, squares = odds + openings * odd, squares + openings * odd * odd
        return logarithm - math.log(1 + odds + (odds * odds - squares) / 2 * (missed > 1))

    def ends(self, spread: Spread, gained: int, dropped: int) -> tuple[float, float]:
        """Return the steps at which the interval ends, by the openings on which points were gained and dropped.

        With few openings on one side, the end there is infinite, and the other one is a bound: no better than what so few
        openings say alone.
        """
        low, high = -self._end(-1, spread, gained), self._end(1, spread, dropped)
        if math.isinf(high):
            low = min(low, -first_beyond(lambda step: self.surprise(-step, 1, dropped) > SURPRISE))
        if math.isinf(low):
            high = max(high, first_beyond(lambda step: self.surprise(step, -1, gained) > SURPRISE))
        return low, high

    def _end(self, way: int, spread: Spread, missed: int) -> float:
        """Return how far an interval reaches, given that enough openings were missed for an end."""
        if missed < _LEAST_MISSED:
            return math.inf
        end = first_beyond(lambda step: self.loss(way * step) > spread.limit)
        if missed > _MANY_MISSED:
            return end

        # Matches in which fewer were missed have no end: that is known, and the likelihood is that under this condition.
        def conditional(step: float) -> float:
            share = self._expected(way, way * step) / self._expected(way, 0.0)
            chance = _log_of_two_or_more(missed * share) - _log_of_two_or_more(missed)
            return self.loss(way * step) + 2 * spread.ratio * chance

        best = min(((conditional(end * place / 20), end * place / 20) for place in range(21)), key=lambda one: one[0])
        return best[1] + first_beyond(lambda step: conditional(best[1] + step) > best[0] + spread.limit)

    def _expected(self, way: int, step: float) -> float:
        """Return how many points the player is expected to drop (`way` 1) or to gain (-1)."""
        leads = ((games, LOGISTIC_SCALE * way * (value + step * change)) for games, _, value, change in self._own)
        return sum(games * math.exp(-softplus(lead)) for games, lead in leads)


def _log_of_two_or_more(mean: float) -> float:
    """Return the logarithm of the probability that a Poisson variable is 2 or more."""
    if mean < 0.02:
        return 2 * math.log(max(mean, 1e-300)) - math.log(2)
    return math.log(-math.expm1(math.log1p(mean) - mean))


def missed(openings: Iterable[OpeningScore]) -> tuple[int, int]:
    """Return on how many openings the first player gained points, and on how many it dropped some."""
    counted = [(one.points > 0, one.points < one.games) for one in openings if one.games]
    return sum(gained for gained, _ in counted), sum(dropped for _, dropped in counted)


def softplus(x: float) -> float:
    """Return the logarithm of 1 + exp(x)."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))


def first_beyond(is_beyond: Callable[[float], bool]) -> float:
    """Return the number above 0 from which on a condition holds."""
    low, high = 0.0, 1.0
    while not is_beyond(high) and high < _FAR:
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return (low + high) / 2
