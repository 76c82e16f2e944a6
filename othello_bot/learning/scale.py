"""The scale of values: what a sum of tables and factors means in discs, stage by stage.

The sum is fitted as a whole, but how far a position with a given sum is from level on the whole depends on how unsure
the sum is, and what counts in the fit. So the value is a rising function of the sum, the same for both sides, made of
straight lines between KNOTS whose slopes are learned with the rest. Positions of one stage stay in the order of
their sums.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from othello_bot.learning import columns
from othello_bot.learning.fit import Reals

KNOTS: Final[Reals] = np.array([0, 4, 8, 12, 16, 20, 26, 34, 46, 64], np.float32)
"""Where the lines meet, in discs of the sum. The scale ends at the last."""

LINES: Final = len(KNOTS) - 1
"""Lines of a stage's scale."""

_LENGTHS: Final[Reals] = np.diff(KNOTS)

LEAST_SLOPE: Final = 0.1
"""Slopes stay between: so a larger sum is a larger value, and 16 bits hold it in the kernel's units."""

LARGEST_SLOPE: Final = 3.0

_KEPT: Final = 1000.0
"""How firmly slopes are held where few positions speak, as the second derivative of the loss."""


def level(stages: int) -> Reals:
    """Return the slopes (stages x LINES) that a fit begins with: values are the sums."""
    return np.ones((stages, LINES), np.float32)


def covered(sums: Reals) -> Reals:
    """Return how much of each line lies between zero and the sums (discs), with their sign: positions x LINES."""
    result: Reals = np.clip(np.abs(sums)[:, None] - KNOTS[:-1], 0, _LENGTHS)
    result *= np.sign(sums)[:, None]
    return result


def slopes_at(sums: Reals, slopes: Reals) -> Reals:
    """Return the slope at each sum (discs) of the scale with these slopes (LINES), 0 beyond its end."""
    result: Reals = np.append(slopes, np.float32(0))[np.searchsorted(KNOTS[1:], np.abs(sums), side="right")]
    return result


def kept_within(slopes: Reals) -> None:
    """Set slopes right that a step has made too small or too large."""
    np.clip(slopes, LEAST_SLOPE, LARGEST_SLOPE, out=slopes)


def quantised(slopes: Reals) -> NDArray[Any]:
    """Return the values of sums of 0, 1, ... 64 discs in the kernel's units: int16, stages x 65."""
    lines = covered(np.arange(KNOTS[-1] + 1, dtype=np.float32))
    result: NDArray[Any] = np.rint(slopes @ lines.T * columns.UNIT).astype("<i2")
    return result


def fitted(sums: Reals, scores: Reals, counts: Reals, delta: float, start: Reals) -> Reals:
    """Return the slopes (LINES) that minimise Huber's loss (linear beyond `delta`) of the values of the sums.

    `counts`: what each position counts; `start`: slopes that are kept where nothing speaks against them.
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
