"""Threads that think in Python, such as those of textbook players: one at a time, each in slices.

Each thread has its slice before any has a second. Without an order, every such thread slows down all others, and the
server, whose loop needs the same lock.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from othello_bot.engine import Steps

T = TypeVar("T")

SLICE_S: Final = 0.05
"""Length of a slice in seconds."""

LOOK_S: Final = 0.05
"""Seconds between two checks whether a thread that waits is still wanted."""


class RoundRobin:
    """The order of threads, of which the first is at work. All methods but `carry_out` are for its own thread."""

    def __init__(self, slice_s: float = SLICE_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._slice_s = slice_s
        self._clock = clock
        self._changed = threading.Condition()
        self._order: deque[int] = deque()
        self._began_s = 0.0

    @property
    def lined_up(self) -> int:
        """The number of threads that work or wait."""
        return len(self._order)

    def begin(self, unwanted: Callable[[], bool]) -> None:
        """Line up, and return at this thread's turn, or once it is `unwanted`."""
        with self._changed:
            self._order.append(threading.get_ident())
            self._wait(unwanted)

    def pass_on(self, unwanted: Callable[[], bool]) -> None:
        """Line up again if this thread has used its turn and others wait; return at its next turn, or as `begin`."""
        if len(self._order) < 2 or self._clock() - self._began_s < self._slice_s:
            return
        with self._changed:
            self._leave()
            self._order.append(threading.get_ident())
            self._wait(unwanted)

    def end(self) -> None:
        """Let the next thread work."""
        with self._changed:
            self._leave()

    def _leave(self) -> None:
        if self._order[0] == threading.get_ident():
            self._began_s = self._clock()
        self._order.remove(threading.get_ident())
        self._changed.notify_all()

    def _wait(self, unwanted: Callable[[], bool]) -> None:
        """Wait for the turn."""
        while self._order[0] != threading.get_ident() and not unwanted():
            self._changed.wait(LOOK_S)
        if len(self._order) == 1:
            self._began_s = self._clock()

    def carry_out(self, steps: Steps[T], is_stopped: Callable[[], bool], asked_at_s: float) -> T:
        """Return the result of a textbook player's steps, asked for at `asked_at_s`; block until then.

        From any thread, `is_stopped` may become true: then the player ends within some milliseconds.
        """
        from othello_bot.engine import (  # imported here: the page is served before the engine is imported
            Options,
            SearchRequest,
            SearchResult,
            allocate,
            carried_out,
            chosen,
        )

        def should_stop() -> bool:
            self.pass_on(is_stopped)
            return is_stopped()

        def answer(request: SearchRequest) -> SearchResult:
            limits, empties = request.limits, request.position.empties
            budget = allocate(limits.clock, empties, Options().move_overhead_s, limits.move_time_s)
            return chosen(request, budget, should_stop)

        self.begin(is_stopped)
        try:
            return carried_out(steps, answer, asked_at_s)
        finally:
            self.end()
