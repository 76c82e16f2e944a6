"""The folder for files that the program can create again: tables, positions, results, inputs of the fuzzer."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return othello-bot's folder below XDG_CACHE_HOME, or below ~/.cache if that is unset or not absolute."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "othello-bot"
