"""A person at a terminal: the keyboard, the drawn board, what the engine thinks, and a session with all three."""

from __future__ import annotations

__all__ = [
    "keyboard",
    "picture",
    "screen",
    "source",
]
