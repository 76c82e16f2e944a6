"""The clock of a player: one small pure state machine for every use, and the controls that people write.

All times are in seconds. Those that hosts send have at most milliseconds, and negative ones count as 0. The machine only
keeps the time and says how much a player may use (``ClockState``); the engine decides how much of it to use for a move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from othello_bot.base.notation import Color, NotationError, OutOfRange, meant_unit, parse_duration, parse_integer

LONGEST_S: Final = 1e9
"""Limit of times (more than thirty years); longer ones are cut to it."""


class TimeSystem(Enum):
    """How a clock is refilled; the value is the name in ``kata-time_settings``."""

    NONE = "none"
    ABSOLUTE = "absolute"
    CANADIAN = "canadian"
    BYOYOMI = "byoyomi"
    FISCHER = "fischer"
    FISCHER_CAPPED = "fischer-capped"
    UNDECIDED = "undecided"


WITH_OVERTIME: Final = frozenset((TimeSystem.CANADIAN, TimeSystem.BYOYOMI))
"""The systems with an overtime after the main time."""

_WITH_INCREMENT: Final = frozenset((TimeSystem.FISCHER, TimeSystem.FISCHER_CAPPED, TimeSystem.UNDECIDED))


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """A time control, the same for both sides.

    Attributes:
        system: how the clock is refilled.
        main_s: main time, or the initial time on the clock.
        period_s: length of an overtime period; with Fischer the increment after each move.
        stones: Canadian: moves in a period; Japanese (byoyomi): number of periods; else 0.
        limit_s: FISCHER_CAPPED: the clock never shows more (None: no limit).
        per_move_s: no move may take longer (None: no limit); only FISCHER_CAPPED can be sent with one.
        increment_s: Canadian: added after each move of a period; cannot be sent.
        carries_over: Canadian: the rest of a period is added to the next one; cannot be sent.
    """

    system: TimeSystem = TimeSystem.NONE
    main_s: float = 0.0
    period_s: float = 0.0
    stones: int = 0
    limit_s: float | None = None
    per_move_s: float | None = None
    increment_s: float = 0.0
    carries_over: bool = False

    def __post_init__(self) -> None:
        """Raise NotationError for overtime without a length."""
        if self.system in WITH_OVERTIME and not (self.period_s > 0 and self.stones > 0):
            raise NotationError(f"{self.period_s:g} s for {self.stones}", "an overtime above 0")


NO_CLOCK: Final = ("inf", "off", "none")
"""Words for a game without a clock."""
_EXPECTED: Final = {
    "seconds": "seconds for the game like 60, 60+1 (a second more after each move), 1:30+0.5, 5 min, 40/60 (40 moves in"
    " each 60 s), or inf",
    "minutes": "minutes for each player like 5, 5+3 (and 3 seconds after each move), 1:30, 90 s or 2 h, or off",
}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for a game: `main_s`, plus `increment_s` after each move; every `moves` moves add `main_s` (None: never).

    `grace_s`: added once after the flag falls, as on GGS; only game files and that server have it.
    """

    main_s: float
    increment_s: float = 0.0
    moves: int | None = None
    grace_s: float = 0.0

    @classmethod
    def parse(cls, text: str, unit: str = "seconds") -> TimeControl | None:
        """Return the control of a text like "40/60+1", "1:30" or "5 min + 3 s", None for one of `NO_CLOCK`.

        A bare main time counts seconds or minutes, as `unit` says, a bare increment seconds. Without a plus, the last
        word is the increment if the rest is a time. Raise NotationError.
        """
        words = " ".join(text.split())
        if words.lower() in NO_CLOCK:
            return None
        count, slash, times = words.rpartition("/")
        try:
            moves = parse_integer(count.strip(), 1, 999) if slash else None
            main_s, increment_s = _main_and_increment(times, unit)
        except OutOfRange:
            raise
        except NotationError:
            main_s = increment_s = 0.0
        if not main_s and not increment_s:
            raise NotationError(text, _EXPECTED[unit] + meant_unit(words, NO_CLOCK))
        return cls(main_s, increment_s, moves)

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        increment = f"+{self.increment_s:.10g}" if self.increment_s else ""
        return f"{moves}{self.main_s:.10g}{increment}"

    @property
    def settings(self) -> TimeSettings:
        """The control as clocks and protocols know it."""
        if self.moves is None:
            system = TimeSystem.FISCHER if self.increment_s else TimeSystem.ABSOLUTE
            return TimeSettings(system, self.main_s, self.increment_s)
        return TimeSettings(
            TimeSystem.CANADIAN,
            period_s=self.main_s,
            stones=self.moves,
            increment_s=self.increment_s,
            carries_over=True,
        )


