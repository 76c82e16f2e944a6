"""A queue of lines from a reader's thread to the thread that drives the engine."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from othello_bot.protocol.wire import Line

MOST_WAITING_LINES: Final = 10_000
"""Most unread lines; an engine that writes more is blocked."""


class Mailbox:
    """Lines on their way from the reader's thread to the caller: bounded, and safe to use after closing."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[tuple[Line, float]] = deque()
        self._ended = False
        self._discarding = False
        self._listener: Callable[[], None] | None = None

    def put(self, line: Line) -> None:
        """Add a line (called in the reader's thread); block while there are too many."""
        at = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self._discarding or len(self._lines) < MOST_WAITING_LINES)
            if self._discarding:
                return
            self._lines.append((line, at))
        self._announce()

    def end(self) -> None:
        """Note the end of the stream."""
        with self._changed:
            self._ended = True
        self._announce()

    def discard(self) -> None:
        """Drop all lines from now on, so that blocked threads continue and can end."""
        with self._changed:
            self._discarding = True
            self._lines.clear()
            self._changed.notify_all()

    def take(self) -> tuple[Line, float] | None:
        """Return the next line, or None if there is none now."""
        with self._changed:
            if not self._lines:
                return None
            self._changed.notify_all()
            return self._lines.popleft()

    @property
    def ended(self) -> bool:
        """Whether the stream has ended (lines may still wait)."""
        return self._ended

    def wait(self, timeout_s: float) -> None:
        """Block until there is a line or the end, at most for the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._lines) or self._ended, timeout_s)

    def listen(self, listener: Callable[[], None] | None) -> None:
        """Call ``listener`` from the reader's thread whenever a line arrives, and once now if there is one."""
        with self._changed:
            self._listener = listener
            due = bool(self._lines) or self._ended
        if due and listener is not None:
            listener()

    def _announce(self) -> None:
        with self._changed:
            self._changed.notify_all()
            listener = self._listener
        if listener is not None:
            listener()
