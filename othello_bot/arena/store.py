"""The store of matches: one SQLite file, to which every game is written in one transaction as it ends.

A game is unique by match, pair and leg, so whatever is reported twice (after a lost worker, by two arenas that play the
same match) counts once. Arenas claim a game before they play it; the claims of an arena that has died are void.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.config import MatchConfig, as_json
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.pairing import GameTask
from othello_bot.arena.reports import GameReport, MoveReport
from othello_bot.formats.transcript import format_moves
from othello_bot.position import Color

FORMAT: Final = 1
"""Version of the tables below, kept in the file as SQLite's user_version."""

BUSY_S: Final = 60.0
"""How long a write waits for another process's."""

BEAT_S: Final = 5.0
SILENT_S: Final = 60.0
"""An arena that has not shown itself for so long is dead, even on a machine where nobody can look."""

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
    UNIQUE (match, pair, leg)
);
CREATE INDEX IF NOT EXISTS game_moves ON game (match, moves);
CREATE TABLE IF NOT EXISTS arena (
    id INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, seen REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS claim (
    match INTEGER NOT NULL, pair INTEGER NOT NULL, leg INTEGER NOT NULL, arena INTEGER NOT NULL,
    PRIMARY KEY (match, pair, leg)
) WITHOUT ROWID;
"""


class StoreError(ArenaError):
    """A file that is no store, or not one of this version."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in a store."""

    id: int
    key: str
    config: dict[str, Any]
    created: float
    machine: str

    @property
    def names(self) -> tuple[str, ...]:
        """The engines by slot."""
        return tuple(engine["name"] for engine in self.config["engines"])


@dataclass(frozen=True, slots=True)
class Result:
    """What the statistics need of a stored game. `id` grows with every game; `repeats` is the game that it repeats."""

    id: int
    task: GameTask
    black_points: float
    discs: int | None
    ending: str
    loser: Color | None
    repeats: int | None
    seconds: tuple[float, float]
    moves: tuple[int, int]
    overhead_ms: float


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole stored game; `start` and `moves` as text (passes written), `identities` of Black and White."""

    result: Result
    detail: str
    start: str
    moves: str
    opening_plies: int
    played: tuple[MoveReport, ...]
    identities: tuple[str, str]
    machine: str
    began: float
    duration_s: float


class Store:
    """A store, open. A context manager; for one thread."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a file, or create it; raise StoreError where it is none of ours."""
        if not create and not path.is_file():
            raise StoreError(f"{path}: there is no such store")
        self._arena: int | None = None
        self._seen = 0.0
        try:
            self._db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"{path}: cannot be opened: {error}") from error
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
        self._db.execute("PRAGMA journal_mode = WAL")
        # In WAL mode NORMAL risks the last games in a power failure, and never the file.
        self._db.execute("PRAGMA synchronous = NORMAL")
        with self._writing():
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, FORMAT):
                raise StoreError(f"{path}: format {version}: this program writes format {FORMAT}")
            if version == 0:
                (tables,) = self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
                if tables:
                    raise StoreError(f"{path}: a database of something else")
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up all claims and close the file."""
        if self._arena is not None:
            with self._writing():
                self._db.execute("DELETE FROM claim WHERE arena = ?", (self._arena,))
                self._db.execute("DELETE FROM arena WHERE id = ?", (self._arena,))
            self._arena = None
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
        moves = format_moves(report.moves, passes=True)
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
                "played": json.dumps([_packed(move) for move in report.played], separators=(",", ":")),
                "identities": json.dumps(report.identities),
                "machine": report.machine,
                "began": report.began,
                "duration_s": report.duration_s,
                "overhead_ms": report.overhead_ms,
            }
            places = ", ".join(f":{name}" for name in values)
            self._db.execute(f"INSERT INTO game ({', '.join(values)}) VALUES ({places})", values)
            self._db.execute("DELETE FROM claim WHERE match = ? AND pair = ? AND leg = ?", key)
        return True

    def results(self, match: int, after: int = 0) -> Iterator[Result]:
        """Yield the games of a match that came after the one with id `after`, in the order of their writing."""
        rows = self._db.execute(f"SELECT {_RESULT} FROM game WHERE match = ? AND id > ? ORDER BY id", (match, after))
        for row in rows:
            yield _result(row)

    def games(self, match: int) -> Iterator[StoredGame]:
        """Yield the whole games of a match in the order of its schedule."""
        columns = "detail, start, moves, opening_plies, played, identities, machine, began, duration_s"
        rows = self._db.execute(
            f"SELECT {columns}, {_RESULT} FROM game WHERE match = ? ORDER BY pair, leg", (match,)
        )
        for detail, start, moves, plies, played, identities, *rest in rows:
            machine, began, duration_s, *row = rest
            notes = tuple(_unpacked(move) for move in json.loads(played))
            names = json.loads(identities)
            yield StoredGame(
                _result(row), detail, start, moves, plies, notes, (names[0], names[1]), machine, began, duration_s
            )

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
            if self._has(*key):
                return False
            holder = self._db.execute(
                "SELECT arena.id, host, pid, seen FROM claim LEFT JOIN arena ON arena.id = claim.arena"
                " WHERE match = ? AND pair = ? AND leg = ?",
                key,
            ).fetchone()
            if holder is not None and holder[0] not in (None, self._arena) and _lives(*holder[1:]):
                return False
            if self._arena is None:
                self._arena = self._register()
            self._db.execute("INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?)", (*key, self._arena))
        return True

    def show_life(self) -> None:
        """Keep this process's claims valid; to be called often, does little."""
        if self._arena is not None and time.time() - self._seen > BEAT_S:
            self._seen = time.time()
            with self._writing():
                self._db.execute("UPDATE arena SET seen = ? WHERE id = ?", (self._seen, self._arena))

    def _register(self) -> int:
        """Enter this process among the arenas, and forget those that are no more."""
        for id, *rest in self._db.execute("SELECT id, host, pid, seen FROM arena").fetchall():
            if not _lives(*rest):
                self._db.execute("DELETE FROM claim WHERE arena = ?", (id,))
                self._db.execute("DELETE FROM arena WHERE id = ?", (id,))
        self._seen = time.time()
        cursor = self._db.execute(
            "INSERT INTO arena (host, pid, seen) VALUES (?, ?, ?)", (platform.node(), os.getpid(), self._seen)
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

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


_RESULT: Final = (
    "id, pair, leg, round, black, white, black_points, discs, ending, loser, repeats,"
    " black_s, white_s, black_moves, white_moves, overhead_ms"
)


def _result(row: Any) -> Result:
    id, pair, leg, round_, black, white, points, discs, ending, loser, repeats, *sums = row
    black_s, white_s, black_moves, white_moves, overhead_ms = sums
    lost = None if loser is None else Color.BLACK if loser == "b" else Color.WHITE
    task = GameTask(pair, leg, round_, black, white)
    return Result(
        id,
        task,
        points,
        discs,
        ending,
        lost,
        repeats,
        (black_s, white_s),
        (black_moves, white_moves),
        overhead_ms,
    )


def _packed(move: MoveReport) -> list[object]:
    """Return a move's report as a short JSON list; times to the microsecond."""
    left_s = None if move.left_s is None else round(move.left_s, 6)
    return [move.ply, int(move.color), round(move.used_s, 6), left_s, move.score, move.depth, move.nodes]


def _unpacked(values: list[Any]) -> MoveReport:
    ply, color, used_s, left_s, score, depth, nodes = values
    return MoveReport(ply, Color(color), used_s, left_s, score, depth, nodes)


def _lives(host: str, pid: int, seen: float) -> bool:
    """Whether an arena still plays: it was seen lately and, where this is its machine, its process exists."""
    if time.time() - seen > SILENT_S:
        return False
    if host != platform.node():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
