"""What limits an engine in a match, and the clock that the arena keeps for it.

The notation is that of the chess arenas: `tc=60+1` is a minute for the game and a second more after each move,
`tc=40/60+1` the same with another minute after every 40 moves, `tc=5/0.1` a tenth of a second for every five moves,
`tc=2:30` two minutes and a half; `st=0.1` is the time of every single move. Times are in seconds.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Final

from othello_bot.arena.errors import ConfigError
from othello_bot.engine import ClockState
from protocol.clocks import GameClock, TimeSettings, TimeSystem

UNLIMITED: Final = "inf"

_TIME: Final = r"\d{1,6}(?:\.\d{1,6})?"
_CONTROL: Final = re.compile(rf"(?:(\d{{1,3}})/)?(?:(\d{{1,4}}):)?({_TIME})(?:\+({_TIME}))?", re.ASCII)
_EXPECTED: Final = "seconds for the game like 60, 60+1, 1:30+0.5, 40/60 (40 moves in each 60 s), or inf"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for a game: `main_s`, and `increment_s` after each move; `moves` moves bring `main_s` anew (None: never)."""

    main_s: float
    increment_s: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """Return the control that a text like "40/60+1" describes, None for "inf"; raise ConfigError for another."""
        if text.strip() == UNLIMITED:
            return None
        match = _CONTROL.fullmatch(text.strip())
        if match is None:
            raise ConfigError("time control", text, _EXPECTED)
        moves, minutes, seconds, increment = match.groups()
        control = cls(
            60 * int(minutes or 0) + float(seconds), float(increment or 0), None if moves is None else int(moves)
        )
        if control.main_s + control.increment_s <= 0 or control.moves == 0:
            raise ConfigError("time control", text, _EXPECTED)
        return control

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        increment = f"+{self.increment_s:g}" if self.increment_s else ""
        return f"{moves}{self.main_s:g}{increment}"


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """All that limits one engine's moves; whichever comes first counts. Times in seconds, depth in plies."""

    control: TimeControl | None = None
    move_time_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    level: int | None = None

    def __str__(self) -> str:
        parts = [
            "" if self.control is None else f"tc={self.control}",
            "" if self.move_time_s is None else f"st={self.move_time_s:g}",
            "" if self.depth is None else f"depth={self.depth}",
            "" if self.nodes is None else f"nodes={self.nodes}",
            "" if self.level is None else f"level={self.level}",
        ]
        return " ".join(filter(None, parts)) or "no limit"

    @property
    def settings(self) -> TimeSettings | None:
        """The time control as the protocols announce it; None where no clock is kept."""
        if self.control is not None:
            main_ms, increment_ms = round(1000 * self.control.main_s), round(1000 * self.control.increment_s)
            if self.control.moves is not None:
                return TimeSettings(TimeSystem.CANADIAN, 0, main_ms, self.control.moves)
            system = TimeSystem.FISCHER if increment_ms else TimeSystem.ABSOLUTE
            return TimeSettings(system, main_ms, increment_ms)
        if self.move_time_s is not None:
            # One move in each period is how every GTP engine can be told of a time per move.
            return TimeSettings(TimeSystem.CANADIAN, 0, max(1, round(1000 * self.move_time_s)), 1)
        return None


@dataclass(frozen=True, slots=True)
class Timer:
    """One side's clock in a game, kept by the arena; a value. `left_s` may be negative within the engine's margin."""

    limits: PlayLimits
    left_s: float = math.inf
    moves_left: int | None = None

    @classmethod
    def start(cls, limits: PlayLimits) -> Timer:
        """Return the clock before the first move."""
        if limits.control is None:
            return cls(limits)
        return cls(limits, limits.control.main_s, limits.control.moves)

    @property
    def allowed_s(self) -> float:
        """What the next move may take, without any margin; infinity where there is no limit."""
        per_move = math.inf if self.limits.move_time_s is None else self.limits.move_time_s
        return min(self.left_s, per_move)

    @property
    def runs(self) -> bool:
        """Whether time matters at all."""
        return math.isfinite(self.allowed_s)

    def after(self, used_s: float) -> Timer:
        """Return the clock after a move that took `used_s`."""
        control = self.limits.control
        if control is None:
            return self
        left_s = max(0.0, self.left_s - used_s) + control.increment_s
        if self.moves_left is None:
            return replace(self, left_s=left_s)
        if self.moves_left > 1:
            return replace(self, left_s=left_s, moves_left=self.moves_left - 1)
        return replace(self, left_s=left_s + control.main_s, moves_left=control.moves)

    @property
    def told(self) -> GameClock:
        """The clock as a protocol tells it; a day where there is none, because the opponent's may be told too."""
        if self.limits.control is None:
            if self.limits.move_time_s is None:
                return GameClock(86_400_000)
            return GameClock(round(1000 * self.limits.move_time_s), 0, 1)
        increment_ms = round(1000 * self.limits.control.increment_s)
        return GameClock(max(0, round(1000 * self.left_s)), increment_ms, self.moves_left or 0)

    @property
    def state(self) -> ClockState | None:
        """The clock as our own engine takes it; None where only a time per move, or nothing, limits it."""
        if self.limits.control is None:
            return None
        return ClockState(self.left_s, self.limits.control.increment_s, self.moves_left)
