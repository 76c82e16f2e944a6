"""Moves of the textbook players: plain Python, in a thread beside the engine's, ended when nobody waits any more."""

from __future__ import annotations

import time
from functools import lru_cache

from othello_bot.base.errors import InputError
from othello_bot.base.notation import move_name
from othello_bot.engine import (
    Limits,
    Options,
    SearchRequest,
    SearchResult,
    TextbookPlayer,
    allocate,
    carried_out,
    choosing,
    chosen,
)
from othello_bot.strategies import StrategyError
from othello_bot.web.desk import Turns
from othello_bot.web.messages import AskMove

PREPARED = 16
"""Players that are kept for their next move."""


class Thinking:
    """A textbook player's thinking about one move; `stop` ends it from any thread."""

    def __init__(self, ask: AskMove, longest_s: float) -> None:
        """Raise InputError if there is no such player."""
        try:
            self._player = _made(ask.strategy, ask.seed)
        except StrategyError as error:
            raise InputError("strategy", ask.strategy, str(error)) from None
        self._game = ask.game
        self._limits = Limits(clock=ask.clock, move_time_s=longest_s if ask.clock is None else None)
        self._asked_at_s = time.monotonic()
        self._stopped = False

    def stop(self) -> None:
        """End the thinking within some milliseconds."""
        self._stopped = True

    def choose(self, turns: Turns) -> dict[str, object]:
        """Return the reply with the move; block until then, and take turns with others."""
        turns.begin(self._is_stopped)
        try:
            steps = choosing(self._player, self._game, self._limits)
            choice = carried_out(steps, lambda request: self._answer(request, turns))
        finally:
            turns.end()
        return {"kind": "move", "move": move_name(choice.move), "source": choice.source}

    def _answer(self, request: SearchRequest, turns: Turns) -> SearchResult:
        limits = request.limits
        budget = allocate(limits.clock, request.position.empties, Options().move_overhead_s, limits.move_time_s)
        assert request.chooser is not None, "a textbook player asks for no search"

        def is_stopped() -> bool:
            turns.pass_on(self._is_stopped)
            return self._stopped

        return chosen(request.chooser, request.position, budget, self._asked_at_s, is_stopped)

    def _is_stopped(self) -> bool:
        return self._stopped


@lru_cache(maxsize=PREPARED)
def _made(spec: str, seed: int) -> TextbookPlayer:
    return TextbookPlayer(spec, seed)
