"""A player in a game: one interface over an engine process, our own engine and a textbook strategy.

Anything a player does wrong becomes a `Failure`, which loses the game. What would make the whole match meaningless,
such as a program that does not exist, becomes an ArenaError. Engine processes are in `process_player`.
"""

from __future__ import annotations

import math
import random
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from othello_bot import strategies
from othello_bot.arena.adjudication import Ending, Failure, exception_failure
from othello_bot.arena.config import EngineConfig
from othello_bot.arena.errors import ArenaError
from othello_bot.engine import Engine, Options, choose_now
from othello_bot.rules import Position
from othello_bot.version import __version__
from protocol.clocks import PlayerClock


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's answer: its move (None: it resigns), the seconds it took, and what the player reports about it."""

    move: int | None
    used_s: float
    score: float | None = None
    depth: str = ""
    nodes: int | None = None
    planned_s: float | None = None


class Player(ABC):
    """One engine, started, for one game after the other. Every method may raise Failure."""

    def __init__(self, config: EngineConfig) -> None:
        self.config = config
        self.identity = config.name
        """Name and version as the engine reports them."""

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines exchanged with the player and the last of its stderr, for the record of a failure."""
        return ()

    @abstractmethod
    def start(self) -> None:
        """Make it ready; nothing is left behind after a Failure."""

    @abstractmethod
    def new_game(self, start: Position, moves: tuple[int, ...], seed: str) -> None:
        """Begin a game after `moves` (passes included) from `start`; `seed` is for its random choices."""

    @abstractmethod
    def played(self, move: int) -> None:
        """Take note of a move that it did not choose: the opponent's, or a forced pass of either side."""

    @abstractmethod
    def choose(self, position: Position, clocks: tuple[PlayerClock, PlayerClock]) -> Choice:
        """Choose a move at a position that has one, under Black's and White's clock."""

    @abstractmethod
    def close(self) -> None:
        """End it for certain."""


def drawn(seed: str) -> int:
    """Return the number that a player draws from the seed of a game."""
    return random.Random(seed).getrandbits(32)


class EnginePlayer(Player):
    """Our own engine inside the worker. It forgets everything between games, so that games are independent."""

    _engine: Engine | None = None

    def start(self) -> None:
        """Make the engine with its options. Raise ArenaError if it cannot be made."""
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
        """Forget the last game, and restart the random choices from the game's seed, or from the seed that was set."""
        assert self._engine is not None
        self._engine.clear()
        self._engine.prepare()
        self._engine.set_option("seed", dict(self.config.options).get("seed") or drawn(seed))

    def played(self, move: int) -> None:
        """Do nothing: the engine is given the position with each request."""

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
            planned_s = self._engine.budget.optimum_s
            told_s = planned_s if math.isfinite(planned_s) else None
            return Choice(found.move, used_s, float(found.score), found.reached(), found.nodes, told_s)
        except Exception as error:  # whatever a player raises loses its game, with the reason kept
            raise exception_failure(error) from error

    def close(self) -> None:
        """End the engine's thread."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None


class StrategyPlayer(Player):
    """A textbook strategy inside the worker."""

    def start(self) -> None:
        """Load what its first move would wait for; it is made anew for every game, so that games are independent."""
        strategies.prepare(self.config.strategy)

    def new_game(self, start: Position, moves: tuple[int, ...], seed: str) -> None:
        """Make the strategy."""
        self._strategy = strategies.make(self.config.strategy, drawn(seed))

    def played(self, move: int) -> None:
        """Do nothing: a strategy is given the position with each request."""

    def choose(self, position: Position, clocks: tuple[PlayerClock, PlayerClock]) -> Choice:
        """Ask the strategy."""
        began = time.perf_counter()
        try:
            move = strategies.choose(self._strategy, position)
        except strategies.IllegalStrategyMove as error:
            raise Failure(Ending.ILLEGAL, str(error)) from error
        except Exception as error:  # whatever a player raises loses its game, with the reason kept
            raise exception_failure(error) from error
        return Choice(move, time.perf_counter() - began)

    def close(self) -> None:
        """Do nothing."""