def _main_and_increment(text: str, unit: str) -> tuple[float, float]:
    """Return both times of a control in seconds. Raise NotationError."""
    main, plus, increment = text.replace("|", "+").partition("+")
    if not plus:
        try:
            return parse_duration(text.strip(), unit), 0.0
        except OutOfRange:
            raise
        except NotationError:
            main, _, increment = text.rpartition(" ")
    return parse_duration(main.strip(), unit), parse_duration(increment.strip())


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """``time_left``: the time on a colour's clock; ``stones`` moves (or periods) are left in it, 0 in main time."""

    color: Color
    left_s: float
    stones: int = 0


@dataclass(frozen=True, slots=True)
class ClockState:
    """The time that a player may use for its next move.

    Attributes:
        remaining_s: time left on the clock; 0 or less means: move at once.
        increment_s: added after each move.
        moves_to_go: the moves that ``remaining_s`` must last for; None: the rest of the game.
        cap_s: limit of this single move; None: no such rule.
    """

    remaining_s: float
    increment_s: float = 0.0
    moves_to_go: int | None = None
    cap_s: float | None = None

    @property
    def move_s(self) -> float:
        """The longest time that the next move may take without losing on time."""
        return self.remaining_s if self.cap_s is None else min(self.remaining_s, self.cap_s)


