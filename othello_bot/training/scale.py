"""The scale of values: the discs that a sum of tables and factors stands for, stage by stage.

The sum is fitted as a whole, but the average score of positions with a given sum depends on how uncertain the sum is
and on the weights of the fit. So the value is a rising function of the sum, the same for both sides, piecewise linear
between KNOTS, and its slopes are learned with the rest. It preserves the order of positions of one stage.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from othello_bot.training import fit
from othello_bot.training.fit import Reals

KNOTS: Final[Reals] = np.array([0, 4, 8, 12, 16, 20, 26, 34, 46, 64], np.float32)
"""The ends of the lines, in discs of the sum. The scale ends at the last."""

LINES: Final = len(KNOTS) - 1
"""Number of lines in a stage's scale."""

_LENGTHS: Final[Reals] = np.diff(KNOTS)

LEAST_SLOPE: Final = 0.1
"""Limits of the slopes: a larger sum means a larger value, and 16 bits hold it in the kernel's units."""

LARGEST_SLOPE: Final = 3.0

_KEPT: Final = 1000.0
"""Damping of slopes with few positions, as a second derivative of the loss."""


def level(stages: int) -> Reals:
    """Return the initial slopes of a fit (stages x LINES): values equal the sums."""
    return np.ones((stages, LINES), np.float32)


def covered(sums: Reals) -> Reals:
    """Return the signed length of each line between zero and the sums (discs): positions x LINES."""
    result: Reals = np.clip(np.abs(sums)[:, None] - KNOTS[:-1], 0, _LENGTHS)
    result *= np.sign(sums)[:, None]
    return result


def slopes_at(sums: Reals, slopes: Reals) -> Reals:
    """Return the slope at each sum (discs) of the scale with these slopes (LINES); 0 beyond its end."""
    result: Reals = np.append(slopes, np.float32(0))[np.searchsorted(KNOTS[1:], np.abs(sums), side="right")]
    return result


def kept_within(slopes: Reals) -> None:
    """Clip slopes to the limits, in place."""
    np.clip(slopes, LEAST_SLOPE, LARGEST_SLOPE, out=slopes)


def quantised(slopes: Reals) -> NDArray[Any]:
    """Return the values of sums of 0, 1, ... 64 discs in the kernel's units: int16, stages x 65."""
    lines = covered(np.arange(KNOTS[-1] + 1, dtype=np.float32))
    result: NDArray[Any] = np.rint(slopes @ lines.T * fit.UNIT).astype("<i2")
    return result


def fitted(sums: Reals, scores: Reals, counts: Reals, delta: float, start: Reals) -> Reals:
    """Return the slopes (LINES) that minimise Huber's loss (linear beyond `delta`) of the values of the sums.

    `counts`: the weight of each position; `start`: slopes to keep where the positions do not decide.
    """
    lines = covered(sums)

    def loss(slopes: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        errors = lines @ slopes.astype(np.float32) - scores
        size, pull = np.abs(errors), np.clip(errors, -delta, delta)
        apart = slopes - start
        total = float((np.abs(pull) * (size - np.abs(pull) / 2)) @ counts) + _KEPT * float(apart @ apart) / 2
        return total, (lines.T @ (pull * counts)).astype(np.float64) + _KEPT * apart

    bounds = [(LEAST_SLOPE, LARGEST_SLOPE)] * LINES
    found = optimize.minimize(loss, start.astype(np.float64), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, np.float32)
