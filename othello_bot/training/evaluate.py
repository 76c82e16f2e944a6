"""The error of an evaluation on positions with known exact scores that no fit has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.engine import fixed_depth
from othello_bot.kernel import Searcher, Weights
from othello_bot.training import bins
from othello_bot.training.measuring import Measured

CLOSE: Final = 10
"""A position is close if its exact score is at most this many discs from a draw."""

DEPTH: Final = 8


@dataclass(frozen=True)
class Errors:
    """Mean absolute errors in discs and the share of right winners at depth 8, each with its standard error.

    A winner is right if the search's score and the exact score have the same sign; so a drawn position counts only if
    the search scores it 0. `depth8_points` counts as matches do: half a point if exactly one of the two scores is a
    draw.
    """

    positions: int
    static_mae: float
    static_mae_error: float
    static_mae_close: float
    static_mae_close_error: float
    depth8_mae: float
    depth8_mae_error: float
    depth8_winner: float
    depth8_winner_error: float
    depth8_points: float
    depth8_points_error: float


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error; NaN for no values, and the error of a single one is NaN."""
    if not values:
        return float("nan"), float("nan")
    return bins.mean(values)


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)


def measure(weights: Weights | None, measured: Measured) -> Errors:
    """Return the errors of an evaluation (None: the hand-made one).

    Depth 8 is searched at full width without an exact finish: its leaves are static values unless the game is over.
    """
    searcher = Searcher(16)
    searcher.set_weights(weights)
    static_errors, deep_errors, right, points = [], [], [], []
    for (mover, opponent), exact in zip(measured.positions, measured.scores, strict=True):
        static = min(max(searcher.static_value(mover, opponent), -64.0), 64.0)
        static_errors.append(abs(static - exact))
        searcher.clear()
        deep = fixed_depth(searcher, mover, opponent, DEPTH)[0].score
        deep_errors.append(abs(deep - exact))
        apart = abs(_sign(deep) - _sign(exact))
        right.append(float(apart == 0))
        points.append(1 - apart / 2)
    close = [error for error, exact in zip(static_errors, measured.scores, strict=True) if abs(exact) <= CLOSE]
    samples = (static_errors, close, deep_errors, right, points)
    return Errors(len(static_errors), *(figure for sample in samples for figure in _mean(sample)))
