"""Jobs: commands that are being executed, as the command loop sees them.

A handler either returns its answer at once, or is a generator that yields a `SearchRequest`, receives the result, and
finally returns the answer. So a handler reads from top to bottom although the loop keeps accepting lines during the
search. `on_report` of a request is called in the loop's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from othello_bot.engine import SearchRequest

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult
    from othello_bot.rules import Position


Observer = Callable[["SearchResult"], None]
"""Observes the intermediate results of a search. It is called in the loop's thread."""

Steps = Generator[SearchRequest, "SearchResult", str]
"""A handler that searches; see the module's docstring."""

Outcome = str | Steps
"""The result of a handler: its answer, or the steps to it."""


class Job:
    """One command. Each dialect derives its own class, which writes the answer."""

    overtakes = False
    """Whether it is answered at once, even during a search, unless that search has begun to write its answer."""

    stops = False
    """Whether it ends all searches requested before it."""

    ends_on_input = False
    """Whether any line that arrives while it runs, even an empty one, ends it."""

    quits = False
    """Whether it ends the session once it is answered."""

    def __init__(self, asked_at_s: float) -> None:
        self.asked_at_s = asked_at_s
        """Time of the line's arrival (`time.monotonic`), or of the previous command's answer if that came later."""
        self.interrupted = False
        """Whether a stop has arrived: searches end at once, and no further ones begin."""
        self.reply_open = False
        """Whether part of the answer is written; no other answer may come before the rest."""

    def observer(self, position: Position) -> Observer | None:
        """Return the observer of a search that its command does not observe; None for none."""
        return None

    def run(self) -> Outcome:
        """Execute the command; errors that it raises are passed to `fail`."""
        raise NotImplementedError

    def succeed(self, text: str) -> None:
        """Write the answer."""
        raise NotImplementedError

    def fail(self, error: ValueError) -> None:
        """Write that the command was refused, and why; nothing has changed."""
        raise NotImplementedError
