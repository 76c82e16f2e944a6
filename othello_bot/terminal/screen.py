"""Screen: output to a terminal, a status line that is overwritten, and clocks that tick inside the drawing above.

The program has only one drawing of a game: a session's terminal and `play` both show it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Final

from othello_bot.base.notation import Color
from othello_bot.base.visible import wrapped
from othello_bot.protocol.wire import LineWriter
from othello_bot.terminal.picture import CLOCK_COLUMNS, Colors, Look, Picture, draw_plain
from othello_bot.terminal.scene import Scene


def draw(scene: Scene, look: Look, columns: int = 80) -> Picture:
    """Return the drawing of a scene for a terminal with this look and width in columns."""
    if look.colors is Colors.NONE:
        return draw_plain(scene, columns)
    from othello_bot.terminal.colored import draw_colored  # imported here: importing rich takes a while

    return draw_colored(scene, look, columns)


_ESCAPES: Final = re.compile(r"\033\[[0-9;?]*[A-Za-z]")
_ERASE: Final = "\r\033[K"


class Screen(LineWriter):
    """The writer of a session or a game on a terminal."""

    def __init__(self, fd: int, look: Look, on_closed: Callable[[OSError], None] | None = None) -> None:
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
        """Write ``text`` in place of the status line, long lines broken between words; drawings stay as they are.

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
        room = columns - 1 - len(behind)
        shown = (text if len(text) <= room else text[: room - 3] + "...") + behind
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
