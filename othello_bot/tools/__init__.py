"""Tools beside the engine: `othello-bot convert`, `completion`, `doctor`, `help` and `version`."""

from __future__ import annotations

__all__ = [
    "completion",
    "convert",
    "doctor",
    "help_topics",
    "versions",
]
