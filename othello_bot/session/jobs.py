"""Jobs: a command on its way to its answer, as the command loop sees it.

A handler either returns its answer at once, or it is a generator that yields a `SearchRequest`, is sent the result,
and returns the answer in the end. So a handler reads from top to bottom although the loop goes on taking lines while
the search runs. `on_report` of a request is called in the loop's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from othello_bot.engine import SearchRequest

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult
    from othello_bot.rules import Position


Observer = Callable[["SearchResult"], None]
"""Sees what a search finds on its way. It is called in the loop's thread."""

Steps = Generator[SearchRequest, "SearchResult", str]
"""A handler that searches; see the module's text."""

Outcome = str | Steps
"""What a handler gives: its answer, or the way to it."""


class Job:
    """One command. A dialect derives its own, which knows how to answer."""

    overtakes = False
    """Answered at once, even while a search runs, unless that search has begun to write its answer."""

    stops = False
    """Ends every search that was asked for before it."""

    ends_on_input = False
    """Ended by any line that comes while it runs, an empty one included."""

    quits = False
    """Ends the session when it is answered."""

    def __init__(self, asked_at_s: float) -> None:
        self.asked_at_s = asked_at_s
        """When the line arrived; the loop moves it to the moment when the command before it was answered."""
        self.interrupted = False
        """A stop has come: searches are to end at once, and no further ones to be begun."""
        self.reply_open = False
        """Part of the answer is written; no other answer may come before the rest."""

    def observer(self, position: Position) -> Observer | None:
        """Return the observer of a search that its command does not observe; None for none."""
        return None

    def run(self) -> Outcome:
        """Carry the command out; what it raises is given to `fail`."""
        raise NotImplementedError

    def succeed(self, text: str) -> None:
        """Write the answer."""
        raise NotImplementedError

    def fail(self, error: ValueError) -> None:
        """Write that the command was refused, and why; nothing has changed."""
        raise NotImplementedError
