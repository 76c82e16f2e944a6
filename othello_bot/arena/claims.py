"""Claims: which arena process plays which game of a shared store, and when a claim expires.

Call every method within a write transaction.
"""

from __future__ import annotations

import os
import platform
import time
from typing import Final

from othello_bot.sqlite import sqlite3
from protocol import posix

TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS arena"
    " (id INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, seen REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claim (match INTEGER NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL,"
    " arena INTEGER NOT NULL, PRIMARY KEY (match, pair, leg)) WITHOUT ROWID",
)

HEARTBEAT_S: Final = 5.0
"""Seconds between two heartbeats of an arena."""

SILENT_S: Final = 60.0
"""Seconds without a heartbeat after which an arena counts as dead, also one on another host."""

Game = tuple[int, int, int]
"""Match, pair and leg."""


class Claims:
    """The claims of one arena. The arena is registered with its first claim."""

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

    def take(self, game: Game) -> bool:
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

    def drop(self, game: Game) -> None:
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
