"""Adam: stochastic gradient descent whose step size adapts to each parameter, and the schedule of the learning rate.

D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (2015).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from othello_bot.training.fit import Reals
from othello_bot.training.threads import spans
from othello_bot.training.unfinished import State

_SPAN: Final = 1 << 18
"""Numbers that one task updates. With fewer, threads lose more time to the interpreter's lock than they gain."""


class Adam:
    """Adaptive moments of every parameter; `rates` holds the learning rate of each channel."""

    BETAS: Final = (0.9, 0.999)

    def __init__(self, shape: tuple[int, ...], rates: Reals) -> None:
        self.rates = rates
        self.moves = bool(np.any(rates))
        self.mean = np.zeros(shape, np.float32)
        self.square = np.zeros(shape, np.float32)
        self.count = 0

    def step(self, parameters: Reals, gradient: Reals, share: float) -> list[Callable[[], None]]:
        """Return tasks that together update the parameters at `share` of the rates. They may run in any order or in
        parallel.
        """
        if not self.moves:
            return []
        self.count += 1
        rows = max(1, _SPAN // parameters[0].size)
        return [
            partial(self._move, parameters[part], gradient[part], self.mean[part], self.square[part], share)
            for part in spans(len(parameters), rows)
        ]

    def _move(self, parameters: Reals, gradient: Reals, mean: Reals, square: Reals, share: float) -> None:
        first, second = self.BETAS
        mean *= np.float32(first)
        move = gradient * np.float32(1 - first)
        mean += move
        if self.count % 128 == 0:
            # A mean that has decayed to almost nothing becomes a denormal number, and those slow processors down.
            mean[np.abs(mean) < 1e-20] = 0
        square *= np.float32(second)
        np.square(gradient, out=move)
        move *= np.float32(1 - second)
        square += move
        np.sqrt(square, out=move)
        move *= np.float32(1 / np.sqrt(1 - second**self.count))
        move += np.float32(1e-8)
        np.divide(mean, move, out=move)
        move *= self.rates * np.float32(share / (1 - first**self.count))
        parameters -= move

    def state(self) -> State:
        """Return the state that steps change, by name, for restore()."""
        return {"mean": self.mean, "square": self.square, "count": np.array(self.count)}

    def restore(self, state: State) -> None:
        """Continue from a state that state() returned."""
        self.mean, self.square, self.count = state["mean"], state["square"], int(state["count"])


def share_of_rate(step: int, steps: int) -> float:
    """Return the share of the learning rate that a step uses: a short warm-up, then a cosine down to zero."""
    warm = min(1.0, (step + 1) / min(50, max(steps // 10, 1)))
    return float(warm * (1 + np.cos(np.pi * step / steps)) / 2)
