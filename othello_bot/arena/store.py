"""The store of matches: one SQLite file, to which every game is written in one transaction when it ends.

A game is unique by match, pair and leg, so a game that is reported twice (after a lost worker, or by two arenas that
play the same match) counts once. Arenas claim a game before they play it; the claims of a dead arena expire.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello_bot.arena.config import MatchConfig, as_json, from_json
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import (
    GAME_COLUMNS,
    RESULT_COLUMNS,
    GameReport,
    GameTask,
    Result,
    StoredGame,
    StoredMatch,
    game_of,
    names_of,
    result_of,
    values_of,
)
from othello_bot.sqlite import sqlite3
from protocol import posix

_CLAIM_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS arena"
    " (id INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, seen REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claim (match INTEGER NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " arena INTEGER NOT NULL, PRIMARY KEY (match, pair, leg)) WITHOUT ROWID",
)

HEARTBEAT_S: Final = 5.0
"""Seconds between two heartbeats of an arena."""

SILENT_S: Final = 60.0
"""Seconds without a heartbeat after which an arena counts as dead, also one on another host."""

_Game = tuple[int, int, int]
"""Match, pair and leg."""

DEFAULT_STORE: Final = "othello-matches.db"

FORMAT: Final = 4
"""Version of the tables below, kept in the file as SQLite's user_version; older files are upgraded when opened."""

BUSY_S: Final = 60.0
"""Seconds that a write waits for the write of another process."""

_TABLES: Final = (
    "CREATE TABLE match (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, config TEXT NOT NULL, created REAL NOT NULL,"
    " machine TEXT NOT NULL)",
    f"CREATE TABLE game ({', '.join(f'{column.name} {column.sql}' for column in GAME_COLUMNS)},"
    " match INTEGER NOT NULL REFERENCES match(id), UNIQUE (match, pair, leg))",
    "CREATE INDEX game_moves ON game (match, moves)",
    *_CLAIM_TABLES,
)

_UPGRADES: Final = {
    1: ("ALTER TABLE game ADD COLUMN last_words TEXT NOT NULL DEFAULT ''",),
    2: (),
    3: ("ALTER TABLE game ADD COLUMN stops TEXT NOT NULL DEFAULT '[]'",),
}
"""The statements that upgrade a file of an earlier format to the next one. Format 3 adds planned times to the moves."""


