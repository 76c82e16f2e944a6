"""The progress of a growing book: one line that rich keeps up to date on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

from othello_bot.base.errors import counted
from othello_bot.book_growing.growing import Progress

if TYPE_CHECKING:
    from rich.status import Status

PLAIN_EVERY_S: Final = 30.0
"""Seconds between two lines where the output is no terminal."""


class Display:
    """Shows on stderr how far a book is; use it as a context manager.

    `here`: the searches are made by this process, so that its processor time tells what one costs; on a busy machine
    the clock does not.
    """

    def __init__(self, here: bool = True) -> None:
        self._here = here
        self._began_s = time.monotonic()
        self._processor_began_s = time.process_time()
        self._written_s = -PLAIN_EVERY_S
        self._first: int | None = None
        self._status: Status | None = None

    def __enter__(self) -> Display:
        if sys.stderr.isatty():
            try:
                from rich.console import Console
            except ImportError:
                return self
            self._status = Console(stderr=True).status("")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, progress: Progress) -> None:
        """Show the progress if it is time to."""
        if self._first is None and progress.start is not None:
            self._first = progress.start.score
        if self._status is not None:
            self._status.update(self.line(progress))
        elif time.monotonic() - self._written_s >= PLAIN_EVERY_S:
            self._written_s = time.monotonic()
            sys.stderr.write(f"{self.line(progress)}\n")
            sys.stderr.flush()

    def line(self, progress: Progress) -> str:
        """Return the progress in one line."""
        parts = [
            f"{counted(progress.positions, 'position')}, {progress.added} of them new",
            f"{counted(progress.searches, 'search', 'searches')}{self._rate(progress.searches)}",
        ]
        if progress.leaves:
            parts.append(f"{counted(progress.leaves, 'leaf', 'leaves')} within reach")
        if progress.start is not None:
            before = "" if self._first in (None, progress.start.score) else f", {self._first:+d} before"
            parts.append(f"start {progress.start.score:+d}{before}")
        return "; ".join(parts)

    def _rate(self, searches: int) -> str:
        """Return what a search takes, in words; nothing before the first."""
        if not searches:
            return ""
        elapsed_s = time.monotonic() - self._began_s
        processor_s = time.process_time() - self._processor_began_s
        own = f" ({processor_s / searches:.2f} s of processor time)" if self._here else ""
        return f", {elapsed_s / searches:.2f} s a search{own}"
