"""The heartbeat of a game: whether the arena was stopped, or the machine stalled, while it was played.

A game during which this process has not run for a while (Ctrl-Z, a machine that sleeps) does not count and is played
again, so that no player loses by it: clocks run on while the arena is stopped, and so do the engines, which have
sessions of their own. On a machine that is merely busy, a heartbeat comes late, but not by a second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

from othello_bot.arena.errors import ArenaError
from othello_bot.base import posix

PERIOD_S: Final = 0.1
"""Seconds between two heartbeats."""

STOP_S: Final = 1.0
"""Seconds between two heartbeats beyond which the process was stopped."""

STALL_S: Final = 0.1
"""Seconds by which a heartbeat must be late to show that the machine stalled."""

MOST_REPEATS: Final = 3
"""How often a game is played again; then it counts, stopped or not."""


class Stopped(Exception):
    """The arena was stopped during the game in progress."""


class Heartbeat:
    """Runs in a thread of its own while a game is played. A context manager; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = posix.uptime_s) -> None:
        self.stopped_s = 0.0
        """Seconds of all stops so far; 0 if there was none."""
        self.stalls: list[float] = []
        """Seconds by which heartbeats were late without a stop, because the machine stalled."""
        self.late_s = 0.0
        """Seconds by which all heartbeats together were late."""
        self._clock = clock
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._last = clock()

    def __enter__(self) -> Heartbeat:
        try:
            threading.Thread(target=self._run, name="heartbeat", daemon=True).start()
        except RuntimeError as error:
            raise ArenaError(f"cannot start a thread: {error}") from error
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self.tick()

    def _run(self) -> None:
        while not self._over.wait(PERIOD_S):
            self.tick()

    def tick(self) -> float:
        """Note the time, and a stop if the last one is too long ago; return `late_s`. Thread-safe."""
        with self._lock:
            now = self._clock()
            gap_s = now - self._last
            if gap_s < PERIOD_S / 2:
                return self.late_s  # it does not count: it would hide how late the next one is
            self.late_s += max(0.0, gap_s - PERIOD_S)
            if gap_s > STOP_S:
                self.stopped_s += gap_s
            elif gap_s > PERIOD_S + STALL_S:
                self.stalls.append(gap_s - PERIOD_S)
            self._last = now
            return self.late_s

    def check(self) -> float:
        """Tick, and raise Stopped if there was a stop, even if this thread resumes before that of the heartbeat."""
        late_s = self.tick()
        if self.stopped_s:
            raise Stopped
        return late_s


def stops_text(stops: Sequence[float]) -> str:
    """Return in words how often a game was played again, given the seconds of the stop in each playing."""
    *others, last = (f"{stop_s:.1f}" for stop_s in stops)
    seconds = f"a stop of {last} s" if not others else f"stops of {', '.join(others)} and {last} s"
    if len(stops) <= MOST_REPEATS:
        return f"played again after {seconds} of the arena"
    return f"played {MOST_REPEATS} times again and counted in spite of {seconds} of the arena"