class Claims:
    """The claims of one arena: which games of a shared store it plays. The arena is registered with its first claim.

    Call every method within a write transaction.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
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
        holder = self._db.execute(
            "SELECT arena.id, host, pid, seen FROM claim LEFT JOIN arena ON arena.id = claim.arena"
            " WHERE match = ? AND pair = ? AND leg = ?",
            game,
        ).fetchone()
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
        for id, *rest in self._db.execute("SELECT id, host, pid, seen FROM arena").fetchall():
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


def _lives(host: str, pid: int, seen: float) -> bool:
    """Return whether an arena is alive: its heartbeat is recent and, if it runs on this host, its process exists."""
    if time.time() - seen > SILENT_S:
        return False
    if host != platform.node():
        return True
    return posix.exists(pid)


class StoreError(ArenaError):
    """A file that is not a store, or a store that this version cannot read."""


class Store:
    """A store, open. A context manager; for one thread."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a file, or create it; raise StoreError if it is not a store."""
        if not create and not path.is_file():
            raise StoreError(f"{path}: there is no such store")
        try:
            self._db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"{path}: cannot be opened: {error}") from error
        self._claims = Claims(self._db)
        try:
            self._prepare(path)
        except sqlite3.Error as error:
            self._db.close()
            raise StoreError(f"{path}: not a store of matches: {error}") from error
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, path: Path) -> None:
        """Create the tables of a new file, or upgrade those of an old one."""
        self._write_ahead()
        # In WAL mode, NORMAL risks the last games in a power failure but never the file.
        self._db.execute("PRAGMA synchronous = NORMAL")
        if self._version() == FORMAT:
            return
        with self._writing():
            # Another arena may have done it in the meantime.
            version = self._version()
            if version not in (0, *_UPGRADES, FORMAT):
                raise StoreError(f"{path}: format {version}: this program knows formats 1 to {FORMAT}")
            if version == 0:
                (tables,) = self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
                if tables:
                    raise StoreError(f"{path}: a database of something else")
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

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up all claims and close the file."""
        if self._claims.registered:
            with self._writing():
                self._claims.give_up()
        self._db.close()

    # -- matches ------------------------------------------------------------------------------------------------------

    def open_match(self, config: MatchConfig, machine: str) -> StoredMatch:
        """Return the match of a configuration, the stored one if it was begun before."""
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO match (key, config, created, machine) VALUES (?, ?, ?, ?)",
                (config.key, json.dumps(as_json(config)), time.time(), machine),
            )
        return next(match for match in self.matches() if match.key == config.key)

    def matches(self) -> list[StoredMatch]:
        """Return all matches, oldest first."""
        rows = self._db.execute("SELECT id, key, config, created, machine FROM match ORDER BY id")
        return [StoredMatch(id, key, self._config_of(key, config), *rest) for id, key, config, *rest in rows]

    def _config_of(self, key: str, text: str) -> MatchConfig:
        try:
            return from_json(json.loads(text))
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"match {key[:8]}: this version cannot read its settings: {error!r}") from error

    # -- games --------------------------------------------------------------------------------------------------------

    def add(self, match: int, report: GameReport) -> bool:
        """Write a game; return false if the store already has it, from any arena."""
        task = report.task
        key = (match, task.pair, task.leg)
        values = {"match": match, **values_of(report)}
        with self._writing():
            if self._has(*key):
                return False
            values["repeats"] = self._db.execute(
                "SELECT MIN(id) FROM game"
                " WHERE match = :match AND moves = :moves AND start = :start AND black = :black AND white = :white",
                values,
            ).fetchone()[0]
            places = ", ".join(f":{name}" for name in values)
            self._db.execute(f"INSERT INTO game ({', '.join(values)}) VALUES ({places})", values)
            self._claims.drop(key)
        return True

    def results(self, match: int, after: int = 0) -> Iterator[Result]:
        """Yield the games of a match with ids above `after`, in the order in which they were written."""
        rows = self._db.execute(
            f"SELECT {names_of(RESULT_COLUMNS)} FROM game WHERE match = ? AND id > ? ORDER BY id", (match, after)
        )
        yield from map(result_of, rows)

    def games(self, match: int) -> Iterator[StoredGame]:
        """Yield the whole games of a match in the order of its schedule."""
        rows = self._db.execute(
            f"SELECT {names_of(GAME_COLUMNS)} FROM game WHERE match = ? ORDER BY pair, leg", (match,)
        )
        yield from map(game_of, rows)

    def identities(self, match: int) -> dict[int, list[str]]:
        """Return the names and versions that the engine of each slot reported; several if they changed."""
        found: dict[int, list[str]] = {}
        rows = self._db.execute(
            "SELECT black, white, identities FROM game WHERE match = ?"
            " GROUP BY black, white, identities ORDER BY MIN(id)",
            (match,),
        )
        for black, white, names in rows:
            for slot, name in zip((black, white), json.loads(names), strict=True):
                if name not in found.setdefault(slot, []):
                    found[slot].append(name)
        return found

    def is_whole(self) -> bool:
        """Return whether SQLite finds the whole file intact."""
        return [row[0] for row in self._db.execute("PRAGMA integrity_check")] == ["ok"]

    # -- claims -------------------------------------------------------------------------------------------------------

    def has(self, match: int, task: GameTask) -> bool:
        """Return whether a game has been played."""
        return self._has(match, task.pair, task.leg)

    def claim(self, match: int, task: GameTask) -> bool:
        """Claim a game for this process; return false if it has been played or a living arena has claimed it."""
        key = (match, task.pair, task.leg)
        with self._writing():
            return not self._has(*key) and self._claims.take(key)

    def show_life(self) -> None:
        """Keep this process's claims valid. Call it often; it is cheap."""
        if self._claims.heartbeat_is_due:
            with self._writing():
                self._claims.heartbeat()

    def _has(self, match: int, pair: int, leg: int) -> bool:
        found = self._db.execute("SELECT 1 FROM game WHERE match = ? AND pair = ? AND leg = ?", (match, pair, leg))
        return found.fetchone() is not None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run a write transaction that holds the write lock from its beginning, so that what it reads stays true."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")
