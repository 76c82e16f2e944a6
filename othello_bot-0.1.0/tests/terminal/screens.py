"""A real process on a terminal whose screen a test can look at, as a person does."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

from tests.session.harness import COMMAND, TIMEOUT_S

CTRL_C, CTRL_D, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"

TRUE_COLOR = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
MANY_COLORS = {"TERM": "xterm-256color"}
SIXTEEN_COLORS = {"TERM": "xterm"}
NO_COLOR = {"TERM": "xterm", "NO_COLOR": "1"}
DUMB = {"TERM": "dumb"}

SETTINGS = ("TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR")
"""Variables that say what a terminal can do; none comes in from outside."""


class Terminal:
    """A program on a terminal of 80 x 24. A context manager, which ends the program where it still runs."""

    def __init__(
        self,
        arguments: Sequence[str],
        home: Path,
        variables: dict[str, str] = SIXTEEN_COLORS,
        columns: int = 80,
        lines: int = 24,
        folder: Path | None = None,
    ) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
        environment |= {"HOME": str(home), "XDG_STATE_HOME": str(home), "PYTHONUTF8": "1"} | variables
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            env=environment,
            dimensions=(lines, columns),
            cwd=str(folder or home),
            timeout=TIMEOUT_S,
        )
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()  # pexpect's own way gives up after a tenth of a second
        self.child.close()

    @property
    def rows(self) -> list[str]:
        """The lines of the screen without the spaces at their ends."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """The screen as one text, without the empty lines at its end."""
        return "\n".join(self.rows).rstrip()

    @property
    def line(self) -> str:
        """The line of the cursor, up to the cursor."""
        return str(self._screen.display[self._screen.cursor.y][: self._screen.cursor.x])

    def cell(self, row: int, column: int) -> pyte.screens.Char:
        """Return a character of the screen with its colours."""
        return self._screen.buffer[row][column]

    def send(self, keys: str) -> None:
        """Type keys."""
        self.child.send(keys)

    def wait_until(self, seen: Callable[[Terminal], bool], what: str = "") -> Terminal:
        """Read until the screen is as wanted; fails with the screen where it never becomes so."""
        end_s = time.monotonic() + TIMEOUT_S
        while not seen(self):
            try:
                data = self.child.read_nonblocking(65536, timeout=max(0.01, end_s - time.monotonic()))
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                raise AssertionError(f"waited for {what or seen}, {type(error).__name__}:\n{self.text}") from None
            self.raw += data
            self._stream.feed(data)
        return self

    def wait_for(self, part: str) -> Terminal:
        """Read until the screen has `part`."""
        return self.wait_until(lambda terminal: part in terminal.text, repr(part))

    def prompt(self, prompt: str) -> Terminal:
        """Read until the cursor stands behind a prompt."""
        return self.wait_until(lambda terminal: terminal.line == prompt, f"the prompt {prompt!r}")

    def end(self) -> int:
        """Read to the end of the program and return its exit code."""
        while True:
            try:
                data = self.child.read_nonblocking(65536, timeout=TIMEOUT_S)
            except pexpect.EOF:
                break
            self.raw += data
            self._stream.feed(data)
        self.child.wait()
        assert self.child.exitstatus is not None
        return self.child.exitstatus
