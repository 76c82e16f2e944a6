"""A book that grows: its file.

The file is an opening book like the one that comes with the program (see `book.py`), and begins as that. A game
adds its opening moves with the discs that each of them loses against the best one, and the best ones, as far as
they were not known; so the engine has a move at once where it once had to search.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from othello_bot.book.book import Book, Row, default_rows, format_row, read_rows
from othello_bot.files import read_at_most, whole_file

LARGEST_FILE_BYTES: Final = 1 << 24
"""Bytes: a hundred thousand games; a larger file is no book."""



class LearnedBook:
    """The book of a file; the shipped one, kept in memory only, where the path is empty.

    A file that does not exist yet begins as the shipped book, with the first thing learned. Raises FormatError for a
    file that is no book and OSError where it cannot be read, or not be made.
    """

    def __init__(self, path: str = "") -> None:
        self._path = Path(path) if path else None
        self._rows = default_rows() if self._path is None else _rows_of(self._path)
        self.book = Book.from_rows(self._rows)

    def add(self, rows: Iterable[Row]) -> None:
        """Learn rows, of which each line but the first move's follows that without its last move.

        Raises OSError where the file cannot be written; they are learned until the end of the session all the same.
        """
        merged = self.merged(self._rows, rows)
        if len(merged) == len(self._rows):
            return
        self._rows = merged
        self.book = Book.from_rows(merged)
        if self._path is not None:
            _write(self._path, merged)

    @staticmethod
    def merged(known: Sequence[Row], new: Iterable[Row]) -> list[Row]:
        """Return the known rows, which stay as they are, and behind them the new ones, each line once."""
        rows = {row.moves: row for row in known}
        for row in new:
            rows.setdefault(row.moves, row)
        return list(rows.values())


def _rows_of(path: Path) -> list[Row]:
    if not path.exists():
        # Found out now, not when there is something to be kept.
        with tempfile.TemporaryFile(dir=path.parent):
            return default_rows()
    return read_rows(read_at_most(path, LARGEST_FILE_BYTES, "book file").decode("utf-8", "replace"))


def _write(path: Path, rows: Iterable[Row]) -> None:
    with whole_file(path) as file:
        file.write(b"# An opening book: the one that came with the program, and what was learned from games.\n")
        file.writelines(f"{format_row(row)}\n".encode() for row in rows)
