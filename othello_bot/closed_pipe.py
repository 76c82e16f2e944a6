"""A reader that closes the pipe early, as `head` does, is not an error; what stderr does not take is lost."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


class _Lossy(io.FileIO):
    """A descriptor that accepts everything; what cannot be written is lost."""

    def write(self, data: Buffer, /) -> int:
        """Write, or do nothing; return the size of the data."""
        with contextlib.suppress(OSError):  # a full disk or a closed pipe: there is no better place to tell it
            super().write(data)
        return memoryview(data).nbytes


def make_stderr_lossy() -> None:
    """Let writes to stderr never fail: a message that nobody can read changes neither the work nor the exit code."""
    if sys.stderr is not None:
        raw = _Lossy(sys.stderr.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw), sys.stderr.encoding, "backslashreplace", line_buffering=True
        )


def flush_stdout() -> None:
    """Flush stdout; where nobody reads it any more, drop what is still buffered, which would fail again at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
