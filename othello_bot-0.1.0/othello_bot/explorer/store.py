"""The file of a base: one SQLite database with the games, their names, and the postings of their positions.

Games are numbered from 1 in the order in which they came. Consecutive games form a segment, which has its own
postings, so that games can be added without touching the others; segments that are small are joined. A segment keeps

- `column`: a number of 32 bits for each of its games, for each of COLUMNS; nothing if all are 0;
- `few`: the postings of positions with at most FEW_GAMES games, in parts by the first bits of the key;
- `many`: the postings of each other position, and what they count without a filter.

All changes of one step are one transaction, so that a base is complete whenever the work ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from othello_bot.base.descriptors import is_special, refuse_for_database
from othello_bot.base.errors import InputError, WorkError
from othello_bot.base.sqlite import reason, sqlite3

FORMAT: Final = 2
"""Version of the tables below, SQLite's user_version."""

APPLICATION: Final = 0x4F424578
"""SQLite's application_id of a base."""

BUSY_S: Final = 10.0
"""Seconds that reading waits for another process that writes."""

FEW_GAMES: Final = 24
"""Most games of a position whose counts are made when they are asked for."""

COLUMNS: Final = ("dates", "black", "white", "event", "black_rating", "white_rating", "results")
"""The numbers of each game: the date as yyyymmdd, names by their ids, ratings, and Black's result; 0 is unknown, NO_RESULT
for the last.
"""

NO_RESULT: Final = 1000
"""A result that nobody knows."""

UNTOLD_DISCS: Final = 100
"""A result of which only the winner is known, with his sign."""

ORDER: Final = sys.byteorder
"""The order of bytes in the postings, that of the machine: they are read as they are."""

_TABLES: Final = (
    "CREATE TABLE fact (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE name (id INTEGER PRIMARY KEY, event INTEGER NOT NULL, text TEXT NOT NULL, number INTEGER NOT NULL,"
    " UNIQUE (event, text, number))",
    "CREATE TABLE game (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, start TEXT, moves BLOB NOT NULL,"
    " black INTEGER NOT NULL, white INTEGER NOT NULL, event INTEGER NOT NULL, date TEXT NOT NULL,"
    " black_rating INTEGER NOT NULL, white_rating INTEGER NOT NULL, result INTEGER NOT NULL)",
    "CREATE TABLE segment (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, games INTEGER NOT NULL, bits INTEGER NOT NULL)",
    "CREATE TABLE column (segment INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,"
    " PRIMARY KEY (segment, name))",
    "CREATE TABLE few (id INTEGER PRIMARY KEY, postings BLOB NOT NULL)",
    "CREATE TABLE many (key INTEGER NOT NULL, segment INTEGER NOT NULL, tally BLOB NOT NULL, postings BLOB NOT NULL,"
    " UNIQUE (key, segment))",
)

GAME_BITS: Final = 24
"""Bits of a posting that number the game within its segment, as in kernel/postings.pxi."""

PAGE_BYTES: Final = 16_384
"""The size of a page of the file: columns and postings are read in few pieces, games one at a time."""

PART_BITS: Final = 20
"""Bits of the id of a part below those of its segment."""


class BaseError(InputError):
    """A file that is no base of games, or cannot be used as one."""


class BaseHeld(WorkError):
    """Another process adds games to the base."""


def signed(key: int) -> int:
    """Return a key as SQLite keeps it."""
    return key - (1 << 64) if key >> 63 else key


def is_base(path: Path) -> bool:
    """Return whether a file is a base of games, of whatever version."""
    if not path.is_file() or is_special(path):
        return False
    with path.open("rb") as file:
        head = file.read(72)
    return head[:15] == b"SQLite format 3" and head[68:72] == APPLICATION.to_bytes(4, "big")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a base; raise BaseError for another file, another version, and what cannot be opened."""
    with reading(path):
        _refuse_missing(path)
        return _opened(path, f"file:{quote(os.fsencode(path.resolve()))}?mode=ro", uri=True)


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a base to add games; make it if there is no such file. Raise BaseError for another file or another version,
    OSError or WorkError if it cannot be opened.
    """
    refuse_for_database(path)
    if path.exists() and not path.is_file():
        raise BaseError("base", str(path), "a file")
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "no such folder", str(path.parent))
    # Absolute: SQLite takes some names, such as :memory:, for no file.
    connection = _opened(path, str(path.absolute()), uri=False)
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of a new file; others keep theirs
    return connection


def _refuse_missing(path: Path) -> None:
    if not path.is_file() or is_special(path):
        path.stat()  # raises the system's error where there is nothing
        raise BaseError("base", str(path), "a file that `othello-bot explore build` has made")


def _opened(path: Path, name: str, *, uri: bool) -> sqlite3.Connection:
    expected = "a base that `othello-bot explore build` has made"
    with told(path):
        connection = sqlite3.connect(name, timeout=BUSY_S, isolation_level=None, uri=uri, check_same_thread=False)
    try:
        with told(path):
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        if tables or uri:
            if application != APPLICATION:
                raise BaseError("base", str(path), expected)
            if version != FORMAT:
                raise BaseError(
                    "base", f"{path} of version {version}", f"version {FORMAT}; build it again from the games"
                )
            with told(path):
                order = connection.execute("SELECT value FROM fact WHERE name = 'order'").fetchone()
            if order != (ORDER,):
                raise BaseError("base", str(path), f"one of a {ORDER}-endian machine; build it again from the games")
    except BaseException:
        connection.close()
        raise
    return connection


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new base, within a transaction."""
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute("INSERT INTO fact VALUES ('order', ?)", (ORDER,))
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn all errors of the system and of SQLite into BaseErrors, so that whoever asks a base has one kind to tell."""
    try:
        with told(path):
            yield
    except (OSError, WorkError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error.__cause__ or error
        words = reason(why) if isinstance(why, sqlite3.Error) else str(why)
        raise BaseError("base", str(path), f"a base of games that can be read ({words})") from error


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, with the name of the base: while games are added, some are no fault of the base."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise WorkError(f"{path}: {reason(error)}") from error
    except sqlite3.DatabaseError as error:
        raise BaseError("base", str(path), f"an intact base of games ({reason(error)})") from error
