"""Opening book files: which kind a file is, which an engine uses and learns into; the names of openings."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from othello_bot.base.errors import FormatError, InputError, did_you_mean
from othello_bot.base.files import DATA_FOLDER, open_regular
from othello_bot.book.book import Book, Source
from othello_bot.book.compact import MAGIC, CompactBook
from othello_bot.book.entry import BookError, Key, key_of
from othello_bot.rules import IllegalMove, Position, parse_moves

if TYPE_CHECKING:
    from othello_bot.book.store import Store

SHIPPED_NAMES: Final = DATA_FOLDER / "opening-names.txt"


class NamedLine(NamedTuple):
    """An opening: its moves from the usual start, and its name."""

    moves: tuple[int, ...]
    name: str


def named_lines() -> list[NamedLine]:
    """Return the openings that players have names for."""
    return read_names(SHIPPED_NAMES.read_text(encoding="utf-8"))


def named_line(name: str) -> NamedLine | None:
    """Return the opening with a name, or one of its names in brackets, in any case; else the only one whose name has this
    part; None without one. Raise InputError if there are several.
    """
    wanted = " ".join(name.casefold().split())
    if not wanted:
        return None
    spelled = [(line, line.name.casefold()) for line in named_lines()]
    found = {line.name: line for line, names in spelled if wanted in _names_of(names)}
    found = found or {line.name: line for line, names in spelled if wanted in names and len(wanted) > 2}
    if len(found) > 1:
        several = ", ".join(list(found)[:SHOWN_NAMES]) + (", ..." if len(found) > SHOWN_NAMES else "")
        raise InputError("opening", name, f"one of {several}")
    return next(iter(found.values()), None)


def similar_name(name: str) -> str:
    """Return `, did you mean Tiger?` for a mistyped name of an opening; empty if none is similar."""
    return did_you_mean(name, (one for line in named_lines() for one in _names_of(line.name)))


def _names_of(names: str) -> list[str]:
    """Return the name of an opening and those in brackets."""
    return [name for name in re.split(r" \(|, |\)", names) if name]


SHOWN_NAMES: Final = 6
"""Names that a message about several openings tells."""


def read_names(text: str) -> list[NamedLine]:
    """Return the openings of a file of names.

    A line has a transcript from the usual start and the name of the position after it: "c4e3f6e6f5 Tiger". A # begins a
    comment. Raise BookError at the first line that is invalid, illegal, or repeats an earlier one.
    """
    lines: dict[tuple[int, ...], str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("#", 1)[0].split(maxsplit=1)
        if not fields:
            continue
        if len(fields) < 2:
            raise BookError(f"line {number}: opening", line, "moves and a name", number)
        try:
            moves = parse_moves(fields[0])
            positions_of(moves)
        except (FormatError, IllegalMove) as error:
            raise BookError(f"line {number}: opening's moves", error.value, error.expected, number) from error
        if not moves or moves in lines:
            raise BookError(f"line {number}: opening's moves", fields[0], "moves that no earlier line has", number)
        lines[moves] = fields[1].strip()
    return [NamedLine(moves, name) for moves, name in lines.items()]


def positions_of(moves: tuple[int, ...]) -> list[Position]:
    """Return the positions after each of the moves from the usual start; raise IllegalMove."""
    positions = [Position.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions[1:]


def names_of(lines: list[NamedLine]) -> dict[Key, str]:
    """Return the names by the keys of their positions; of two names for a position, the first."""
    names: dict[Key, str] = {}
    for line in lines:
        names.setdefault(key_of(positions_of(line.moves)[-1]), line.name)
    return names


SHIPPED: Final = DATA_FOLDER / "openings.book"

SQLITE_MAGIC: Final = b"SQLite format 3\0"

FOREIGN: Final = {b"XADEKOOB": "Edax", b"DICUORAG": "Egaroucid"}
"""How the books of other programs begin."""


def open_book(path: str | Path) -> Store | CompactBook:
    """Return the book in a file: a growing one or a compact one. Raise BookError or OSError."""
    with open_regular(Path(path)) as file:
        beginning = file.read(len(SQLITE_MAGIC))
    if beginning == SQLITE_MAGIC:
        from othello_bot.book.store import Store  # imported here and below: the shipped book needs no database

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
    """The books that an engine uses, in this order: the files of a list, then the shipped one.

    `paths` has the names of the files, separated by `os.pathsep`; None for no files. A file that does not exist is
    created when there is something to learn. Raise BookError for a file that is not a book, OSError if one cannot be
    opened or, if new, created.
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
            if not isinstance(source, CompactBook) and source.writable and self._learning is None and self._new is None:
                self._learning = source
        elif self._learning is None and self._new is None:
            import tempfile  # imported here: a session starts without it

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
            from othello_bot.book.store import Store

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
        known = {key for key, _ in into.entries()}
        for key, entry in source.entries():
            if key not in known:
                into.put(key, entry)
        for key, name in source.names().items():
            if into.name(key) is None:
                into.put_name(key, name)
