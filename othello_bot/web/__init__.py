"""`othello-bot web`: a page to play, learn and review on, served by the engine's own process (extra `web`).

The page keeps the game; the server is asked about positions and remembers none. So a restarted server goes on where
the old one ended, and tabs do not know of each other. All of them share one engine, in slices (`scheduler.py`).
"""

from __future__ import annotations

__all__ = [
    "command",
]
