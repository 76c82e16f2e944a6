"""`othello-bot ggs`: playing on GGS, the Generic Game Server, where Othello programs meet."""

from __future__ import annotations

__all__ = ["command"]
