"""The store of matches: one SQLite file, to which every game is written in one transaction as it ends.

A game is unique by match, pair and leg, so whatever is reported twice (after a lost worker, by two arenas that play the
same match) counts once. Arenas claim a game before they play it; the claims of an arena that has died are void.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello_bot.arena import claims
from othello_bot.arena.claims import Claims
from othello_bot.arena.config import MatchConfig, as_json
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.pairing import GameTask
from othello_bot.arena.reports import GameReport
from othello_bot.arena.stored import (
    RESULT_COLUMNS,
    Result,
    StoredGame,
    StoredMatch,
    packed,
    result_of,
    unpacked,
)
from protocol.notation import Color, format_transcript

FORMAT: Final = 2
"""Version of the tables below, kept in the file as SQLite's user_version; an older file is brought up to it."""

BUSY_S: Final = 60.0
"""How long a write waits for another process's."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS match (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, config TEXT NOT NULL, created REAL NOT NULL, machine TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS game (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES match(id),
    pair INTEGER NOT NULL, leg INTEGER NOT NULL, round INTEGER NOT NULL,
    black INTEGER NOT NULL, white INTEGER NOT NULL,
    black_points REAL NOT NULL, discs INTEGER, ending TEXT NOT NULL, loser TEXT, detail TEXT NOT NULL,
    start TEXT NOT NULL, moves TEXT NOT NULL, opening_plies INTEGER NOT NULL, repeats INTEGER REFERENCES game(id),
    black_s REAL NOT NULL, white_s REAL NOT NULL, black_moves INTEGER NOT NULL, white_moves INTEGER NOT NULL,
    played TEXT NOT NULL, identities TEXT NOT NULL, machine TEXT NOT NULL,
    began REAL NOT NULL, duration_s REAL NOT NULL, overhead_ms REAL NOT NULL,
    last_words TEXT NOT NULL DEFAULT '',
    UNIQUE (match, pair, leg)
);
CREATE INDEX IF NOT EXISTS game_moves ON game (match, moves);
"""


_UPGRADES: Final = {1: ("ALTER TABLE game ADD COLUMN last_words TEXT NOT NULL DEFAULT ''",)}
"""By the format that a file has: what brings it up to FORMAT."""


class StoreError(ArenaError):
    """A file that is no store, or not one of this version."""


