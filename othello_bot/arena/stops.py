"""Notices when this process has not run for a while (Ctrl-Z, a machine that sleeps), so that no player loses by it.

Clocks run on while the arena is stopped, and so do the engines, which have sessions of their own: a game with such a
stop proves nothing and is played again. A machine that is merely busy lets a beat come late, but not by a second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final

from othello_bot.arena.errors import ArenaError
from othello_bot.base import posix

BEAT_S: Final = 0.1
"""Seconds between two beats."""

STOP_S: Final = 1.0
"""Seconds between two beats beyond which the process was stopped."""

MOST_REPEATS: Final = 3
"""How often a game is played again; then it counts, stopped or not."""


class Stopped(Exception):
    """The arena was stopped during the game in progress."""


class Beat:
    """A beat in a thread of its own while a game is played. A context manager; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = posix.uptime_s) -> None:
        self.stopped_s = 0.0
        """Seconds of all stops so far; 0 if there was none."""
        self._clock = clock
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._last = clock()

    def __enter__(self) -> Beat:
        try:
            threading.Thread(target=self._run, name="beat", daemon=True).start()
        except RuntimeError as error:
            raise ArenaError(f"cannot start a thread: {error}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self.tick()

    def _run(self) -> None:
        while not self._over.wait(BEAT_S):
            self.tick()

    def tick(self) -> None:
        """Note the time, and a stop if the last beat is too long ago. Thread-safe."""
        with self._lock:
            now = self._clock()
            gap_s = now - self._last
            if gap_s > STOP_S:
                self.stopped_s += gap_s
            self._last = now

    def check(self) -> None:
        """Raise Stopped if there was a stop, also if this thread runs again before the beat's own."""
        self.tick()
        if self.stopped_s:
            raise Stopped


def stops_text(stops: Sequence[float]) -> str:
    """Return in words how often a game was played again, given the seconds of the stop in each playing."""
    *others, last = (f"{stop_s:.1f}" for stop_s in stops)
    seconds = f"a stop of {last} s" if not others else f"stops of {', '.join(others)} and {last} s"
    if len(stops) <= MOST_REPEATS:
        return f"played again after {seconds} of the arena"
    return f"played {MOST_REPEATS} times again and counted in spite of {seconds} of the arena"
