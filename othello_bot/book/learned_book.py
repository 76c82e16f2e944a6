"""The learned book: an opening book that grows, and its file.

The file has the format of the shipped book (see `book.py`) and starts as a copy of it. A game adds its opening moves
with the discs that each loses against the best move, and the best moves if they were unknown. The engine then plays
them at once where it had to search before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from othello_bot.book.book import Book, Row, default_rows, format_row, read_rows
from othello_bot.files import read_at_most, whole_file

LARGEST_FILE_BYTES: Final = 1 << 24
"""Size limit in bytes: enough for a hundred thousand games."""



class LearnedBook:
    """The book of a file; with an empty path, the shipped book in memory only.

    A file that does not exist yet is created, starting from the shipped book, when the first rows are learned. Raises
    FormatError for a file that is not a book, and OSError if it cannot be read or created.
    """

    def __init__(self, path: str = "") -> None:
        self._path = Path(path) if path else None
        self._rows = default_rows() if self._path is None else _rows_of(self._path)
        self.book = Book.from_rows(self._rows)

    def add(self, rows: Iterable[Row]) -> None:
        """Learn rows. Each line, except those of a single move, must follow its line without the last move.

        Raise OSError if the file cannot be written; the rows are kept until the end of the session anyway.
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
        """Return the known rows unchanged, followed by the new ones, each line once."""
        rows = {row.moves: row for row in known}
        for row in new:
            rows.setdefault(row.moves, row)
        return list(rows.values())


def _rows_of(path: Path) -> list[Row]:
    if not path.exists():
        # Fail now, not when there is something to save.
        with tempfile.TemporaryFile(dir=path.parent):
            return default_rows()
    return read_rows(read_at_most(path, LARGEST_FILE_BYTES, "book file").decode("utf-8", "replace"))


def _write(path: Path, rows: Iterable[Row]) -> None:
    with whole_file(path) as file:
        file.write(b"# An opening book: the one that came with the program, and what was learned from games.\n")
        file.writelines(f"{format_row(row)}\n".encode() for row in rows)
