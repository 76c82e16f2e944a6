"""Who advises the people at the terminal, by hints and by moves played for them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import counted
from othello_bot.base.notation import PASS, move_name
from othello_bot.engine import (
    Engine,
    EnginePlayer,
    PersonPlayer,
    SearchRequest,
    SearchResult,
    Steps,
    TextbookPlayer,
    allocate,
)
from othello_bot.rules import Game
from othello_bot.strategies.board import engine_square, from_position
from othello_bot.strategies.marappan import Marappan

SUGGESTED_LINES: Final = 3
"""Usual number of moves in the engine's advice."""


class Adviser:
    """Who gives advice: an engine, also one that plays as people do, at full strength, or a textbook player."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._player = engine.player
        self._advice: SearchResult | None = None

    @property
    def is_textbook(self) -> bool:
        """Whether a textbook player advises."""
        return isinstance(self._player, TextbookPlayer)

    def choose(self, game: Game, clock: ClockState | None) -> Steps[int]:
        """Return steps that end in the move to play where the game is not over: the first of the advice."""
        if isinstance(self._player, EnginePlayer) and game.position.legal_moves:
            overhead_s = self.engine.options.move_overhead_s
            most_s = allocate(clock, game.position.empties, overhead_s).maximum_s
            return (yield from self.advice(game, 1, most_s)).move
        choice = yield from self.engine.player.choose(game, self.engine.default_limits(clock))
        return choice.move

    def suggest(self, game: Game, count: int | None = None) -> Steps[list[str]]:
        """Return steps that end in lines of a textbook player's advice, the best move first: the points of Marappan and
        Hingorani's strategy, or another strategy's move. At most `count`, or all.
        """
        position = game.position
        if not position.legal_moves:
            return [move_name(PASS)]
        if not (isinstance(self._player, TextbookPlayer) and isinstance(self._player.strategy, Marappan)):
            return [move_name((yield from self.choose(game, None)))]
        found = self._player.strategy.suggestions(*from_position(position))
        return [
            f"{move_name(engine_square(square))}  {counted(points, 'point', signed=True)}"
            for points, square in found[:count]
        ]

    def advice(self, game: Game, count: int, most_s: float = math.inf) -> Steps[SearchResult]:
        """Return steps that end in the `count` best moves of the engine at full strength, repeated for the position of
        the last advice, after `most_s` seconds at most.

        A person begins with the move that he would play.
        """
        position, result = game.position, self._advice
        if result is None or result.position != position or len(result.lines) < min(count, len(position.legal_moves)):
            self.engine.clear()
            limits = replace(self.engine.default_limits(), multi_pv=max(count, SUGGESTED_LINES))
            if math.isfinite(most_s):
                limits = replace(limits, move_time_s=min(most_s, limits.move_time_s or math.inf))
            result = yield SearchRequest(position, limits, engine=self.engine)
            if isinstance(self._player, PersonPlayer):
                own = (yield from self.engine.player.choose(game, self.engine.default_limits())).move
                alone = replace(limits, considered=frozenset((own,)))
                first = [line for line in result.lines if line.move == own]
                first = first or list((yield SearchRequest(position, alone, engine=self.engine)).lines)
                result = replace(result, lines=(*first, *(line for line in result.lines if line.move != own)))
            self._advice = None if result.stopped else result
        return replace(result, lines=result.lines[:count])
