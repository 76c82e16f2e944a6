"""The text and file formats in which Othello positions and games travel, one module each.

Readers are tolerant in what they take, raise a FormatError with the place and the value on nonsense, and look at a
bounded amount of it; writers write the one form that every known program reads.
"""

from __future__ import annotations

__all__ = [
    "detect",
    "fen",
    "files",
    "ggf",
    "obf",
    "pgn",
    "record",
    "sgf",
    "wthor",
]
