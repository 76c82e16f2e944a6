"""Our own engine as a player, inside of the worker: no pipes, no protocol, scores and depths of every move."""

from __future__ import annotations

import time

from othello_bot.arena.errors import ArenaError
from othello_bot.arena.players import Choice, Player, crashed, drawn
from othello_bot.engine import Engine, Options, choose_now
from othello_bot.rules import Position
from othello_bot.version import __version__
from protocol.clocks import PlayerClock


class EnginePlayer(Player):
    """An `Engine`. It forgets everything between games, so that no game depends on those before it."""

    _engine: Engine | None = None

    def start(self) -> None:
        """Make the engine with its options. Raises ArenaError where it cannot be made at all."""
        options = Options()
        for name, value in self.config.options:
            options = options.with_text(name, value)
        limits = self.config.limits
        for name, number in (("level", limits.level), ("depth", limits.depth), ("nodes", limits.nodes)):
            if number is not None:
                options = options.with_text(name, str(number))
        try:
            self._engine = Engine(options)
        except (OSError, ValueError, MemoryError) as error:
            raise ArenaError(f"engine {self.config.name}: cannot be made: {error}") from error
        self.identity = f"othello-bot {__version__}"

    def new_game(self, start: Position, moves: tuple[int, ...], seed: str) -> None:
        """Forget the last game, and begin the random choices anew: by the game's seed, or by the one that was set."""
        assert self._engine is not None
        self._engine.clear()
        self._engine.prepare()
        self._engine.set_option("seed", dict(self.config.options).get("seed") or drawn(seed))

    def played(self, move: int) -> None:
        """Do nothing: the engine is shown the position."""

    def choose(self, position: Position, clocks: tuple[PlayerClock, PlayerClock]) -> Choice:
        """Let the engine search, or its book answer."""
        assert self._engine is not None
        began = time.perf_counter()
        try:
            limits = self._engine.default_limits(clocks[position.color].state)
            chosen = choose_now(self._engine, position, limits)
            used_s = time.perf_counter() - began
            found = chosen.result
            if found is None:
                return Choice(chosen.move, used_s, depth=chosen.source)
            return Choice(found.move, used_s, float(found.score), found.reached(), found.nodes)
        except Exception as error:  # whatever a player raises is its loss, with the reason kept
            raise crashed(error) from error

    def close(self) -> None:
        """End the engine's thread."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None
