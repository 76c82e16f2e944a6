"""What the results of a match say about the strength of its players: pure functions of counts.

Openings are played in pairs with the colours swapped, and the two games of a pair are not independent, so the unit of
every error here is the pair: the pentanomial model of fishtest (https://github.com/official-stockfish/fishtest/wiki ,
"Fishtest mathematics"). Normalised Elo is Michel Van den Bergh's ("Comments on Normalized Elo"); the interval of the
Elo difference and the likelihood of superiority are computed as fastchess and OpenBench do. No code of theirs is used;
the tests compare with numbers that those programs published.

The ratings of several players are those of the Bradley-Terry model by maximum likelihood; a draw is half a win. Their
errors are those of the sandwich estimator with pairs of games as units: the information of the model outside, the
observed variance of the pairs inside. So an unbalanced opening, which both games of a pair share, does not count as
information.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points per game of a pair with 0, 1/2, 1, 3/2 or 2 points: the five outcomes, in the order of all counts."""

NORMALISED_SCALE: Final = 800 / math.log(10)
"""Normalised Elo of a score that is one standard deviation of a game above 1/2."""

QUANTILE_95: Final = 1.959963984540054
"""Standard deviations within which a normal variable lies with a probability of 95 %."""


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
    return 1 / (1 + 10 ** (-elo / 400))


def elo(counts: Sequence[float]) -> Estimate:
    """Return the logistic Elo difference of pentanomial counts, with the interval of the mean score converted alike.

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


# -- ratings of several players ---------------------------------------------------------------------------------------

_LOGISTIC_SCALE: Final = math.log(10) / 400
_STEPS: Final = 200
_PRECISION: Final = 1e-9

PRIOR_PAIRS: Final = 0.25
"""Drawn pairs added to every pairing that was played, so that a player who won everything has a finite rating."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo, on a scale whose mean over all players is 0, with the half width of its 95 % interval.

    The error is infinite where the results do not determine it: no games, or pairs that were all drawn.
    """

    elo: float
    error: float


def ratings(
    players: int, results: Mapping[tuple[int, int], Sequence[float]], anchors: Mapping[int, float] | None = None
) -> list[Rating]:
    """Return the rating of each of `players`; those in `anchors` have the ratings given there, without an error.

    `results` has, for two players (i, j), the pentanomial counts of the pairs between them from the view of i. Players
    who met nobody stay at 0 with an infinite error. Groups that never met each other share no scale: with anchors, the
    errors in a group without one are infinite.
    """
    anchors = anchors or {}
    played = {pair: _with_prior(counts) for pair, counts in results.items() if sum(counts)}
    values = [anchors.get(player, 0.0) for player in range(players)]
    for _ in range(_STEPS):
        gradient, information = _derivatives(players, played, values)
        step = _solve(_regular(information, anchors), [0.0 if i in anchors else gradient[i] for i in range(players)])
        # A full Newton step can overshoot if a player has won nearly everything.
        values = [value + max(-200.0, min(200.0, change)) for value, change in zip(values, step, strict=True)]
        if max(map(abs, step), default=0.0) < _PRECISION:
            break
    _, information = _derivatives(players, played, values)
    errors = _errors(players, played, values, _regular(information, anchors))
    mean = 0.0 if anchors else sum(values) / max(1, players)
    reached = _reached(played, anchors) if anchors else range(players)
    return [
        Rating(value - mean, 0.0 if player in anchors else error if player in reached else math.inf)
        for player, (value, error) in enumerate(zip(values, errors, strict=True))
    ]


def _regular(information: Sequence[Sequence[float]], anchors: Mapping[int, float]) -> list[list[float]]:
    """Return the matrix made regular: it leaves the anchors where they are, or else the sum of all ratings at 0."""
    size = len(information)
    strength = max((information[i][i] for i in range(size)), default=1.0) or 1.0
    shared = 0.0 if anchors else strength / max(1, size)
    rows = [[value + shared for value in row] for row in information]
    for player in range(size):
        # A little for groups that never met: nothing determines their differences either.
        rows[player][player] += 1e-9 * strength if information[player][player] else strength
    for anchor in anchors:
        for other in range(size):
            rows[anchor][other] = rows[other][anchor] = float(anchor == other)
    return rows


def _reached(played: Mapping[tuple[int, int], Sequence[float]], anchors: Mapping[int, float]) -> set[int]:
    """Return the anchors, and all whom games connect with one."""
    reached, before = set(anchors), 0
    while len(reached) > before:
        before = len(reached)
        for pair in played:
            if reached & set(pair):
                reached.update(pair)
    return reached


def _with_prior(counts: Sequence[float]) -> list[float]:
    return [float(count) + (PRIOR_PAIRS if index == 2 else 0.0) for index, count in enumerate(counts)]


def _derivatives(
    players: int, played: Mapping[tuple[int, int], Sequence[float]], values: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient and negative Hessian of the log-likelihood; each pair counts as one observation."""
    gradient = [0.0] * players
    information = [[0.0] * players for _ in range(players)]
    for (i, j), counts in played.items():
        found = moments(counts)
        expected = score_of_elo(values[i] - values[j])
        surplus = found.count * (found.mean - expected) * _LOGISTIC_SCALE
        weight = found.count * expected * (1 - expected) * _LOGISTIC_SCALE**2
        gradient[i] += surplus
        gradient[j] -= surplus
        for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            information[row][column] += sign * weight
    return gradient, information