ClockStates = tuple[ClockState, ClockState]
"""The clocks of Black and White."""


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """One side's clock: the time it shows, and the current part of its time control.

    ``stones`` is 0 in main time; in overtime the moves left in the period (Canadian) or the periods left (Japanese).
    ``told`` is true once a ``time_left`` has shown that there is a clock.
    """

    settings: TimeSettings = TimeSettings()
    left_s: float = 0.0
    stones: int = 0
    told: bool = False

    @classmethod
    def start(cls, settings: TimeSettings) -> PlayerClock:
        """Return the clock at the beginning of a game; without main time, it begins with an increment."""
        if settings.system in _WITH_INCREMENT and not settings.main_s:
            return cls(settings, settings.period_s)
        return cls(settings, settings.main_s)._in_overtime_when_due()

    @property
    def running(self) -> bool:
        """Whether time matters; false means no limit."""
        return self.told or self.settings.system not in (TimeSystem.NONE, TimeSystem.UNDECIDED)

    @property
    def state(self) -> ClockState | None:
        """The time the player may use now; None means no limit."""
        if not self.running:
            return None
        settings, cap_s = self.settings, self.settings.per_move_s
        if self.stones:
            moves_to_go = 1 if settings.system is TimeSystem.BYOYOMI else self.stones
            return ClockState(self.left_s, settings.increment_s, moves_to_go, cap_s)
        if settings.system is TimeSystem.UNDECIDED and not settings.main_s:
            return ClockState(self.left_s, 0.0, 1, cap_s)
        if settings.system is TimeSystem.CANADIAN:
            # Main time first, then a part of each period: equivalent to an increment that never runs out.
            return ClockState(self.left_s, settings.period_s / settings.stones, None, cap_s)
        if not self.left_s and not settings.period_s:
            return ClockState(0.0, 0.0, 1, cap_s)
        increment_s = 0.0 if settings.system is TimeSystem.ABSOLUTE else settings.period_s
        return ClockState(self.left_s, increment_s, None, cap_s)

    def time_left(self, left_s: float, stones: int = 0) -> PlayerClock:
        """Return the clock as the controller states it, which overrules everything computed.

        No time left in main time (match runners truncate 0.9 s to 0) begins the overtime, if the control has one.
        """
        told = replace(self, left_s=clamped(left_s), stones=max(0, stones), told=True)
        return told._in_overtime_when_due()

    def waited(self, used_s: float) -> PlayerClock:
        """Return the clock after ``used_s`` that end with no move."""
        return replace(self, left_s=max(0.0, self.left_s - clamped(used_s))) if self.running else self

    def spent(self, used_s: float) -> PlayerClock:
        """Return the clock after a move that took ``used_s``."""
        used_s = clamped(used_s)
        settings = self.settings
        if not self.running:
            return self
        if self.stones:
            return self._spent_in_overtime(used_s)
        if settings.system is TimeSystem.UNDECIDED and not settings.main_s:
            return replace(self, left_s=settings.period_s)
        after_s = self.left_s - used_s
        if settings.system in WITH_OVERTIME:
            if after_s > 0:
                return replace(self, left_s=after_s)
            return replace(self, left_s=0.0)._in_overtime_when_due()._spent_in_overtime(-after_s)
        after_s = max(0.0, after_s)
        if settings.system in _WITH_INCREMENT:
            after_s += settings.period_s
        limit_s = settings.limit_s if settings.system is TimeSystem.FISCHER_CAPPED else None
        return replace(self, left_s=after_s if limit_s is None else min(after_s, limit_s))

    def _in_overtime_when_due(self) -> PlayerClock:
        # Overtime begins when main time is over, if the control has one.
        settings = self.settings
        if self.stones or self.left_s or settings.system not in WITH_OVERTIME:
            return self
        return replace(self, left_s=settings.period_s, stones=settings.stones)

    def _spent_in_overtime(self, used_s: float) -> PlayerClock:
        settings = self.settings
        if settings.system is TimeSystem.BYOYOMI:
            lost = math.ceil((used_s - self.left_s) / settings.period_s)
            return replace(self, left_s=settings.period_s, stones=max(1, self.stones - max(0, lost)))
        left_s = max(0.0, self.left_s - used_s) + settings.increment_s
        if self.stones > 1:
            return replace(self, left_s=left_s, stones=self.stones - 1)
        if settings.system is TimeSystem.CANADIAN:
            refilled_s = settings.period_s + (left_s if settings.carries_over else 0.0)
            return replace(self, left_s=refilled_s, stones=settings.stones)
        # The controller sent stones in a control that has none: only its next time_left can tell what follows.
        return replace(self, left_s=left_s)


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks. An immutable value: each event returns the clocks after it."""

    black: PlayerClock = PlayerClock()
    white: PlayerClock = PlayerClock()

    @classmethod
    def start(cls, settings: TimeSettings) -> Clocks:
        """Return both clocks at the beginning of a game; earlier settings and ``time_left`` are forgotten."""
        clock = PlayerClock.start(settings)
        return cls(clock, clock)

    def of(self, color: Color) -> PlayerClock:
        """Return the clock of one side."""
        return self.white if color else self.black

    def state(self, color: Color) -> ClockState | None:
        """Return the time that a side may use for its next move; None means no limit."""
        return self.of(color).state

    def restarted(self) -> Clocks:
        """Return the clocks for a new game under the same controls."""
        return Clocks(PlayerClock.start(self.black.settings), PlayerClock.start(self.white.settings))

    def time_left(self, told: TimeLeft) -> Clocks:
        """Return the clocks after a ``time_left``.

        With undecided settings, it also decides that the other side has a clock.
        """
        after = self._with(told.color, self.of(told.color).time_left(told.left_s, told.stones))
        other = Color(told.color).opponent
        if after.of(other).settings.system is not TimeSystem.UNDECIDED:
            return after
        return after._with(other, replace(after.of(other), told=True))

    def waited(self, color: Color, used_s: float) -> Clocks:
        """Return the clocks after a wait for ``color`` of ``used_s`` that ended with no move."""
        return self._with(color, self.of(color).waited(used_s))

    def spent(self, color: Color, used_s: float) -> Clocks:
        """Return the clocks after a move of ``color`` that took ``used_s``."""
        return self._with(color, self.of(color).spent(used_s))

    def _with(self, color: Color, clock: PlayerClock) -> Clocks:
        return replace(self, white=clock) if color else replace(self, black=clock)


def clamped(time_s: float) -> float:
    """Return a time within 0 to LONGEST_S."""
    return min(max(0.0, time_s), LONGEST_S)
