"""A player in a game, as the arena sees it.

Whatever a player does wrong becomes a `Failure`, which loses the game; what makes the whole match senseless, such as a
program that does not exist, becomes an ArenaError.
"""

from __future__ import annotations

import random
import traceback
from abc import ABC, abstractmethod
from dataclasses import dataclass

from othello_bot.arena.config import EngineConfig
from othello_bot.arena.reports import Ending
from othello_bot.rules import Position
from protocol.clocks import PlayerClock


class Failure(Exception):
    """A player lost otherwise than by playing.

    ending       how
    detail       what happened, in one line
    last_words   the last lines of the conversation with it and of its stderr, or a traceback
    """

    def __init__(self, ending: Ending, detail: str, last_words: tuple[str, ...] = ()) -> None:
        super().__init__(f"{ending.value}: {detail}")
        self.ending = ending
        self.detail = detail
        self.last_words = last_words


def crashed(error: Exception) -> Failure:
    """Return the failure of a player inside of this process that raised `error`, with the traceback."""
    return Failure(Ending.CRASH, f"{type(error).__name__}: {error}", tuple(traceback.format_exc().splitlines()))


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's answer: its move (None: it resigns), the seconds it took, and what it tells about it."""

    move: int | None
    used_s: float
    score: float | None = None
    depth: str = ""
    nodes: int | None = None


class Player(ABC):
    """One engine, started, for one game after the other. Every method may raise Failure."""

    def __init__(self, config: EngineConfig) -> None:
        self.config = config
        self.identity = config.name
        """Name and version as the engine says them itself."""

    @property
    def last_words(self) -> tuple[str, ...]:
        """What was said last by and to it, for the record of a game that it lost otherwise than by playing."""
        return ()

    @abstractmethod
    def start(self) -> None:
        """Make it ready; nothing is left behind after a Failure."""

    @abstractmethod
    def new_game(self, start: Position, moves: tuple[int, ...], seed: str) -> None:
        """Begin a game after `moves` (passes included) from `start`; `seed` is for what it does at random."""

    @abstractmethod
    def played(self, move: int) -> None:
        """Hear of a move that it did not choose itself: the opponent's, or a pass that the rules force on either."""

    @abstractmethod
    def choose(self, position: Position, clocks: tuple[PlayerClock, PlayerClock]) -> Choice:
        """Choose a move at a position that has one, under Black's and White's clock."""

    @abstractmethod
    def close(self) -> None:
        """End it for certain."""


def drawn(seed: str) -> int:
    """Return the number that a player takes from the seed of a game."""
    return random.Random(seed).getrandbits(32)
