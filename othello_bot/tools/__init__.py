"""Tools beside the engine: `othello-bot convert`, `completion`, `help` and `version`."""

from __future__ import annotations

__all__ = [
    "completion",
    "convert",
    "help_topics",
    "versions",
]
