"""Step 3, the fit: regularised robust least squares, stage by stage, by preconditioned conjugate gradients.

Minimised is the sum over positions of Huber's loss of (value - label), plus RIDGE times the squared distance of every weight
from that of the neighbouring stages (the prior). A weight that is rarely seen therefore stays what the neighbours say, and
stages pass smoothly into each other. Huber's loss is handled by reweighting: after some steps every position weighs
delta / |error| where its error is beyond delta, and the conjugate gradients begin again from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.learning import boards, columns

#: Share of the positions that the fit never sees: those whose key is a multiple of this.
HELD_OUT: Final = 16

Reals = NDArray[np.float32]


@dataclass(frozen=True)
class Options:
    """How a stage is fitted. `ridge`: in positions; `delta`: in discs; `neighbours`: weight of the next stages' positions."""

    ridge: float = 8.0
    delta: float = 8.0
    neighbours: float = 0.25
    rounds: int = 8
    steps: int = 12
    patience: int = 2


@dataclass
class Sample:
    """The positions of a fit: bitboards, labels in discs, and what each counts."""

    movers: NDArray[np.uint64]
    opponents: NDArray[np.uint64]
    scores: Reals
    importance: Reals
    held_out: NDArray[np.bool_]


@dataclass
class Fitted:
    """What came out for a stage: the weights in discs, and the errors in discs after each round (training, held-out)."""

    stage: int
    weights: Reals
    positions: int
    curve: list[tuple[float, float]] = field(default_factory=list)
    used: NDArray[np.int64] | None = None

    @property
    def error(self) -> float:
        """Mean absolute error on the held-out positions of the stage."""
        return min(held for _, held in self.curve)


def is_held_out(names: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which keys belong to the held-out part."""
    return (names >> np.uint64(20)) % np.uint64(HELD_OUT) == 0


def _steps(matrix: Any, scores: Reals, importance: Reals, weights: Reals, prior: Reals, ridge: float, steps: int) -> Reals:
    """Return the weights after some steps of conjugate gradients on the weighted least squares problem."""
    transposed = matrix.T
    scale = 1.0 / (transposed @ importance + np.float32(ridge))
    residual = transposed @ (importance * (scores - matrix @ weights)) + np.float32(ridge) * (prior - weights)
    direction = scale * residual
    product = float(residual @ direction)
    for _ in range(steps):
        if product < 1e-9:
            break
        image = transposed @ (importance * (matrix @ direction)) + np.float32(ridge) * direction
        length = np.float32(product / float(direction @ image))
        weights = weights + length * direction
        residual = residual - length * image
        next_product = float(residual @ (scale * residual))
        direction = scale * residual + np.float32(next_product / product) * direction
        product = next_product
    return weights


def fit_stage(stage: int, sample: Sample, start: Reals, prior: Reals, options: Options) -> Fitted:
    """Fit one stage from `start`; return the weights of the round with the smallest held-out error."""
    train = ~sample.held_out
    own = sample.importance >= 1
    matrix = columns.rows(sample.movers[train], sample.opponents[train])
    test = columns.rows(sample.movers[~train & own], sample.opponents[~train & own])
    scores, importance, held = sample.scores[train], sample.importance[train], sample.scores[~train & own]
    weights = best = start.astype(np.float32)
    result = Fitted(stage, best, len(scores))
    since_best, least = 0, np.inf
    for _ in range(options.rounds):
        errors = np.abs(matrix @ weights - scores)
        robust = importance * np.minimum(1, np.float32(options.delta) / np.maximum(errors, np.float32(1e-3)))
        weights = _steps(matrix, scores, robust, weights, prior, options.ridge, options.steps)
        error = float(np.abs(np.clip(test @ weights, -64, 64) - held).mean()) if len(held) else 0.0
        result.curve.append((float(errors.mean()), error))
        if error < least:
            since_best, least, best = 0, error, weights
        else:
            since_best += 1
            if since_best >= options.patience:
                break
    result.weights = best
    result.used = np.bincount(matrix.indices, minlength=len(best))
    return result
