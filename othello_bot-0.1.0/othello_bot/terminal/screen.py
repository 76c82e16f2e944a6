"""Screen: output to a terminal, a status line that is overwritten, and clocks that tick inside the drawing above.

The program has only one drawing of a game: a session's terminal and `play` both show it. The engine's thinking is one
line: depth, score, speed, time, and the principal variation.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from othello_bot.base.notation import Color
from othello_bot.base.visible import wrapped
from othello_bot.protocol.wire import LineWriter
from othello_bot.session import pv_text, signed
from othello_bot.terminal.picture import CLOCK_COLUMNS, Colors, Picture, Scene, TerminalLook, draw_plain

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


def draw(scene: Scene, look: TerminalLook, columns: int = 80) -> Picture:
    """Return the drawing of a scene for a terminal with this look and width in columns."""
    if look.colors is Colors.NONE:
        return draw_plain(scene, columns)
    from othello_bot.terminal.colored import draw_colored  # imported here: importing rich takes a while

    return draw_colored(scene, look, columns)


_ESCAPES: Final = re.compile(r"\033\[[0-9;?]*[A-Za-z]")
_ERASE: Final = "\r\033[K"


class Screen(LineWriter):
    """The writer of a session or a game on a terminal."""

    def __init__(self, fd: int, look: TerminalLook, on_closed: Callable[[OSError], None] | None = None) -> None:
        super().__init__(fd, on_closed)
        self._fd_of_terminal = fd
        self.look = look
        self._renewed = ""
        self._picture: Picture | None = None
        self._size = (0, 0)
        self._lines_below = 0

    def size(self) -> tuple[int, int]:
        """Return columns and lines of the terminal; 80 and 24 if unknown."""
        try:
            size = os.get_terminal_size(self._fd_of_terminal)
        except OSError:
            return 80, 24
        return size.columns or 80, size.lines or 24

    def write(self, text: str) -> bool:
        """Write ``text`` instead of the status line, long lines broken between words; drawings stay as they are.

        Return whether it was written.
        """
        before = _ERASE if self._renewed else ""
        columns, _ = self.size()
        lines = text.split("\n")
        text = "\n".join(part for line in lines for part in ([line] if "\033" in line else wrapped(line, columns)))
        self._renewed = ""
        self._lines_below += self._lines_of(text)
        return super().write(before + text)

    def renew(self, text: str, typed: str = "") -> None:
        """Replace the status line, cut to the width; do nothing if the terminal cannot overwrite.

        `typed` is the text being typed in the meantime, shown after it.
        """
        if not self.look.rewrites:
            return
        columns, _ = self.size()
        behind = f" > {typed[-columns // 2 :]}" if typed else ""
        width = columns - 1 - len(behind)
        shown = (text if len(text) <= width else text[: width - 3] + "...") + behind
        if shown != self._renewed:
            super().write(f"{_ERASE}{shown}")
            self._renewed = shown

    def erase_renewed(self) -> None:
        """Erase the status line."""
        if self._renewed:
            self._renewed = ""
            super().write(_ERASE)

    def show(self, picture: Picture) -> None:
        """Write a drawing, whose clocks can then tick."""
        self.write(picture.text + "\n")
        self._picture, self._size, self._lines_below = picture, self.size(), 0

    def typed(self, text: str) -> None:
        """Count the lines of a prompt and the text typed after it."""
        self._lines_below += self._lines_of(text + "\n")

    def tick(self, clocks: Mapping[Color, str], unfinished: str = "") -> None:
        """Update the clocks in the last drawing if it is still visible; the cursor stays.

        `unfinished` is the text on the cursor's line, which may take several lines.
        """
        if self._picture is None or not self.look.rewrites or self.size() != self._size:
            return
        up = self._lines_below + self._lines_of(unfinished + "\n") - 1 + len(self._picture.lines)
        if up >= self._size[1]:
            return
        text = ""
        for color, row, column in self._picture.clocks:
            if color in clocks:
                text += f"\0337\033[{up - row}A\r\033[{column}C{clocks[color]:>{CLOCK_COLUMNS}}\0338"
        if text:
            super().write(text)

    def _lines_of(self, text: str) -> int:
        """Return how many lines a text advances, with long ones broken by the terminal."""
        columns, _ = self.size()
        *whole, _ = _ESCAPES.sub("", text).split("\n")
        return sum(max(1, -(-len(line) // columns)) for line in whole)


QUIET_S: Final = 0.15
"""Seconds that a search runs before its line is shown, so that a short one leaves no flicker."""

RENEW_S: Final = 0.1


class ThinkingLine:
    """The line that shows one search and is overwritten; it begins now."""

    def __init__(self, screen: Screen, label: str = "") -> None:
        self._screen = screen
        self._label = label
        self._began_s = time.monotonic()
        self._next_s = self._began_s + QUIET_S

    @property
    def elapsed_s(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._began_s

    def is_due(self) -> bool:
        """Return whether it is time to update the line, which then is due again a little later."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return False
        self._next_s = now_s + RENEW_S
        return True

    def renew(self, result: SearchResult | None, typed: str = "") -> None:
        """Show the latest result, None before the first, and the text being typed."""
        self._screen.renew(thinking_text(result, self.elapsed_s, self._label), typed)


def thinking_text(result: SearchResult | None, elapsed_s: float, label: str = "") -> str:
    """Return the line for the latest result of a search that has run for `elapsed_s`; None is before the first."""
    head = f"{label}: " if label else ""
    if result is None or not result.lines:
        return f"{head}thinking, {elapsed_s:.1f} s"
    line = result.best
    depth = "solved" if line.exact else f"depth {line.reached()}"
    return f"{head}{depth}, {signed(line.discs)}, {rate_text(result.rate)}, {elapsed_s:.1f} s: {pv_text(line.pv)}"


def rate_text(nodes_per_s: float) -> str:
    """Return nodes a second with a unit that keeps the number short."""
    if nodes_per_s >= 1e6:
        return f"{nodes_per_s / 1e6:.1f} Mn/s"
    return f"{nodes_per_s / 1e3:.0f} kn/s"
