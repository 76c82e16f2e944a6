"""The output of a session: through the process's only writer, and into the log of all lines while one is open."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from pathlib import Path
from typing import TextIO

from othello_bot.base import posix
from othello_bot.base.descriptors import is_descriptor, opened, refuse_dash
from othello_bot.base.output import report
from othello_bot.base.outputs import refuse_binary
from othello_bot.protocol.wire import LineWriter


def _open_without_blocking(path: str, flags: int) -> int:
    """Open a log: a pipe that nobody reads is refused, and one that is full ends the log instead of the session."""
    if is_descriptor(path) and os.path.isfile(path):
        return opened(path, flags)
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
        """Start logging to `path`, or stop if it is None.

        Raise OSError if that fails and InputError for a file that holds no text; the old log is kept then.
        """
        opened = None
        if path is not None:
            refuse_dash(path)
            refuse_binary(Path(path))
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


class Output:
    """Writes replies, and logs them while a log is open."""

    def __init__(self, writer: LineWriter, traffic: TrafficLog) -> None:
        self._writer = writer
        self._traffic = traffic

    def write(self, text: str) -> None:
        """Write a text unchanged and flush it."""
        self._writer.write(text)
        self._traffic.sent(text)

    def line(self, text: str) -> None:
        """Write one line; the line feed is added."""
        self.write(text + "\n")
