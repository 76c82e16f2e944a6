"""The two clocks of a terminal game."""

from __future__ import annotations

import time
from collections.abc import Callable

from othello_bot.engine import ClockState
from protocol.notation import Color


class Clocks:
    """What is left of each player's time, in seconds; the clock of `color` runs from `start` to `stop`."""

    def __init__(self, seconds: float, increment_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self.increment_s = increment_s
        self._left = dict.fromkeys(Color, seconds)
        self._now_s = now_s
        self._begin_s = 0.0

    def start(self) -> None:
        """Begin a turn."""
        self._begin_s = self._now_s()

    def stop(self, color: Color) -> bool:
        """End a turn; return false where the time has run out in it."""
        if not self.charge(color):
            return False
        self._left[color] += self.increment_s
        return True

    def charge(self, color: Color) -> bool:
        """Take off what was used since the turn began, without an increment; return false where nothing is left."""
        now_s = self._now_s()
        self._left[color] -= now_s - self._begin_s
        self._begin_s = now_s
        return self._left[color] >= 0

    def state(self, color: Color) -> ClockState:
        """Return the clock of a player at the beginning of his turn."""
        return ClockState(self._left[color], self.increment_s)

    def text(self, color: Color) -> str:
        """Return minutes and seconds, rounded down."""
        minutes, seconds = divmod(max(0, int(self._left[color])), 60)
        return f"{minutes}:{seconds:02d}"
