"""Tools beside the engine: `othello-bot help` and `othello-bot version`."""

from __future__ import annotations

__all__ = [
    "help_topics",
    "versions",
]
