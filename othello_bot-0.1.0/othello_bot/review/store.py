"""The store of reviews: one SQLite file that keeps every finished review, and the list of the games of this run.

The key of a review is what it depends on: the game, the level, the evaluation and the policy. So the same game in
two files is reviewed once, and a run that was killed goes on where it was.

A review is kept as bytes, which processes exchange as well: it is small, and the game itself is kept beside it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from othello_bot import policy
from othello_bot.base.descriptors import refuse_for_database
from othello_bot.base.errors import InputError
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import format_transcript
from othello_bot.base.sqlite import sqlite3, transaction
from othello_bot.evaluation import weights
from othello_bot.review.game_review import DEFAULT_LEVEL, GameReview
from othello_bot.review.judgement import Chances, JudgedMove
from othello_bot.rules import Game, Position, parse_moves

FORMAT: Final = 2
"""Version of the table below and of the searches behind it; it is part of every key."""

STORE_NAME: Final = "reviews.db"
"""The store in the cache folder."""

BUSY_S: Final = 60.0
"""Seconds that a write waits for the write of another process."""

_APPLICATION: Final = 0x4F426F74
"""SQLite's application_id of a store of reviews."""

_REVIEWS: Final = "CREATE TABLE IF NOT EXISTS review (key BLOB PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID"
_GAMES: Final = (
    "CREATE TEMP TABLE game (number INTEGER PRIMARY KEY, key BLOB NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL,"
    " heading TEXT NOT NULL)"
)


@dataclass(frozen=True, slots=True)
class Heading:
    """Where a game stands and who played it; an empty text or None stands for unknown."""

    file: str
    place: str
    black: str = ""
    white: str = ""
    event: str = ""
    date: str = ""
    result: float | None = None


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game of this run: its start as text, its moves with passes, and its heading."""

    key: bytes
    start: str
    moves: str
    heading: Heading


class ReviewStore:
    """A store, open, for reviews of one level. A context manager; for one thread.

    Raise InputError for a file that is something else, sqlite3.Error or OSError if it cannot be opened.
    """

    def __init__(self, path: Path, level: int) -> None:
        refuse_for_database(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._salt = f"{FORMAT} {weights.name()} {policy.name()} {level}"
        self._connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        try:
            self._open(path)
        except BaseException:
            self._connection.close()
            raise

    def _open(self, path: Path) -> None:
        expected = "a store of reviews, or the name of a new file"
        try:
            (application,) = self._connection.execute("PRAGMA application_id").fetchone()
            tables = self._connection.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.OperationalError:
            raise  # a full disk or a lock says nothing about what the file is
        except sqlite3.DatabaseError as error:
            raise InputError("store", str(path), f"{expected} ({error})") from error
        if application != _APPLICATION and tables:
            raise InputError("store", str(path), expected)
        # The log survives a killed process; a review that a power cut loses is made again.
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", _REVIEWS, _GAMES):
            self._connection.execute(statement)
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")

    def __enter__(self) -> ReviewStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()

    # -- the games of this run ----------------------------------------------------------------------------------------

    def list_games(self, games: Iterable[tuple[str, str, Heading]]) -> None:
        """Add games to this run, as (start, moves, heading), in their order."""
        self._connection.executemany(
            "INSERT INTO game (key, start, moves, heading) VALUES (?, ?, ?, ?)",
            (
                (self._key(start, moves), start, moves, json.dumps([getattr(heading, name) for name in _FIELDS]))
                for start, moves, heading in games
            ),
        )

    def _key(self, start: str, moves: str) -> bytes:
        return hashlib.sha256(f"{self._salt} {start} {moves}".encode()).digest()[:16]

    def counts(self) -> tuple[int, int]:
        """Return how many different games this run has, and how many of them are reviewed."""
        (games,) = self._connection.execute("SELECT COUNT(DISTINCT key) FROM game").fetchone()
        done = "SELECT COUNT(DISTINCT key) FROM game JOIN review USING (key)"
        return games, self._connection.execute(done).fetchone()[0]

    def missing(self) -> Iterator[tuple[bytes, str, str]]:
        """Yield (key, start, moves) of each game without a review, once; reviews may be added meanwhile."""
        after = 0
        while True:
            rows = self._connection.execute(
                "SELECT MIN(number), key, start, moves FROM game WHERE key NOT IN (SELECT key FROM review)"
                " GROUP BY key HAVING MIN(number) > ? ORDER BY MIN(number) LIMIT 1000",
                (after,),
            ).fetchall()
            if not rows:
                return
            for number, key, start, moves in rows:
                after = number
                yield key, start, moves

    def reviewed(self) -> Iterator[tuple[ListedGame, bytes]]:
        """Yield the games of this run that have a review, in their order, each with it."""
        rows = self._connection.execute(
            "SELECT key, start, moves, heading, content FROM game JOIN review USING (key) ORDER BY number"
        )
        for key, start, moves, heading, content in rows:
            yield ListedGame(key, start, moves, Heading(*json.loads(heading))), zlib.decompress(content)

    # -- reviews ------------------------------------------------------------------------------------------------------

    def add(self, reviews: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep reviews, as (key, content), all or none."""
        rows = [(key, zlib.compress(content)) for key, content in reviews]
        with transaction(self._connection, self._connection.execute):
            self._connection.executemany("INSERT OR REPLACE INTO review VALUES (?, ?)", rows)


