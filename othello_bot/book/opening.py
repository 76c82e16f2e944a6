"""Opening book files: which kind of book a file is, the books that an engine uses, and the one that it learns into."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from othello_bot.base.files import DATA_FOLDER, open_regular
from othello_bot.book.book import Book, Source
from othello_bot.book.compact import MAGIC, CompactBook
from othello_bot.book.errors import BookError
from othello_bot.book.store import Store

SHIPPED: Final = DATA_FOLDER / "openings.book"

SQLITE_MAGIC: Final = b"SQLite format 3\0"

FOREIGN: Final = {b"XADEKOOB": "Edax", b"DICUORAG": "Egaroucid"}
"""How the books of other programs begin."""


def open_book(path: str | Path) -> Store | CompactBook:
    """Return the book in a file: a growing one or a compact one. Raise BookError or OSError."""
    with open_regular(Path(path)) as file:
        beginning = file.read(len(SQLITE_MAGIC))
    if beginning == SQLITE_MAGIC:
        return Store(str(path))
    program = FOREIGN.get(beginning[:8])
    if program is not None:
        raise BookError("book file", str(path), f"a book of othello-bot: `othello-bot book import` reads {program}'s")
    if not beginning.startswith(MAGIC):
        raise BookError("book file", str(path), "a book of othello-bot")
    return CompactBook(Path(path))


def is_book(path: Path) -> bool:
    """Return whether a file begins like a book of this engine; raise OSError if it cannot be read."""
    with open(path, "rb") as file:
        return file.read(len(SQLITE_MAGIC)).startswith((SQLITE_MAGIC, MAGIC))


def shipped_book() -> CompactBook:
    """Return the book that comes with the program."""
    return CompactBook(SHIPPED)


class Library:
    """The books that an engine uses, the first before the second: the files of a list, and the shipped one.

    `paths` has the names of the files with `os.pathsep` between them; None for none. A file that does not exist is
    created when there is something to learn. Raise BookError for a file that is no book, and OSError if one cannot be
    opened or, being new, not be created.
    """

    def __init__(self, paths: str | None = None) -> None:
        self._learning: Store | None = None
        self._new: str | None = None
        self._sources: list[Source] = []
        try:
            for path in filter(None, (paths or "").split(os.pathsep)):
                self._open(path)
            self._sources.append(shipped_book())
        except BaseException:
            self.close()
            raise
        self.book = Book(self._sources)

    def _open(self, path: str) -> None:
        if os.path.exists(path):
            source = open_book(path)
            self._sources.append(source)
            if isinstance(source, Store) and source.writable and self._learning is None and self._new is None:
                self._learning = source
        elif self._learning is None and self._new is None:
            # Fail now, not when there is something to learn.
            with tempfile.TemporaryFile(dir=os.path.dirname(path) or "."):
                self._new = path
        else:
            raise FileNotFoundError(2, "No such file or directory", path)

    def close(self) -> None:
        """Close the files."""
        for source in self._sources:
            source.close()

    def learning(self) -> Store:
        """Return the book to learn into: the first that can be written, a new one for a file that did not exist, or
        else one in memory. A new one begins with what the shipped book knows.

        Raise BookError or OSError if it cannot be created, BookHeld if another process is creating it.
        """
        if self._learning is None:
            new = Store(self._new or ":memory:", create=True)
            try:
                copy(shipped_book(), new)
            except BaseException:
                new.close()
                raise
            self._learning = new
            self._sources.insert(0, new)
            self.book = Book(self._sources)
        return self._learning


def copy(source: Store | CompactBook, into: Store) -> None:
    """Write the positions and names of a book into another one, which keeps those that it has."""
    with into.transaction():
        for key, entry in source.entries():
            if into.find(key) is None:
                into.put(key, entry)
        for key, name in source.names().items():
            if into.name(key) is None:
                into.put_name(key, name)

