"""`othello-bot web`: a page to play, learn and review on, served by the engine's own process (extra `web`).

The page keeps the game; the server only answers questions about positions. So a restarted server can continue, and tabs
are independent of each other. They share one engine, in time slices (`scheduler.py`).
"""

from __future__ import annotations

__all__ = [
    "command",
]
