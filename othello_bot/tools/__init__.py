"""Tools beside the engine: `othello-bot help`."""

from __future__ import annotations

__all__ = [
    "help_topics",
]
