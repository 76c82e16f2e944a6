"""Moves of the textbook players: plain Python, in a thread beside the engine's, ended when nobody waits any more."""

from __future__ import annotations

import time
from functools import lru_cache

from othello_bot import strategies
from othello_bot.engine import allocate
from othello_bot.errors import InputError
from othello_bot.strategies import Strategy, StrategyError
from othello_bot.web.messages import AskMove
from protocol.notation import move_name

OVERHEAD_S = 0.1
"""Seconds of the clock kept for what happens outside the thinking."""

PREPARED = 16
"""Players that are kept for their next move."""


class Thinking:
    """A textbook player's thinking about one move; `stop` ends it from any thread."""

    def __init__(self, ask: AskMove, longest_s: float) -> None:
        """Raise InputError if there is no such player."""
        try:
            self._strategy = _made(ask.strategy, ask.seed)
        except StrategyError as error:
            raise InputError("strategy", ask.strategy, str(error)) from None
        self._ask = ask
        self._stopped = False
        seconds = longest_s if ask.clock is None else allocate(ask.clock, self.empties, OVERHEAD_S).maximum_s
        self._end_s = time.monotonic() + seconds

    @property
    def empties(self) -> int:
        """The number of empty squares."""
        return self._ask.game.position.empties

    def stop(self) -> None:
        """End the thinking within some milliseconds."""
        self._stopped = True

    def choose(self) -> dict[str, object]:
        """Return the reply with the move; block until then."""
        move = strategies.choose(
            self._strategy, self._ask.game.position, lambda: self._stopped or time.monotonic() >= self._end_s
        )
        return {"kind": "move", "move": move_name(move), "source": "strategy"}


@lru_cache(maxsize=PREPARED)
def _made(spec: str, seed: int) -> Strategy:
    return strategies.make(spec, seed)