_FIELDS: Final = ("file", "place", "black", "white", "event", "date", "result")


def game_from(start: str, moves: str) -> Game:
    """Return a game from its start as text and its moves with passes."""
    game = Game(Position.parse(start))
    game.play_transcript(moves)
    return game


def to_bytes(review: GameReview) -> bytes:
    """Return the bytes of a complete review."""
    moves = [
        [
            move.loss,
            _fields(move.played),
            None if move.best is move.played else _fields(move.best),
            None if move.chances is None else _numbers(move.chances),
        ]
        for move in review.moves
    ]
    return json.dumps({"level": review.level, "moves": moves}, separators=(",", ":")).encode()


def from_bytes(game: Game, content: bytes) -> GameReview:
    """Return the review of a game from its bytes."""
    stored = json.loads(content)
    moves = []
    for index, (loss, played, best, numbers) in enumerate(stored["moves"]):
        line = _line(played)
        better = line if best is None else _line(best)
        chances = None if numbers is None else _chances(*numbers)
        moves.append(JudgedMove(index + 1, game.position_at(index).color, line, better, loss, chances))
    return GameReview(game, stored["level"], tuple(moves))


def _numbers(chances: Chances) -> list[Any]:
    """Return what to keep: whether the move is the only one, and the logarithms in hundredths, once if they agree."""
    both = [chances.played] if chances.best == chances.played else [chances.played, chances.best]
    return [int(chances.only), [[round(100 * value) for value in values] for values in both]]


def _chances(only: int, hundredths: list[list[int]]) -> Chances:
    values = [tuple(value / 100 for value in one) for one in hundredths]
    return Chances(values[0], values[-1], bool(only))


def _fields(line: EvaluatedMove) -> list[Any]:
    return [line.score, line.depth, line.selectivity, int(line.exact), format_transcript(line.pv, passes=True)]


def _line(fields: list[Any]) -> EvaluatedMove:
    score, depth, selectivity, exact, transcript = fields
    pv = parse_moves(transcript)
    return EvaluatedMove(pv[0], score, tuple(pv), depth, selectivity, bool(exact))


def stored_reviews(path: Path, games: Sequence[Game], level: int | None = None) -> list[GameReview | None]:
    """Return what a store has of each game, None where it has no review at the level; None is the default level.

    Raise what ReviewStore raises.
    """
    found: dict[str, GameReview] = {}
    with ReviewStore(path, DEFAULT_LEVEL if level is None else level) as store:
        store.list_games(
            (game.start.to_string(), game.transcript(passes=True), Heading(str(path), str(number)))
            for number, game in enumerate(games)
        )
        for listed, content in store.reviewed():
            found[listed.heading.place] = from_bytes(games[int(listed.heading.place)], content)
    return [found.get(str(number)) for number in range(len(games))]