def _errors(
    players: int,
    played: Mapping[tuple[int, int], Sequence[float]],
    values: Sequence[float],
    matrix: Sequence[Sequence[float]],
) -> list[float]:
    """Return the half widths of the 95 % intervals from the information; infinite if nothing varied."""
    variances = [0.0] * players
    for (i, j), counts in played.items():
        found = moments(counts)
        expected = score_of_elo(values[i] - values[j])
        # The second moment about the model's mean, so that a misfit of the model counts as deviation too.
        spread = found.count * (found.variance + (found.mean - expected) ** 2) * _LOGISTIC_SCALE**2
        direction = [0.0] * players
        direction[i], direction[j] = 1.0, -1.0
        influence = _solve(matrix, direction)
        for player in range(players):
            variances[player] += spread * influence[player] ** 2
    return [QUANTILE_95 * math.sqrt(variance) if variance > _PRECISION else math.inf for variance in variances]


# -- openings that several pairings share -----------------------------------------------------------------------------

SAMPLES: Final = 1000
"""Samples of a bootstrap."""

PairScore = tuple[int, int, float]
"""Two players, and the points per game of a pair of games between them, from the first one's view."""


def ratings_by_opening(
    players: int,
    openings: Sequence[Sequence[PairScore]],
    anchors: Mapping[int, float] | None = None,
    samples: int = SAMPLES,
) -> list[Rating]:
    """Return ratings as `ratings` does, with errors that respect openings which several pairings have played.

    `openings` has the pairs of games of each opening. An opening that suits one player moves all its results in that
    round together, so openings are drawn, not pairs: the bootstrap of clusters (Efron and Tibshirani 1993, chapter 8).
    The error is that of Student's distribution with the samples' standard deviation. Needs NumPy; the samples are the
    same every time.
    """
    import numpy as np

    pairings = sorted({(i, j) for pairs in openings for i, j, _ in pairs})
    counts, sums = (np.zeros((len(openings), len(pairings))) for _ in range(2))
    results: dict[tuple[int, int], list[float]] = {pairing: [0.0] * 5 for pairing in pairings}
    for row, pairs in enumerate(openings):
        for i, j, score in pairs:
            column = pairings.index((i, j))
            counts[row, column] += 1
            sums[row, column] += score
            results[i, j][round(4 * score)] += 1
    found = ratings(players, results, anchors)
    freedom = len(openings) - 1
    if freedom < 1:
        return [replace(rating, error=rating.error and math.inf) for rating in found]
    drawn = np.random.default_rng(1).multinomial(freedom + 1, np.full(freedom + 1, 1 / (freedom + 1)), samples)
    start = np.array([rating.elo for rating in found])
    drawn_counts, drawn_sums = drawn @ counts + PRIOR_PAIRS, drawn @ sums + PRIOR_PAIRS / 2
    values = _fitted(np, start, pairings, drawn_counts, drawn_sums, sorted(anchors or {}))
    deviations = values.std(axis=0, ddof=1) * math.sqrt(1 + 1 / freedom)
    return [
        replace(rating, error=_student_95(freedom) * float(deviation) if 0 < rating.error < math.inf else rating.error)
        for rating, deviation in zip(found, deviations, strict=True)
    ]


def _fitted(np: Any, start: Any, pairings: Any, counts: Any, sums: Any, anchors: Sequence[int]) -> Any:
    """Return the ratings in each sample, by Newton's method for all samples at once; anchors stay where they start."""
    players = len(start)
    signs = np.zeros((len(pairings), players))
    for row, (i, j) in enumerate(pairings):
        signs[row, i], signs[row, j] = 1.0, -1.0
    products = (signs[:, :, None] * signs[:, None, :]).reshape(len(pairings), players * players)
    free = np.array([player not in anchors for player in range(players)])
    values = np.tile(start, (len(counts), 1))
    for _ in range(_STEPS):
        expected = 1 / (1 + 10 ** (-(values @ signs.T) / 400))
        gradient = _LOGISTIC_SCALE * ((sums - counts * expected) @ signs) * free
        weights = _LOGISTIC_SCALE**2 * counts * expected * (1 - expected)
        matrix = (weights @ products).reshape(-1, players, players) * free[:, None] * free[None, :]
        strength = matrix[:, range(players), range(players)].max(axis=1)[:, None, None]
        # As for the ratings themselves: without an anchor only differences are determined, some play no games.
        matrix += strength * (np.diag(~free) if anchors else 1 / players)
        matrix += strength * np.diag(1e-9 + (np.abs(signs).sum(axis=0) == 0))
        step = np.clip(np.linalg.solve(matrix, gradient[:, :, None])[:, :, 0], -200, 200)
        values += step
        if np.abs(step).max() < 1e-6:
            break
    return values if anchors else values - values.mean(axis=1, keepdims=True)


def _student_95(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's distribution, by its expansion around the normal one."""
    if freedom < 3:
        return (12.7062, 4.3027)[freedom - 1]
    z = QUANTILE_95
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a system of linear equations (Gaussian elimination; a dozen players at most)."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for place in range(column, size + 1):
                rows[row][place] -= factor * rows[column][place]
    solution = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][place] * solution[place] for place in range(row + 1, size))
        solution[row] = (rows[row][size] - known) / rows[row][row]
    return solution
