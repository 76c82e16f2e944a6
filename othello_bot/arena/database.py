"""The SQLite file of a store: its tables, how an older one is upgraded, and the errors of SQLite in words."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GAME_COLUMNS
from othello_bot.base.errors import brief
from othello_bot.base.sqlite import reason, sqlite3

FORMAT: Final = 5
"""Version of the tables below, kept in the file as SQLite's user_version; older files are upgraded when opened."""

BUSY_S: Final = 60.0
"""Seconds that a write waits for the write of another process."""

_TABLES: Final = (
    "CREATE TABLE match (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, config TEXT NOT NULL, created REAL NOT NULL,"
    " machine TEXT NOT NULL)",
    f"CREATE TABLE game ({', '.join(f'{column.name} {column.sql}' for column in GAME_COLUMNS)},"
    " match INTEGER NOT NULL REFERENCES match(id), UNIQUE (match, pair, leg))",
    "CREATE INDEX game_moves ON game (match, moves)",
    "CREATE TABLE IF NOT EXISTS arena"
    " (id INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, seen REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claim (match INTEGER NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " arena INTEGER NOT NULL, PRIMARY KEY (match, pair, leg)) WITHOUT ROWID",
)

_UPGRADES: Final = {
    1: ("ALTER TABLE game ADD COLUMN last_words TEXT NOT NULL DEFAULT ''",),
    2: (),
    3: ("ALTER TABLE game ADD COLUMN stops TEXT NOT NULL DEFAULT '[]'",),
    4: (
        "ALTER TABLE game ADD COLUMN stalls TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE game ADD COLUMN latencies_s TEXT NOT NULL DEFAULT '[null,null]'",
        "ALTER TABLE game ADD COLUMN retries TEXT NOT NULL DEFAULT '[0,0]'",
    ),
}
"""The statements that upgrade a file of an earlier format to the next one. Format 3 adds planned times to the moves."""

_NO_STORE: Final = ("is not a database", "no such table", "no such column")
"""Words in SQLite's messages about what is not a store."""

Values = Sequence[object] | Mapping[str, object]


class StoreError(ArenaError):
    """A file that is not a store, a store that this version cannot read, or one that cannot be read or written now."""


class Database:
    """A store's file, open. For one thread. Every method raises StoreError, which names the file and the reason."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open a file, or create it. One that may not be written, nor created, is opened for reading."""
        self._path = path
        self._check_place(create)
        read_only = not create and not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))
        place = f"file:{quote(os.fsencode(path.absolute()))}?immutable=1" if read_only else path
        with self._in_words():
            self._db = sqlite3.connect(place, timeout=BUSY_S, isolation_level=None, uri=read_only)
        try:
            with self._in_words():
                self._check_readable() if read_only else self._prepare()
        except BaseException:
            self._db.close()
            raise

    def error(self, why: str) -> StoreError:
        """Return an error with the name of the file."""
        return StoreError(f"{brief(str(self._path))}: {why}")

    def _check_place(self, create: bool) -> None:
        """Refuse what SQLite would describe badly: a folder, a file in no folder, a pipe or a device."""
        try:
            if self._path.exists():
                if not self._path.is_file():
                    kind = "folder" if self._path.is_dir() else "pipe or device"
                    raise self.error(f"a {kind}, not a store of matches")
            elif not create:
                raise self.error("there is no such store")
            elif not self._path.parent.is_dir():
                raise self.error("its folder does not exist")
        except OSError as error:
            raise self.error(error.strerror or str(error)) from error

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Raise StoreError for what SQLite raises."""
        try:
            yield
        except sqlite3.Error as error:
            is_none = any(words in str(error) for words in _NO_STORE)
            raise self.error(f"not a store of matches ({error})" if is_none else reason(error)) from error
        except (ValueError, OverflowError) as error:
            raise self.error(str(error)) from error

    # -- opening ------------------------------------------------------------------------------------------------------

    def _check_readable(self) -> None:
        """Refuse a file that SQLite cannot read whole without writing."""
        log = Path(f"{self._path}-wal")
        if self._version() != FORMAT or (log.exists() and log.stat().st_size):
            raise self.error("it and its folder must be writable, so that it can be completed or upgraded")

    def _prepare(self) -> None:
        """Create the tables of a new file, or upgrade those of an old one."""
        self._write_ahead()
        # In WAL mode, NORMAL risks the last games in a power failure but never the file.
        self._db.execute("PRAGMA synchronous = NORMAL")
        if self._version() == FORMAT:
            return
        with self.writing():
            # Another arena may have done it in the meantime.
            version = self._version()
            if version not in (0, *_UPGRADES, FORMAT):
                raise self.error(f"format {version}: this program knows formats 1 to {FORMAT}")
            if version == 0:
                (tables,) = self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
                if tables:
                    raise self.error("a database of something else")
                for statement in _TABLES:
                    self._db.execute(statement)
            else:
                for earlier in range(version, FORMAT):
                    for statement in _UPGRADES[earlier]:
                        self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _write_ahead(self) -> None:
        """Switch to WAL mode, with retries: SQLite does not wait when two processes switch a new file at once."""
        deadline = time.monotonic() + BUSY_S
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() >= deadline:
                    raise
                time.sleep(0.01)

    def _version(self) -> int:
        version: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        return version

    # -- statements ---------------------------------------------------------------------------------------------------

    def execute(self, statement: str, values: Values = ()) -> sqlite3.Cursor:
        """Carry out a statement."""
        with self._in_words():
            return self._db.execute(statement, values)

    def rows(self, query: str, values: Values = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows that a query finds."""
        with self._in_words():
            for row in self._db.execute(query, values):  # noqa: UP028 - a reader that stops early may close the file first
                yield row

    def row(self, query: str, values: Values = ()) -> tuple[Any, ...] | None:
        """Return the first row that a query finds; None if there is none."""
        return next(self.rows(query, values), None)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a write transaction that holds the write lock from its beginning, so that what it reads stays true."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # SQLite has rolled back by itself where the disk is full.
            if self._db.in_transaction:
                self.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()
