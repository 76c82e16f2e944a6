"""Adam: steps of stochastic gradient descent whose length adapts to each parameter, and how they grow shorter.

D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (2015).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from othello_bot.learning.fit import Reals


class Adam:
    """Adaptive moments of every parameter; `rates` says how far the channels move."""

    BETAS: Final = (0.9, 0.99)

    def __init__(self, shape: tuple[int, ...], rates: Reals) -> None:
        self.rates = rates
        self.moves = bool(np.any(rates))
        self.mean = np.zeros(shape, np.float32)
        self.square = np.zeros(shape, np.float32)
        self.move = np.empty(shape, np.float32)
        self.count = 0

    def step(self, parameters: Reals, gradient: Reals, share: float) -> None:
        """Move the parameters by `share` of the rates. The gradient's memory is used up."""
        if not self.moves:
            return
        self.count += 1
        first, second = self.BETAS
        self.mean *= np.float32(first)
        np.multiply(gradient, np.float32(1 - first), out=self.move)
        self.mean += self.move
        if self.count % 128 == 0:
            # A mean that has faded away would be a denormal number, with which processors are slow.
            self.mean[np.abs(self.mean) < 1e-20] = 0
        self.square *= np.float32(second)
        np.square(gradient, out=gradient)
        gradient *= np.float32(1 - second)
        self.square += gradient
        np.sqrt(self.square, out=self.move)
        self.move *= np.float32(1 / np.sqrt(1 - second**self.count))
        self.move += np.float32(1e-8)
        np.divide(self.mean, self.move, out=self.move)
        self.move *= self.rates * np.float32(share / (1 - first**self.count))
        parameters -= self.move


def share_of_rate(step: int, steps: int) -> float:
    """Return which share of the rate a step has: a short warm-up, then a cosine down to zero."""
    warm = min(1.0, (step + 1) / min(50, max(steps // 10, 1)))
    return float(warm * (1 + np.cos(np.pi * step / steps)) / 2)
