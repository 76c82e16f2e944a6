"""The folder for files that the program can create again: tables, positions, results, inputs of the fuzzer."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def cache_folder() -> Path:
    """Return othello-bot's folder below XDG_CACHE_HOME, or below ~/.cache if that is unset or not absolute.

    Raise OSError if the user has no home folder either.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return Path(base) / "othello-bot"
    try:
        return Path.home() / ".cache" / "othello-bot"
    except RuntimeError as error:
        raise FileNotFoundError(errno.ENOENT, "the user has no home folder") from error
