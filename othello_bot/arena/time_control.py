"""The limits of an engine in a match, and the clock that it starts with.

The notation is that of the chess arenas: `tc=60+1` is a minute for the game and a second more after each move,
`tc=40/60+1` the same with another minute after every 40 moves, `tc=5/0.1` a tenth of a second for every five moves,
`tc=2:30` two minutes and a half; `st=0.1` is the time for each move. Times are in seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from othello_bot.arena.errors import ConfigError
from protocol.clocks import ClockState, PlayerClock, TimeSettings, TimeSystem

UNLIMITED: Final = "inf"

_TIME: Final = r"\d{1,6}(?:\.\d{1,6})?"
_CONTROL: Final = re.compile(rf"(?:(\d{{1,3}})/)?(?:(\d{{1,4}}):)?({_TIME})(?:\+({_TIME}))?", re.ASCII)
_EXPECTED: Final = "seconds for the game like 60, 60+1, 1:30+0.5, 40/60 (40 moves in each 60 s), or inf"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for a game: `main_s`, plus `increment_s` after each move; every `moves` moves add `main_s` (None: never)."""

    main_s: float
    increment_s: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """Return the control for a text like "40/60+1", None for "inf"; raise ConfigError if it is neither."""
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
    """All limits of one engine's moves; the first one reached applies. Times in seconds, depth in plies."""

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
        """The time control for clocks and protocols (which announce as much of it as they can); None without one."""
        control, move_s = self.control, self.move_time_s
        if control is None:
            # One move per period is how every GTP engine can be given a time per move.
            return None if move_s is None else TimeSettings(TimeSystem.CANADIAN, 0.0, move_s, 1)
        if control.moves is not None:
            return TimeSettings(
                TimeSystem.CANADIAN,
                period_s=control.main_s,
                stones=control.moves,
                per_move_s=move_s,
                increment_s=control.increment_s,
                carries_over=True,
            )
        system = TimeSystem.FISCHER if control.increment_s else TimeSystem.ABSOLUTE
        return TimeSettings(system, control.main_s, control.increment_s, per_move_s=move_s)

    @property
    def clock(self) -> PlayerClock:
        """The engine's clock at the beginning of a game."""
        return PlayerClock.start(self.settings or TimeSettings())


def told(clock: PlayerClock) -> ClockState:
    """Return a clock as protocols transmit it: a day if it does not run, because both clocks are sent together."""
    return clock.state or ClockState(86_400.0)
