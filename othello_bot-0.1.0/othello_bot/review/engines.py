"""The engines of `import othello_bot`: those of the package `engine`, which can also analyze games."""

from __future__ import annotations

from othello_bot import engine
from othello_bot.engine import Limits, async_engine, carried_out
from othello_bot.review.game_review import analysis_steps
from othello_bot.review.judgement import JudgedMove
from othello_bot.rules import Game


class Engine(engine.Engine):
    """An engine that searches positions, thinks ahead and analyzes games; see `othello_bot.engine.Engine`."""

    def analyze(self, game: Game, limits: Limits | None = None) -> list[JudgedMove]:
        """Return the judgement on each move of a game; blocks.

        Each move has the same limits, those of the options by default; book, strength and strategy do not count.
        Earlier searches are forgotten, so that the same game always has the same answer. Raise `InputError` for
        anything but a game.
        """
        self.clear()
        return carried_out(analysis_steps(game, limits or self.default_limits()), self.answer)


class AsyncEngine(async_engine.AsyncEngine):
    """An engine for asyncio that also analyzes games; see `othello_bot.engine.async_engine.AsyncEngine`."""

    async def analyze(self, game: Game, limits: Limits | None = None) -> list[JudgedMove]:
        """Return the judgement on each move of a game, as `Engine.analyze` does."""
        return await self.carry_out(analysis_steps(game.copy(), limits or self.engine.default_limits()))
