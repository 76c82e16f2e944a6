"""`othello-bot play`: a game at the terminal."""

from __future__ import annotations

__all__ = [
    "command",
]
