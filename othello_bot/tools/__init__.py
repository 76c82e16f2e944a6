"""Tools beside the engine: `othello-bot convert`, `completion`, `doctor`, `gui-config`, `help` and `version`."""

from __future__ import annotations

__all__ = [
    "completion",
    "convert",
    "doctor",
    "gui_config",
    "help_topics",
    "label",
    "mcp_server",
    "puzzles",
    "versions",
]
