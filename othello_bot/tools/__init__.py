"""Tools beside the engine: `othello-bot convert`, `help` and `version`."""

from __future__ import annotations

__all__ = [
    "convert",
    "help_topics",
    "versions",
]
