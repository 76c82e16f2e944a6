"""The traffic log: every received line and every reply, with the time, in a file that the user names."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterable
from typing import Final, TextIO

from protocol import posix
from protocol.visible import visible, wrapped

NARROWEST: Final = 20
"""Fewest columns for which lines are broken."""


def report(message: str, command: str = "") -> None:
    """Write a message to stderr as one visible line, marked so that no host takes it for a reply.

    `command` is the command of othello-bot that says it, "" for a session. Hosts read the stderr of a session, so that
    its message stays one line unless that is a terminal. If stderr is closed, the message is lost.
    """
    line = f"{' '.join(('othello-bot', command)).strip()}: {visible(message)}"
    for_people = command or (sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty())
    write_to_stderr("".join(f"{part}\n" for part in (broken(line, sys.stderr) if for_people else [line])))


def tell(lines: Iterable[str]) -> None:
    """Write lines to stdout, made visible, and on a terminal broken between words."""
    sys.stdout.write("".join(f"{part}\n" for line in lines for part in broken(visible(line), sys.stdout)))
    sys.stdout.flush()


def broken(line: str, stream: TextIO | None) -> list[str]:
    """Return the parts of a line for the width of a terminal, or for COLUMNS if that is set; elsewhere the line."""
    columns = terminal_columns(stream)
    return [line] if columns is None else wrapped(line, columns)


def terminal_columns(stream: TextIO | None) -> int | None:
    """Return the variable COLUMNS, or the width of the terminal behind a stream; None elsewhere."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and 0 < len(columns) < 6:
        return max(int(columns), NARROWEST)
    try:
        return None if stream is None else max(os.get_terminal_size(stream.fileno()).columns, NARROWEST)
    except (OSError, ValueError):
        return None


def write_to_stderr(text: str) -> None:
    """Write whole lines to stderr in one piece. If stderr is closed, they are lost."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):  # a broken stderr cannot be reported anywhere else
        sys.stderr.write(text)
        sys.stderr.flush()


def _open_without_blocking(path: str, flags: int) -> int:
    """Open a log: a pipe that nobody reads is refused, and one that is full ends the log instead of the session."""
    try:
        return posix.open_unblocked(path, flags)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise OSError(error.errno, "a pipe that nobody reads", path) from None


class TrafficLog:
    """Appends to the log while one is open. If writing fails, the log is closed and the session continues."""

    def __init__(self) -> None:
        self._file: TextIO | None = None
        self._path = ""

    def open(self, path: str | None) -> None:
        """Start logging to `path`, or stop if it is None. Raise OSError and keep the old log if that fails."""
        opened = None
        if path is not None:
            opened = open(  # noqa: SIM115 - kept
                path, "a", encoding="utf-8", errors="backslashreplace", buffering=1, opener=_open_without_blocking
            )
        self.close()
        self._file, self._path = opened, path or ""

    def received(self, text: str) -> None:
        """Log a received line."""
        self._write("<", text)

    def sent(self, text: str) -> None:
        """Log written output."""
        self._write(">", text)

    def close(self) -> None:
        """Close the log."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                report(f"the log {self._path} could not be closed: {error.strerror}")

    def _write(self, direction: str, text: str) -> None:
        if self._file is None:
            return
        stamp = time.strftime("%H:%M:%S")
        try:
            for line in text.rstrip("\n").split("\n"):
                self._file.write(f"{stamp} {direction} {line}\n")
        except OSError as error:
            report(f"logging to {self._path} ends here: {error.strerror}")
            file, self._file = self._file, None
            with contextlib.suppress(OSError):  # closing writes the same buffered text and fails again
                file.close()
