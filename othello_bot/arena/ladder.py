"""Ratings of several players from the results between them: the Bradley-Terry model, by maximum likelihood.

A draw counts as half a win. The errors are those of the sandwich estimator with pairs of games as its units: the
information of the model on the outside, what the pairs really vary by on the inside. So an unbalanced opening, which
both games of a pair share, does not pass for information.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.arena.statistics import QUANTILE_95, moments, score_of_elo

_SCALE: Final = math.log(10) / 400
_STEPS: Final = 200
_PRECISION: Final = 1e-9

PRIOR_PAIRS: Final = 0.25
"""Drawn pairs added to every pairing that was played, so that one who won all has a finite rating."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo, on a scale whose mean over all players is 0, with the half width of its 95 % interval.

    The error is infinite where the results tell nothing about it: no games, or pairs that were all drawn.
    """

    elo: float
    error: float


def ratings(players: int, results: Mapping[tuple[int, int], Sequence[float]]) -> list[Rating]:
    """Return the rating of each of `players`.

    `results` has, for two players (i, j), the pentanomial counts of the pairs between them from the view of i. Players
    who met nobody stay at 0 with an infinite error. Groups that never met each other share no scale.
    """
    played = {pair: _with_prior(counts) for pair, counts in results.items() if sum(counts)}
    values = [0.0] * players
    for _ in range(_STEPS):
        gradient, information = _derivatives(players, played, values)
        step = _solve(_anchored(information), gradient)
        # A full Newton step can overshoot when someone has won nearly everything.
        values = [value + max(-200.0, min(200.0, change)) for value, change in zip(values, step, strict=True)]
        if max(map(abs, step), default=0.0) < _PRECISION:
            break
    mean = sum(values) / players if players else 0.0
    _, information = _derivatives(players, played, values)
    errors = _errors(players, played, values, information)
    return [Rating(value - mean, error) for value, error in zip(values, errors, strict=True)]


def _with_prior(counts: Sequence[float]) -> list[float]:
    return [float(count) + (PRIOR_PAIRS if index == 2 else 0.0) for index, count in enumerate(counts)]


def _derivatives(
    players: int, played: Mapping[tuple[int, int], Sequence[float]], values: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Return gradient and negative second derivative of the log-likelihood; each pair weighs as one observation."""
    gradient = [0.0] * players
    information = [[0.0] * players for _ in range(players)]
    for (i, j), counts in played.items():
        found = moments(counts)
        expected = score_of_elo(values[i] - values[j])
        surplus = found.count * (found.mean - expected) * _SCALE
        weight = found.count * expected * (1 - expected) * _SCALE**2
        gradient[i] += surplus
        gradient[j] -= surplus
        for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            information[row][column] += sign * weight
    return gradient, information


def _anchored(information: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the matrix made regular: only differences are determined, so the sum of all ratings is held at 0."""
    size = len(information)
    strength = max((information[i][i] for i in range(size)), default=1.0) or 1.0
    rows = [[value + strength / size for value in row] for row in information]
    for player in range(size):
        if not information[player][player]:
            rows[player][player] += strength
    return rows


def _errors(
    players: int,
    played: Mapping[tuple[int, int], Sequence[float]],
    values: Sequence[float],
    information: Sequence[Sequence[float]],
) -> list[float]:
    """Return the half widths of the 95 % intervals, infinite where nothing varied."""
    matrix = _anchored(information)
    variances = [0.0] * players
    for (i, j), counts in played.items():
        found = moments(counts)
        expected = score_of_elo(values[i] - values[j])
        # The second moment about the model's mean: what the pairs deviate by, a misfit of the model included.
        spread = found.count * (found.variance + (found.mean - expected) ** 2) * _SCALE**2
        direction = [0.0] * players
        direction[i], direction[j] = 1.0, -1.0
        influence = _solve(matrix, direction)
        for player in range(players):
            variances[player] += spread * influence[player] ** 2
    return [QUANTILE_95 * math.sqrt(variance) if variance > _PRECISION else math.inf for variance in variances]


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