class Store:
    """A store, open. A context manager; for one thread."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a file, or create it; raise StoreError where it is none of ours."""
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
        """Make the tables where the file is new."""
        self._write_ahead()
        # In WAL mode NORMAL risks the last games in a power failure, and never the file.
        self._db.execute("PRAGMA synchronous = NORMAL")
        if self._version() == FORMAT:
            return
        with self._writing():
            # Another arena may have made them meanwhile.
            version = self._version()
            if version not in (0, *_UPGRADES, FORMAT):
                raise StoreError(f"{path}: format {version}: this program knows formats 1 to {FORMAT}")
            if version == 0:
                (tables,) = self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
                if tables:
                    raise StoreError(f"{path}: a database of something else")
                for statement in (*filter(str.strip, _TABLES.split(";")), *claims.TABLES):
                    self._db.execute(statement)
            else:
                for statement in _UPGRADES.get(version, ()):
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _write_ahead(self) -> None:
        """Switch to WAL mode. Two that switch a new file at once lock each other out, and SQLite does not wait."""
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
        if self._claims.entered:
            with self._writing():
                self._claims.give_up()
        self._db.close()

    # -- matches ------------------------------------------------------------------------------------------------------

    def open_match(self, config: MatchConfig, machine: str) -> StoredMatch:
        """Return the match of a configuration, which is the stored one where it was begun before."""
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO match (key, config, created, machine) VALUES (?, ?, ?, ?)",
                (config.key, json.dumps(as_json(config)), time.time(), machine),
            )
        return next(match for match in self.matches() if match.key == config.key)

    def matches(self) -> list[StoredMatch]:
        """Return all matches, oldest first."""
        rows = self._db.execute("SELECT id, key, config, created, machine FROM match ORDER BY id")
        return [StoredMatch(id, key, json.loads(config), *rest) for id, key, config, *rest in rows]

    # -- games --------------------------------------------------------------------------------------------------------

    def add(self, match: int, report: GameReport) -> bool:
        """Write a game; return false where the store has it already, from whomever."""
        task = report.task
        key = (match, task.pair, task.leg)
        moves = format_transcript(report.moves)
        start = report.opening.start.to_string()
        used = [[move.used_s for move in report.played if move.color is color] for color in Color]
        with self._writing():
            if self._has(*key):
                return False
            repeats = self._db.execute(
                "SELECT MIN(id) FROM game WHERE match = ? AND moves = ? AND start = ? AND black = ? AND white = ?",
                (match, moves, start, task.black, task.white),
            ).fetchone()[0]
            values = {
                "match": match,
                "pair": task.pair,
                "leg": task.leg,
                "round": task.round,
                "black": task.black,
                "white": task.white,
                "black_points": report.black_points,
                "discs": report.discs,
                "ending": report.ending.value,
                "loser": None if report.loser is None else report.loser.letter,
                "detail": report.detail,
                "start": start,
                "moves": moves,
                "opening_plies": len(report.opening.moves),
                "repeats": repeats,
                "black_s": sum(used[0]),
                "white_s": sum(used[1]),
                "black_moves": len(used[0]),
                "white_moves": len(used[1]),
                "played": json.dumps([packed(move) for move in report.played], separators=(",", ":")),
                "identities": json.dumps(report.identities),
                "machine": report.machine,
                "began": report.began,
                "duration_s": report.duration_s,
                "overhead_ms": report.overhead_ms,
                "last_words": "\n".join(report.last_words),
            }
            places = ", ".join(f":{name}" for name in values)
            self._db.execute(f"INSERT INTO game ({', '.join(values)}) VALUES ({places})", values)
            self._claims.drop(key)
        return True

    def results(self, match: int, after: int = 0) -> Iterator[Result]:
        """Yield the games of a match that came after the one with id `after`, in the order of their writing."""
        which = "WHERE match = ? AND id > ? ORDER BY id"
        rows = self._db.execute(f"SELECT {RESULT_COLUMNS} FROM game {which}", (match, after))
        for row in rows:
            yield result_of(row)

    def games(self, match: int) -> Iterator[StoredGame]:
        """Yield the whole games of a match in the order of its schedule."""
        columns = "last_words, start, moves, opening_plies, played, identities, machine, began, duration_s"
        rows = self._db.execute(
            f"SELECT {columns}, {RESULT_COLUMNS} FROM game WHERE match = ? ORDER BY pair, leg", (match,)
        )
        for words, start, moves, plies, played, identities, *rest in rows:
            machine, began, duration_s, *row = rest
            notes = tuple(unpacked(move) for move in json.loads(played))
            names = json.loads(identities)
            lines = tuple(words.splitlines())
            yield StoredGame(
                result_of(row), lines, start, moves, plies, notes, (names[0], names[1]), machine, began, duration_s
            )

    def identities(self, match: int) -> dict[int, list[str]]:
        """Return what the engine of each slot said its name and version were: more than one where that changed."""
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
        """Have SQLite check the whole file."""
        return [row[0] for row in self._db.execute("PRAGMA integrity_check")] == ["ok"]

    # -- claims -------------------------------------------------------------------------------------------------------

    def has(self, match: int, task: GameTask) -> bool:
        """Whether a game has been played."""
        return self._has(match, task.pair, task.leg)

    def claim(self, match: int, task: GameTask) -> bool:
        """Claim a game for this process; false where it has been played or a living arena has claimed it."""
        key = (match, task.pair, task.leg)
        with self._writing():
            return not self._has(*key) and self._claims.take(key)

    def show_life(self) -> None:
        """Keep this process's claims valid; to be called often, does little."""
        if self._claims.beat_is_due:
            with self._writing():
                self._claims.beat()

    def _has(self, match: int, pair: int, leg: int) -> bool:
        found = self._db.execute("SELECT 1 FROM game WHERE match = ? AND pair = ? AND leg = ?", (match, pair, leg))
        return found.fetchone() is not None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction that has the right to write from its beginning, so that what it reads stays true."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")
