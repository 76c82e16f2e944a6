"""The store: a growing book as an SQLite database, with many readers, one writer, and nothing lost when it is killed.

Every change is a transaction, written ahead (WAL): a process that ends in the middle of one leaves the book as it was
before it. `Store` keeps what it is told; the scores that go up through the graph are the business of
`othello_bot.book_growing`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from othello_bot.book.entry import Entry, Key, Scored
from othello_bot.book.errors import BookError

APPLICATION_ID: Final = 0x4F42424B
"""SQLite's mark of our files: "OBBK"."""

VERSION: Final = 1

BUSY_MS: Final = 10_000
"""Milliseconds for which one writer waits for another."""

_SCHEMA: Final = """
CREATE TABLE positions (
    id INTEGER PRIMARY KEY, mover INTEGER NOT NULL, opponent INTEGER NOT NULL,
    score INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER NOT NULL, level INTEGER NOT NULL,
    won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL,
    leaf_move INTEGER, leaf_score INTEGER, leaf_depth INTEGER, leaf_selectivity INTEGER,
    UNIQUE (mover, opponent));
CREATE TABLE moves (
    position INTEGER NOT NULL, move INTEGER NOT NULL, score INTEGER NOT NULL, depth INTEGER NOT NULL,
    selectivity INTEGER NOT NULL, games INTEGER NOT NULL, PRIMARY KEY (position, move)) WITHOUT ROWID;
CREATE TABLE names (
    mover INTEGER NOT NULL, opponent INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (mover, opponent)) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

_POSITION: Final = (
    "score, lower, upper, level, won, drawn, lost, leaf_move, leaf_score, leaf_depth, leaf_selectivity"
)


class Store:
    """The book in a file, or in memory with the path `:memory:`. Use it as a context manager, or `close` it.

    A file that does not exist is created if `create` is true. Raise BookError for a file that is no book of this
    version, OSError if it cannot be opened. `writable` is false for a file that can only be read. One thread at a time.
    """

    def __init__(self, path: str, *, create: bool = False) -> None:
        self.path = path
        in_memory = path == ":memory:"
        exists = not in_memory and Path(path).exists()
        if not exists and not create and not in_memory:
            raise FileNotFoundError(2, "No such file or directory", path)
        try:
            self._database = sqlite3.connect(
                path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise OSError(5, str(error), path) from None
        try:
            self.writable = self._prepare(new=not exists or Path(path).stat().st_size == 0)
        except sqlite3.OperationalError as error:
            self._database.close()
            raise OSError(5, str(error), path) from None
        except (sqlite3.DatabaseError, BookError) as error:
            self._database.close()
            if isinstance(error, BookError):
                raise
            raise BookError("book file", path, f"a book of othello-bot ({error})") from None

    def _prepare(self, new: bool) -> bool:
        """Create the tables, or check what is there; return whether the book can be written."""
        run = self._database.execute
        if new:
            run("PRAGMA journal_mode = WAL")
            with self.transaction():
                # Another process may have been faster.
                if not run("PRAGMA user_version").fetchone()[0]:
                    for statement in _SCHEMA.split(";"):
                        run(statement)
                    run(f"PRAGMA application_id = {APPLICATION_ID}")
                    run(f"PRAGMA user_version = {VERSION}")
        mark, version = run("PRAGMA application_id").fetchone()[0], run("PRAGMA user_version").fetchone()[0]
        if mark != APPLICATION_ID:
            raise BookError("book file", self.path, "a book of othello-bot, not another program's database")
        if version != VERSION:
            raise BookError("version of the book", version, f"{VERSION}")
        run("PRAGMA synchronous = FULL")
        try:
            run("BEGIN IMMEDIATE")
            run("ROLLBACK")
        except sqlite3.OperationalError as error:
            return "locked" in str(error)
        return True

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the changes of the block together, or none of them if it raises. Raise OSError if they cannot be
        written.
        """
        run = self._database.execute
        try:
            run("BEGIN IMMEDIATE")
            try:
                yield
                run("COMMIT")
            except BaseException:
                # A failed commit may have ended the transaction.
                if self._database.in_transaction:
                    run("ROLLBACK")
                raise
        except sqlite3.OperationalError as error:
            raise OSError(5, str(error), self.path) from None

    @contextlib.contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Let all statements of the block see the book as it is at the first."""
        if self._database.in_transaction:
            yield
            return
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.execute("ROLLBACK")

    # -- reading ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of positions."""
        count: int = self._database.execute("SELECT count(*) FROM positions").fetchone()[0]
        return count

    def find(self, key: Key) -> Entry | None:
        """Return the entry of a position; None if the book does not have it. Raise BookError if it cannot be read."""
        run = self._database.execute
        try:
            with self._snapshot():
                row = run(
                    f"SELECT id, {_POSITION} FROM positions WHERE mover = ? AND opponent = ?", tuple(map(_signed, key))
                ).fetchone()
                if row is None:
                    return None
                moves = run(
                    "SELECT move, score, depth, selectivity, games FROM moves WHERE position = ? ORDER BY move", row[:1]
                ).fetchall()
        except sqlite3.DatabaseError as error:
            raise BookError("book file", self.path, f"a book that can be read ({error})") from None
        return _entry(row[1:], tuple(map(Scored._make, moves)))

    def entries(self) -> Iterator[tuple[Key, Entry]]:
        """Yield all positions with their entries, in the order of their keys, all as they are at the call.

        Raise BookError if they cannot be read.
        """
        moves: dict[int, list[Scored]] = {}
        try:
            with self._snapshot():
                for position, *scored in self._database.execute(
                    "SELECT position, move, score, depth, selectivity, games FROM moves ORDER BY position, move"
                ):
                    moves.setdefault(position, []).append(Scored._make(scored))
                rows = self._database.execute(f"SELECT id, mover, opponent, {_POSITION} FROM positions").fetchall()
        except sqlite3.DatabaseError as error:
            raise BookError("book file", self.path, f"a book that can be read ({error})") from None
        for row in sorted(rows, key=lambda row: (_unsigned(row[1]), _unsigned(row[2]))):
            yield (_unsigned(row[1]), _unsigned(row[2])), _entry(row[3:], tuple(moves.get(row[0], ())))

    def name(self, key: Key) -> str | None:
        """Return the name of a position; None without one."""
        row = self._database.execute(
            "SELECT name FROM names WHERE mover = ? AND opponent = ?", tuple(map(_signed, key))
        ).fetchone()
        return None if row is None else str(row[0])

    def names(self) -> dict[Key, str]:
        """Return the names of all named positions."""
        rows = self._database.execute("SELECT mover, opponent, name FROM names")
        return {(_unsigned(mover), _unsigned(opponent)): name for mover, opponent, name in rows}

    def fact(self, name: str) -> str | None:
        """Return what the book was told about itself under this name."""
        row = self._database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong with the file; nothing for a whole one."""
        try:
            found = [str(row[0]) for row in self._database.execute("PRAGMA integrity_check")]
        except sqlite3.DatabaseError as error:
            return [str(error)]
        return [] if found == ["ok"] else found

    # -- writing, within a transaction --------------------------------------------------------------------------------

    def put(self, key: Key, entry: Entry) -> None:
        """Write the entry of a position; an earlier one is replaced."""
        run = self._database.execute
        leaf = (None,) * 4 if entry.leaf is None else entry.leaf[:4]
        numbers = (entry.score, entry.lower, entry.upper, entry.level, entry.won, entry.drawn, entry.lost)
        where = tuple(map(_signed, key))
        row = run("SELECT id FROM positions WHERE mover = ? AND opponent = ?", where).fetchone()
        if row is None:
            values = (*where, *numbers, *leaf)
            marks = ", ".join("?" * len(values))
            identity = run(f"INSERT INTO positions (mover, opponent, {_POSITION}) VALUES ({marks})", values).lastrowid
        else:
            identity = row[0]
            columns = ", ".join(f"{column} = ?" for column in _POSITION.split(", "))
            run(f"UPDATE positions SET {columns} WHERE id = ?", (*numbers, *leaf, identity))
            run("DELETE FROM moves WHERE position = ?", (identity,))
        self._database.executemany(
            "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?)", [(identity, *scored) for scored in entry.moves]
        )

    def remove(self, key: Key) -> None:
        """Remove a position; unknown ones are ignored."""
        where = tuple(map(_signed, key))
        run = self._database.execute
        run("DELETE FROM moves WHERE position = (SELECT id FROM positions WHERE mover = ? AND opponent = ?)", where)
        run("DELETE FROM positions WHERE mover = ? AND opponent = ?", where)

    def put_name(self, key: Key, name: str) -> None:
        """Name a position."""
        self._database.execute("INSERT OR REPLACE INTO names VALUES (?, ?, ?)", (*map(_signed, key), name))

    def put_fact(self, name: str, value: str) -> None:
        """Keep something about the book itself."""
        self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


def _entry(row: tuple[int | None, ...], moves: tuple[Scored, ...]) -> Entry:
    score, lower, upper, level, won, drawn, lost = (number or 0 for number in row[:7])
    leaf = None if row[7] is None else Scored(row[7], row[8] or 0, row[9] or 0, row[10] or 0)
    return Entry(score, lower, upper, level, won, drawn, lost, moves, leaf)


def _signed(bits: int) -> int:
    """Return a bitboard as SQLite stores it: as a signed number of 64 bits."""
    return bits - (1 << 64) if bits >> 63 else bits


def _unsigned(number: int) -> int:
    return number & 0xFFFF_FFFF_FFFF_FFFF
