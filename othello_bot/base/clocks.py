"""The clock of a player: one small pure state machine for every use.

All times are in seconds. Times read from text have at most milliseconds, and negative times count as 0. The machine
only keeps the time and says how much a player may use (``ClockState``); the engine decides how much of it to use for a
move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from othello_bot.base.notation import Color, NotationError

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
        """Return the clock at the beginning of a game."""
        clock = cls(settings, settings.main_s)
        if settings.system is TimeSystem.UNDECIDED and not settings.main_s:
            return replace(clock, left_s=settings.period_s)
        return clock._in_overtime_when_due()

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
        if settings.system in (TimeSystem.FISCHER, TimeSystem.FISCHER_CAPPED, TimeSystem.UNDECIDED):
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

    @property
    def settings(self) -> TimeSettings:
        """The time control."""
        return self.black.settings

    def of(self, color: Color) -> PlayerClock:
        """Return the clock of one side."""
        return self.white if color else self.black

    def state(self, color: Color) -> ClockState | None:
        """Return the time that a side may use for its next move; None means no limit."""
        return self.of(color).state

    def restarted(self) -> Clocks:
        """Return the clocks for a new game under the same control."""
        return Clocks.start(self.settings)

    def time_left(self, told: TimeLeft) -> Clocks:
        """Return the clocks after a ``time_left``.

        With undecided settings, it also decides that the other side has a clock.
        """
        after = self._with(told.color, self.of(told.color).time_left(told.left_s, told.stones))
        if self.settings.system is not TimeSystem.UNDECIDED:
            return after
        other = Color(told.color).opponent
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
