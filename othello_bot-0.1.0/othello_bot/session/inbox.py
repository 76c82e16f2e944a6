"""The inbox of the command loop: the events that the threads of a session leave for it."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from threading import Condition
from typing import TYPE_CHECKING

from othello_bot.protocol.wire import InputLine, clean

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult

HELD_BYTES = 8 << 20
"""Limit in bytes of lines waiting to be processed; a controller that sends faster than it is answered blocks beyond
this.
"""

LINE_OVERHEAD_BYTES = 256
"""Bytes that a waiting line costs in addition to its text, so that empty lines count too."""


@dataclass(frozen=True, slots=True)
class LineArrived:
    """A line and its time of arrival (`time.monotonic`)."""

    line: InputLine
    at_s: float

    @property
    def cost_bytes(self) -> int:
        """Bytes that it takes of `HELD_BYTES`."""
        return len(self.line.text) + LINE_OVERHEAD_BYTES


@dataclass(frozen=True, slots=True)
class InputEnded:
    """No more lines will come; `problem` is the error that ended reading, unless it was the end of input."""

    problem: BaseException | None = None


@dataclass(frozen=True, slots=True)
class OutputFailed:
    """Writing failed; nothing can be written any more."""


@dataclass(frozen=True, slots=True)
class Improved:
    """The running search has a better result to report."""

    result: SearchResult


@dataclass(frozen=True, slots=True)
class SearchEnded:
    """The running search has ended with its result or with a programming error."""

    outcome: SearchResult | BaseException


Event = LineArrived | InputEnded | OutputFailed | Improved | SearchEnded


class Inbox:
    """Where the threads leave events for the loop."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._changed = Condition()
        self._held_bytes = 0

    def put(self, event: Event) -> None:
        """Add an event; a line blocks while too many lines wait, other events never block."""
        with self._changed:
            if isinstance(event, LineArrived):
                while self._held_bytes > HELD_BYTES:
                    self._changed.wait()
                self._held_bytes += event.cost_bytes
            self._events.append(event)
            self._changed.notify_all()

    def get(self, timeout_s: float | None = None) -> Event | None:
        """Wait for the next event and return it; None if there is none within the timeout."""
        with self._changed:
            if not self._events and (timeout_s is None or timeout_s > 0):
                self._changed.wait_for(lambda: bool(self._events), timeout_s)
            return self._events.popleft() if self._events else None

    def is_empty(self) -> bool:
        """Return whether no event waits."""
        return not self._events

    def typed(self, text: str) -> LineArrived:
        """Return the event of a line from the keyboard; it counts as held, because it is released like any other."""
        line = LineArrived(InputLine(clean(text), len(text)), time.monotonic())
        with self._changed:
            self._held_bytes += line.cost_bytes
        return line

    def release(self, line: LineArrived) -> None:
        """Free the space of a line that has been answered."""
        with self._changed:
            self._held_bytes -= line.cost_bytes
            self._changed.notify_all()
