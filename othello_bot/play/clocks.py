"""The two clocks of a terminal game."""

from __future__ import annotations

import time
from collections.abc import Callable

from othello_bot.base import clocks
from othello_bot.base.clocks import ClockState, TimeLeft, TimeSettings, TimeSystem
from othello_bot.base.notation import Color


class Clocks:
    """The time left of each player in seconds; the clock of `color` runs from `start` to `stop`."""

    def __init__(self, seconds: float, increment_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._clocks = clocks.Clocks.start(TimeSettings(TimeSystem.FISCHER, seconds, increment_s))
        self._now_s = now_s
        self._begin_s = 0.0
        self.turn_s = 0.0
        """Seconds already charged for the current or last turn."""

    def start(self) -> None:
        """Begin a turn."""
        self._begin_s = self._now_s()
        self.turn_s = 0.0

    def resume(self) -> None:
        """Continue a turn; the time since the last charge is free."""
        self._begin_s = self._now_s()

    def stop(self, color: Color) -> bool:
        """End a turn; return false if the time ran out in it."""
        if not self.charge(color):
            return False
        self._clocks = self._clocks.spent(color, 0.0)  # the time used is already charged; add the increment
        return True

    def charge(self, color: Color) -> bool:
        """Subtract the time used since the turn began, without an increment; return false if none is left."""
        now_s = self._now_s()
        used_s = now_s - self._begin_s
        left_s = self.left_s(color) - used_s
        self._begin_s = now_s
        self.turn_s += used_s
        self._clocks = self._clocks.time_left(TimeLeft(color, left_s))
        return left_s >= 0

    def state(self, color: Color) -> ClockState | None:
        """Return the clock of a player at the beginning of his turn."""
        return self._clocks.state(color)

    def left_s(self, color: Color, *, running: bool = False) -> float:
        """Return a player's time left; for a `running` clock, minus the time since the last charge."""
        left_s = self._clocks.of(color).left_s
        return left_s - (self._now_s() - self._begin_s) if running else left_s

    def restarted(self, seconds: float | None = None, increment_s: float | None = None) -> Clocks:
        """Return the clocks as at the beginning of a game, with another time control if one is given."""
        settings = self.settings
        return Clocks(
            settings.main_s if seconds is None else seconds,
            settings.period_s if increment_s is None else increment_s,
            self._now_s,
        )

    @property
    def settings(self) -> TimeSettings:
        """The time control."""
        return self._clocks.settings
