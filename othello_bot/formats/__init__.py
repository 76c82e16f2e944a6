"""Text and file formats of Othello positions and games, one module each.

Readers are tolerant, limit how much text they accept, and raise a FormatError with the place and the value on invalid
input. Writers write the one form that every known program reads.
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
