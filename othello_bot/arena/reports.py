"""What a worker is given and what it gives back: a job and the report of its game, plain values that travel."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from othello_bot.arena.config import EngineConfig, Rules
from othello_bot.arena.openings import Opening
from othello_bot.arena.pairing import GameTask
from protocol.notation import Color


class Ending(Enum):
    """How a game ended; the value is what the store and all tables say. All but the first four are a player's fault."""

    BOARD = "board"
    SOLVED = "solved"
    RESIGNATION = "resignation"
    RESIGN_RULE = "resign rule"
    TIME = "time"
    ILLEGAL = "illegal move"
    CRASH = "crash"
    EXIT = "exit"
    STALL = "stall"
    GARBAGE = "garbage"
    REFUSAL = "refusal"
    NO_START = "no start"

    @property
    def by_rule(self) -> bool:
        """Whether nobody misbehaved."""
        return self in (Ending.BOARD, Ending.SOLVED, Ending.RESIGNATION, Ending.RESIGN_RULE)


@dataclass(frozen=True, slots=True)
class GameJob:
    """Everything that a worker needs for one game."""

    task: GameTask
    black: EngineConfig
    white: EngineConfig
    opening: Opening
    rules: Rules
    seed: str

    def config(self, color: Color) -> EngineConfig:
        """Return the engine of a colour."""
        return self.black if color is Color.BLACK else self.white


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move that a player made: seconds used, seconds left on its clock afterwards (None without one).

    Score (discs, the mover's view), depth (in the engine's words) and nodes where the engine tells.
    """

    ply: int
    color: Color
    used_s: float
    left_s: float | None = None
    score: float | None = None
    depth: str = ""
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class GameReport:
    """A finished game.

    loser        who lost otherwise than by discs; None where the discs decide
    discs        disc difference from Black's view where the discs decide, empties to the winner; else None
    detail       what happened, in one line
    last_words   of a player that failed: the last lines of the conversation with it and of its stderr
    moves        all moves, those of the opening and passes included
    identities   name and version of Black and White, as they said themselves
    began        seconds since 1970
    overhead_ms  milliseconds of a move that passed outside of both players
    """

    task: GameTask
    opening: Opening
    moves: tuple[int, ...]
    ending: Ending
    loser: Color | None = None
    discs: int | None = None
    detail: str = ""
    last_words: tuple[str, ...] = ()
    played: tuple[MoveReport, ...] = field(default_factory=tuple)
    identities: tuple[str, str] = ("", "")
    machine: str = ""
    began: float = 0.0
    duration_s: float = 0.0
    overhead_ms: float = 0.0

    @property
    def black_points(self) -> float:
        """1, 1/2 or 0."""
        if self.loser is not None:
            return float(self.loser is Color.WHITE)
        assert self.discs is not None
        return 0.5 if self.discs == 0 else float(self.discs > 0)
