"""Games as values: one game of a match, the job of a worker, and the report that it returns."""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final

from othello_bot.arena.adjudication import GameOutcome
from othello_bot.arena.config import EngineConfig, Rules
from othello_bot.arena.openings import Opening
from othello_bot.base.errors import shown
from othello_bot.base.notation import Color


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game of a match; `pair` counts its pairs of games from 0, `leg` is 0 or 1, `black` and `white` are slots.

    The slot of an engine is its place in the match. The first player of a pair is the one who is `black` in leg 0.
    """

    pair: int
    leg: int
    round: int
    black: int
    white: int


@dataclass(frozen=True, slots=True)
class GameJob:
    """Everything that a worker needs for one game."""

    task: GameTask
    black: EngineConfig
    white: EngineConfig
    opening: Opening
    rules: Rules
    seed: str
    traffic: str = ""
    """The file into which the lines of its engines are written; empty for none."""
    speed: float = 1.0
    """The speed by which its times were divided."""

    def config(self, color: Color) -> EngineConfig:
        """Return the engine of a colour."""
        return self.black if color is Color.BLACK else self.white


_NUMBER: Final = (int, float)
_MAYBE: Final = (*_NUMBER, NoneType)
_MOVE_KINDS: Final = ((int,), (int,), _NUMBER, _MAYBE, _MAYBE, (str,), (int, NoneType), _MAYBE)
"""The types of the values that `MoveReport.packed` returns."""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move that a player chose: seconds used, seconds left on its clock afterwards (None without a clock).

    Score (discs, the mover's view), depth (in the engine's words), nodes and the seconds that it planned to use are
    there if the engine reports them.
    """

    ply: int
    color: Color
    used_s: float
    left_s: float | None = None
    score: float | None = None
    depth: str = ""
    nodes: int | None = None
    planned_s: float | None = None

    def packed(self) -> list[object]:
        """Return the report as a short JSON list; times to the microsecond."""
        left_s = None if self.left_s is None else round(self.left_s, 6)
        used_s, planned_s = round(self.used_s, 6), None if self.planned_s is None else round(self.planned_s, 6)
        return [self.ply, int(self.color), used_s, left_s, self.score, self.depth, self.nodes, planned_s]

    @classmethod
    def unpacked(cls, values: Sequence[Any]) -> MoveReport:
        """Return the report that `packed` made a list of; raise TypeError or ValueError for another list."""
        ply, color, *rest = values
        for value, kinds in zip(values, _MOVE_KINDS, strict=True):
            if type(value) not in kinds or value == math.inf or ply < 0:
                raise ValueError(f"{shown(value)} in a move")
        return cls(ply, Color(color), *rest)


@dataclass(frozen=True, slots=True)
class GameReport:
    """A finished game.

    moves        all moves, those of the opening and passes included
    identities   name and version of Black and White, as they report them
    began        seconds since 1970
    overhead_ms  milliseconds per move that passed outside both players
    stops        seconds for which the arena was stopped in each playing of the game before this one, and in this one
    stalls       seconds of each stall of the machine in this playing
    latencies_s  seconds that Black and White took to answer a command without a search; None for a player that is not asked
    retries      illegal moves of Black and White after which they were asked again
    overtimes_s  seconds by which Black and White exceeded their clocks
    """

    task: GameTask
    opening: Opening
    moves: tuple[int, ...]
    outcome: GameOutcome
    played: tuple[MoveReport, ...] = ()
    identities: tuple[str, str] = ("", "")
    machine: str = ""
    began: float = 0.0
    duration_s: float = 0.0
    overhead_ms: float = 0.0
    stops: tuple[float, ...] = ()
    stalls: tuple[float, ...] = ()
    latencies_s: tuple[float | None, float | None] = (None, None)
    retries: tuple[int, int] = (0, 0)
    overtimes_s: tuple[float, float] = (0.0, 0.0)

    def used_s(self, color: Color) -> list[float]:
        """Return the seconds that each move of a side took."""
        return [move.used_s for move in self.played if move.color is color]


def machine(speed: float = 1.0) -> str:
    """Return where a game is played: host name, processor and system, in one line, and the speed if it is not 1."""
    scaled = "" if speed == 1 else f" at speed {speed:g}"
    return f"{platform.node()} {platform.machine()} {platform.system()} {platform.release()}{scaled}"
