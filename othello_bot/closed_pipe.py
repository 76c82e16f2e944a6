"""A reader that closes the pipe early, as `head` does, is not an error."""

from __future__ import annotations

import os
import sys


def flush_stdout() -> None:
    """Flush stdout; where nobody reads it any more, drop what is still buffered, which would fail again at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
