"""The engine as a bot for OpenSpiel's Othello."""

from __future__ import annotations

from typing import Any

import pyspiel

from othello_bot.engine import Engine, Options
from othello_bot.rules import Game


class OthelloBot(pyspiel.Bot):  # type: ignore[misc, unused-ignore]
    """Plays one side of OpenSpiel's game "othello" as a session with these options would.

    Every state has its whole history, so the bot may be asked about any state at any time.
    """

    def __init__(self, options: Options | None = None) -> None:
        pyspiel.Bot.__init__(self)
        self._engine = Engine(options)

    def step(self, state: Any) -> int:
        """Return the action for the player to move, 64 for a pass; raise InputError for a state that is over."""
        return self._engine.choose(game_of(state)).move

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing: the next state has the action."""

    def restart(self) -> None:
        """Forget earlier games."""
        self._engine.clear()

    def restart_at(self, state: Any) -> None:
        """Forget earlier games; the next state has its history."""
        self._engine.clear()

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def game_of(state: Any) -> Game:
    """Return the game of a state of OpenSpiel's "othello"."""
    game = Game()
    game.play_moves(state.history())
    return game
