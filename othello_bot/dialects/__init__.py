"""The dialects of a session: GTP and the native session, NBoard, Cassio, and the programs of other arenas."""

from __future__ import annotations

__all__ = [
    "choice",
    "completion",
    "gtp",
    "play_as",
]
