"""The store of matches: one SQLite file, to which every game is written in one transaction when it ends.

A game is unique by match, pair and leg, so a game that is reported twice (after a lost worker, or by two arenas that
play the same match) counts once. Arenas claim a game before they play it; the claims of a dead arena expire. Older
files are upgraded when they are opened, and the errors of SQLite become words.
"""

from __future__ import annotations

import json
import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from othello_bot.arena.config import MatchConfig, as_json
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GameReport, GameTask
from othello_bot.arena.stored import (
    GAME_COLUMNS,
    OPENING,
    RESULT_COLUMNS,
    Result,
    StoredGame,
    StoredMatch,
    game_of,
    identities_of,
    match_of,
    names_of,
    result_of,
    values_of,
)
from othello_bot.base import posix
from othello_bot.base.descriptors import refuse_for_database
from othello_bot.base.errors import brief
from othello_bot.base.sqlite import reason, sqlite3, transaction

FORMAT: Final = 6
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
    4: (
        "ALTER TABLE game ADD COLUMN stalls TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE game ADD COLUMN latencies_s TEXT NOT NULL DEFAULT '[null,null]'",
        "ALTER TABLE game ADD COLUMN retries TEXT NOT NULL DEFAULT '[0,0]'",
    ),
    5: ("ALTER TABLE game ADD COLUMN overtimes_s TEXT NOT NULL DEFAULT '[0,0]'",),
}
"""The statements that upgrade a file of an earlier format to the next one."""

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
            refuse_for_database(self._path)
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
                raise self.error(f"format {version}: this program knows formats {min(_UPGRADES)} to {FORMAT}")
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
        """Return the first row that a query finds; None without one."""
        return next(self.rows(query, values), None)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a write transaction that holds the write lock from its beginning, so that what it reads stays true."""
        with transaction(self._db, self.execute):
            yield

    def close(self) -> None:
        """Close the file."""
        self._db.close()


# -- matches and games ------------------------------------------------------------------------------------------------

HEARTBEAT_S: Final = 5.0
"""Seconds between two heartbeats of an arena."""

SILENT_S: Final = 60.0
"""Seconds without a heartbeat after which an arena counts as dead, even one on another host."""

_Game = tuple[int, int, int]
"""Match, pair and leg."""

DEFAULT_STORE: Final = "othello-matches.db"

_Read = TypeVar("_Read")


class Claims:
    """The claims of one arena: which games of a shared store it plays. The arena is registered with its first claim.

    Call every method within a write transaction.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._arena: int | None = None
        self._seen = 0.0

    @property
    def registered(self) -> bool:
        """Whether this arena is registered."""
        return self._arena is not None

    @property
    def heartbeat_is_due(self) -> bool:
        """Whether it is time for a `heartbeat`."""
        return self._arena is not None and time.time() - self._seen > HEARTBEAT_S

    def take(self, game: _Game) -> bool:
        """Claim a game; return false if a living arena has it. Claiming a game twice is harmless."""
        holder = self._db.row(
            "SELECT arena.id, host, pid, seen FROM claim LEFT JOIN arena ON arena.id = claim.arena"
            " WHERE match = ? AND pair = ? AND leg = ?",
            game,
        )
        if holder is not None and holder[0] not in (None, self._arena) and _lives(*holder[1:]):
            return False
        if self._arena is None:
            self._arena = self._register()
        self._db.execute("INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?)", (*game, self._arena))
        return True

    def drop(self, game: _Game) -> None:
        """Delete any arena's claim to a game: the game has been played."""
        self._db.execute("DELETE FROM claim WHERE match = ? AND pair = ? AND leg = ?", game)

    def heartbeat(self) -> None:
        """Record that this arena is alive."""
        self._seen = time.time()
        self._db.execute("UPDATE arena SET seen = ? WHERE id = ?", (self._seen, self._arena))

    def give_up(self) -> None:
        """Delete all claims of this arena."""
        if self._arena is not None:
            self._remove(self._arena)
            self._arena = None

    def _register(self) -> int:
        """Register this process as an arena, and remove arenas that are dead."""
        for id, *rest in list(self._db.rows("SELECT id, host, pid, seen FROM arena")):
            if not _lives(*rest):
                self._remove(id)
        self._seen = time.time()
        cursor = self._db.execute(
            "INSERT INTO arena (host, pid, seen) VALUES (?, ?, ?)", (platform.node(), os.getpid(), self._seen)
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _remove(self, arena: int) -> None:
        self._db.execute("DELETE FROM claim WHERE arena = ?", (arena,))
        self._db.execute("DELETE FROM arena WHERE id = ?", (arena,))


def _lives(host: object, pid: object, seen: object) -> bool:
    """Return whether an arena is alive: its heartbeat is recent and, if it runs on this host, its process exists."""
    if not (isinstance(pid, int) and 0 < pid < 2**31 and isinstance(seen, float)):
        return False  # nothing that an arena wrote
    if time.time() - seen > SILENT_S:
        return False
    if host != platform.node():
        return True
    return posix.exists(pid)


class MatchStore:
    """A store, open. A context manager; for one thread. Every method may raise StoreError."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a file, or create it; raise StoreError if it is not a store."""
        self._db = Database(path, create=create)
        self._claims = Claims(self._db)
        self._engines: dict[int, int] = {}
        """The number of engines of each match that has been read."""

    def __enter__(self) -> MatchStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def database(self) -> Database:
        """The open file, for tables beside those of matches."""
        return self._db

    def close(self) -> None:
        """Give up all claims and close the file."""
        try:
            if self._claims.registered:
                with self._db.writing():
                    self._claims.give_up()
        finally:
            self._db.close()

    # -- matches ------------------------------------------------------------------------------------------------------

    def open_match(self, config: MatchConfig, machine: str) -> StoredMatch:
        """Return the match of a configuration, the stored one if it was begun before."""
        with self._db.writing():
            self._db.execute(
                "INSERT OR IGNORE INTO match (key, config, created, machine) VALUES (?, ?, ?, ?)",
                (config.key, json.dumps(as_json(config)), time.time(), machine),
            )
        return next(match for match in self.matches() if match.key == config.key)

    def matches(self) -> list[StoredMatch]:
        """Return all matches, oldest first."""
        rows = self._db.rows("SELECT id, key, config, created, machine FROM match ORDER BY id")
        found = [self._readable(f"match {row[0]}", match_of, row) for row in rows]
        self._engines = {match.id: len(match.names) for match in found}
        return found

    def _readable(self, what: str, read: Callable[[Sequence[Any]], _Read], row: Sequence[Any]) -> _Read:
        """Return what is read from a row; raise StoreError if it was not written by this program, or a later one."""
        try:
            return read(row)
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise self._db.error(f"{what} cannot be read: {brief(str(error))}") from error

    # -- games --------------------------------------------------------------------------------------------------------

    def add(self, match: int, report: GameReport) -> bool:
        """Write a game; return false if the store already has it, from any arena."""
        task = report.task
        key = (match, task.pair, task.leg)
        values = {"match": match, **values_of(report)}
        with self._db.writing():
            if self._has(*key):
                return False
            (values["repeats"],) = self._db.row(
                "SELECT MIN(id) FROM game"
                " WHERE match = :match AND moves = :moves AND start = :start AND black = :black AND white = :white",
                values,
            ) or (None,)
            places = ", ".join(f":{name}" for name in values)
            self._db.execute(f"INSERT INTO game ({', '.join(values)}) VALUES ({places})", values)
            self._claims.drop(key)
        return True

    def results(self, match: int, after: int = 0) -> Iterator[Result]:
        """Yield the games of a match with ids above `after`, in the order in which they were written."""
        query = f"SELECT {names_of(RESULT_COLUMNS)}, {OPENING} FROM game WHERE match = ? AND id > ? ORDER BY id"
        for row in self._db.rows(query, (match, after)):
            yield self._of_match(match, self._readable(f"game {row[0]}", result_of, row))

    def games(self, match: int) -> Iterator[StoredGame]:
        """Yield the whole games of a match in the order of its schedule."""
        query = f"SELECT {names_of(GAME_COLUMNS)} FROM game WHERE match = ? ORDER BY pair, leg"
        for row in self._db.rows(query, (match,)):
            game = self._readable(f"game {row[0]}", game_of, row)
            self._of_match(match, game.result)
            yield game

    def game(self, match: int, id: int) -> StoredGame:
        """Return a whole game by its id; raise StoreError if the match has no such game."""
        row = self._db.row(f"SELECT {names_of(GAME_COLUMNS)} FROM game WHERE match = ? AND id = ?", (match, id))
        if row is None:
            raise self._db.error(f"match {match} has no game {id}")
        return self._readable(f"game {id}", game_of, row)

    def _of_match(self, match: int, result: Result) -> Result:
        """Return a result if its engines are those of the match."""
        if max(result.black, result.white) >= self._engines.get(match, math.inf):
            raise self._db.error(f"game {result.id} cannot be read: its match has {self._engines[match]} engines")
        return result

    def identities(self, match: int) -> dict[int, list[str]]:
        """Return the names and versions that the engine of each slot reported; several if they changed."""
        found: dict[int, list[str]] = {}
        rows = self._db.rows(
            "SELECT MIN(id), black, white, identities FROM game WHERE match = ?"
            " GROUP BY black, white, identities ORDER BY MIN(id)",
            (match,),
        )
        for id, black, white, text in rows:
            names = self._readable(f"game {id}", lambda row: identities_of(row[0]), (text,))
            for slot, name in zip((black, white), names, strict=True):
                if name not in found.setdefault(slot, []):
                    found[slot].append(name)
        return found

    def is_whole(self) -> bool:
        """Return whether SQLite finds the whole file intact."""
        return [row[0] for row in self._db.rows("PRAGMA integrity_check")] == ["ok"]

    # -- claims -------------------------------------------------------------------------------------------------------

    def has(self, match: int, task: GameTask) -> bool:
        """Return whether a game has been played."""
        return self._has(match, task.pair, task.leg)

    def claim(self, match: int, task: GameTask) -> bool:
        """Claim a game for this process; return false if it has been played or a living arena has claimed it."""
        key = (match, task.pair, task.leg)
        with self._db.writing():
            return not self._has(*key) and self._claims.take(key)

    def show_life(self) -> None:
        """Keep this process's claims valid. Call it often; it is cheap."""
        if self._claims.heartbeat_is_due:
            with self._db.writing():
                self._claims.heartbeat()

    def _has(self, match: int, pair: int, leg: int) -> bool:
        query = "SELECT 1 FROM game WHERE match = ? AND pair = ? AND leg = ?"
        return self._db.row(query, (match, pair, leg)) is not None
