"""Text and file formats of Othello positions and games, one module each; `table` lists them.

`reading.games_of_file` yields the games of a file of any format with their places and errors; `writing.write_games`
writes games in the format of a name's ending. Readers are tolerant, limit how much text they accept, and raise or yield
a FormatError with the place and the value on invalid input. Writers write the one form that every known program reads.
"""

from __future__ import annotations

__all__ = [
    "found",
    "ggf",
    "obf",
    "pgn",
    "quest",
    "reading",
    "record",
    "sgf",
    "table",
    "transcripts",
    "writing",
    "wthor",
    "xof",
]
