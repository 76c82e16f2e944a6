"""The traffic log: every line received and every reply sent, with the time, in a file that the user names."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TextIO


def report(message: str) -> None:
    """Say something on stderr, marked so that no host can take it for a reply. A closed stderr loses it."""
    write_to_stderr(f"othello-bot: {message}\n")


def write_to_stderr(text: str) -> None:
    """Write whole lines on stderr in one piece. A closed stderr loses them."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):  # the one place to complain about a broken stderr is stderr
        sys.stderr.write(text)
        sys.stderr.flush()


class TrafficLog:
    """Appends to the log while one is open. A log that cannot be written any more ends; the session goes on."""

    def __init__(self) -> None:
        self._file: TextIO | None = None
        self._path = ""

    def open(self, path: str) -> None:
        """Log to `path` from now on, or, when it is empty, nowhere. Raises OSError and keeps the old log."""
        opened = None
        if path:
            opened = open(path, "a", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115 - kept
        self.close()
        self._file, self._path = opened, path

    def received(self, text: str) -> None:
        """Log a line that came in."""
        self._write("<", text)

    def sent(self, text: str) -> None:
        """Log what was written out."""
        self._write(">", text)

    def close(self) -> None:
        """End the log."""
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
            with contextlib.suppress(OSError):  # what could not be written cannot be written on closing either
                file.close()
