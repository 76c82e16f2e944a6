"""The dialects of a session: GTP and the native session, NBoard, Cassio, Edax's console; programs of other arenas."""

from __future__ import annotations

__all__ = [
    "choice",
    "command_table",
    "completion",
    "edax",
    "gtp",
    "play_as",
]
