"""Engines that misbehave on command, as real programs; see `tests/mocks/misbehaviour.py` for the kinds."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def mock(dialect: str, *flags: str) -> list[str]:
    """Return the command line of the mock engine that speaks `dialect` (gtp, nboard, cassio), with these flags.

    It starts sooner without the installed packages (-S), of which it needs none.
    """
    return [sys.executable, "-S", str(FOLDER / f"{dialect.partition('-')[0]}_engine.py"), *flags]
