"""How far an evaluation is from the truth, on positions with known exact scores that no fit has seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from othello_bot.kernel.evaluation import Weights
from othello_bot.kernel.searcher import Searcher
from othello_bot.learning.fit import CLOSE
from othello_bot.learning.measuring import Measured

DEPTH: Final = 8


@dataclass(frozen=True)
class Errors:
    """Mean absolute errors in discs, each with its standard error, and the share of right winners at depth 8.

    A winner is right where the signs of the search's score and of the exact score agree; so a drawn position is right
    only where the search says 0 as well.
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


def _mean(values: np.ndarray) -> tuple[float, float]:  # type: ignore[type-arg]
    if not len(values):
        return float("nan"), float("nan")
    return float(values.mean()), float(values.std() / len(values) ** 0.5)


def measure(weights: Weights | None, measured: Measured, search: bool = True) -> Errors:
    """Return the errors of an evaluation (None: the hand-made one). Depth 8 is full width without an exact finish."""
    searcher = Searcher(16)
    searcher.set_weights(weights)
    pairs = list(zip(measured.movers.tolist(), measured.opponents.tolist(), strict=True))
    exact = measured.scores.astype(np.float64)
    static = np.array([np.clip(searcher.static_value(mover, opponent), -64, 64) for mover, opponent in pairs])
    error = np.abs(static - exact)
    deep = np.full(len(pairs), np.nan)
    if search:
        for place, (mover, opponent) in enumerate(pairs):
            searcher.clear()
            deep[place] = searcher.score(mover, opponent, DEPTH, full_width_without_endgame=True)[0]
    close = np.abs(exact) <= CLOSE
    right = (np.sign(deep) == np.sign(exact)).astype(np.float64) if search else deep
    return Errors(len(pairs), *_mean(error), *_mean(error[close]), *_mean(np.abs(deep - exact)), *_mean(right))
