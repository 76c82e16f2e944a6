"""The line on a terminal that tells how far a command is."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TextIO, TypeVar

from protocol.visible import visible

EVERY_S: Final = 0.5
"""Seconds between two changes of the line, and before it appears."""

_Item = TypeVar("_Item")


class ProgressLine:
    """A line that is written again and again on a terminal, and never where the stream is none."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._shown_at = clock() if stream.isatty() else float("inf")
        self._is_shown = False

    def show(self, text: str) -> None:
        """Show a text, not too often."""
        if self._clock() - self._shown_at >= EVERY_S:
            self._stream.write(f"\r{visible(text, shutil.get_terminal_size().columns - 1)}\x1b[K")
            self._stream.flush()
            self._shown_at = self._clock()
            self._is_shown = True

    def clear(self) -> None:
        """Remove the line; call it before anything else is written."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._is_shown = False

    def count(self, items: Iterable[_Item], told: Callable[[int], str]) -> Iterator[_Item]:
        """Yield the items; meanwhile the line tells how many there were, in the words of `told`."""
        for number, item in enumerate(items, 1):
            self.show(told(number))
            yield item
        self.clear()
