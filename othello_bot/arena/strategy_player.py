"""A textbook strategy as a player, inside of the arena's own process."""

from __future__ import annotations

import time

from othello_bot.arena.players import Choice, Failure, Player, crashed, drawn
from othello_bot.arena.reports import Ending
from othello_bot.rules import Position
from protocol.clocks import PlayerClock


class StrategyPlayer(Player):
    """A textbook strategy, inside of this process."""

    def start(self) -> None:
        """Do nothing: it is made anew for every game, so that games do not depend on each other."""

    def new_game(self, start: Position, moves: tuple[int, ...], seed: str) -> None:
        """Make the strategy."""
        from othello_bot import strategies

        self._strategy = strategies.make(self.config.strategy, drawn(seed))

    def played(self, move: int) -> None:
        """Do nothing: a strategy is shown the board."""

    def choose(self, position: Position, clocks: tuple[PlayerClock, PlayerClock]) -> Choice:
        """Ask the strategy."""
        from othello_bot import strategies

        began = time.perf_counter()
        try:
            move = strategies.choose(self._strategy, position)
        except strategies.IllegalStrategyMove as error:
            raise Failure(Ending.ILLEGAL, str(error)) from error
        except Exception as error:  # whatever a player raises is its loss, with the reason kept
            raise crashed(error) from error
        return Choice(move, time.perf_counter() - began)

    def close(self) -> None:
        """Do nothing."""
