"""The store: a growing book as an SQLite database, with many readers, one writer, and nothing lost when it is killed.

Every change is a transaction, written ahead (WAL): a process that ends in the middle of one leaves the book as it was
before it. `Store` only keeps entries; `othello_bot.book_growing` updates the scores through the graph.
"""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import textwrap
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from othello_bot.base.descriptors import refuse_for_database
from othello_bot.base.forks import mend_after_forks
from othello_bot.base.notation import PASS
from othello_bot.base.sqlite import sqlite3, transaction
from othello_bot.book.entry import HIGHEST, LOWEST, PROVEN, BookError, BookHeld, Entry, Key, Scored

ENDING: Final = "-writer"
"""What the name of a book's lock file adds to that of the book. The file stays when the lock is released, because
another process may be opening it.
"""

WAIT_S: Final = 1.0
"""Seconds for which a writer waits for another one, which may be about to end."""

_TABLE: Final = "CREATE TABLE IF NOT EXISTS writer (who)"


class SoleWriter:
    """The right to write a book, until it is closed.

    A writer holds the graph of the book in memory, so two of them would overwrite each other's scores. The lock is a
    transaction that stays open on a small database beside the book: it works wherever the book itself can be written,
    the system releases it however the process ends, children do not inherit it, and others can read who holds it.

    `doing` names the writer in messages. Raise BookHeld if another writer has the right, BookError if the lock file is
    damaged, OSError if it cannot be written.
    """

    def __init__(self, path: str, doing: str) -> None:
        self._lock = Path(os.path.realpath(path) + ENDING)
        since = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
        me = f"{doing} (process {os.getpid()} on {platform.node() or 'this machine'}, since {since})"
        try:
            self._database = sqlite3.connect(self._lock, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(self._lock)) from None
        try:
            self._take(path, me)
        except BaseException as error:
            self._database.close()
            if isinstance(error, sqlite3.OperationalError):
                raise OSError(errno.EIO, str(error), str(self._lock)) from None
            if isinstance(error, sqlite3.DatabaseError):
                expected = "a lock file of a book; remove it if no process writes that book"
                raise BookError("lock file", self._lock.name, f"{expected} ({error})") from None
            raise

    def close(self) -> None:
        """Let others write."""
        self._database.close()

    def _take(self, path: str, me: str) -> None:
        """Leave the name in the file, and then a transaction open.

        Others can read only what is committed. A process that came in between has left another name.
        """
        run = self._database.execute
        while True:
            try:
                run("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not is_busy(error):
                    raise
                raise BookHeld(path, self._holder()) from None
            run(_TABLE)
            if run("SELECT who FROM writer").fetchall() == [(me,)]:
                return
            run("DELETE FROM writer")
            run("INSERT INTO writer VALUES (?)", (me,))
            run("COMMIT")

    def _holder(self) -> str:
        """Return the name of the writer that has the right, as it has left it."""
        try:
            row = self._database.execute("SELECT who FROM writer").fetchone()
        except sqlite3.OperationalError:
            row = None
        return row[0] if row is not None and isinstance(row[0], str) else "another process"


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether a statement failed because another process uses the database."""
    return "locked" in str(error)


APPLICATION_ID: Final = 0x4F42424B
"""SQLite's mark of our files: "OBBK"."""

VERSION: Final = 1

BUSY_MS: Final = 10_000
"""Milliseconds for which one writer waits for another."""

LONGEST_REASON: Final = 160
"""Most characters of a message of SQLite that are shown."""

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
"""

_POSITION: Final = "score, lower, upper, level, won, drawn, lost, leaf_move, leaf_score, leaf_depth, leaf_selectivity"

_UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError)
"""What a damaged file raises: SQLite quotes its schema in messages, whatever bytes are in it, and believes the lengths
of its rows.
"""

_LARGEST: Final = (1 << 63) - 1
_ANY_BOARD: Final = ((-_LARGEST - 1, _LARGEST),) * 2
_SCORE: Final = (LOWEST, HIGHEST)
_COUNT: Final = (0, _LARGEST)
_BYTE: Final = (0, 255)
_NUMBERS: Final = (_SCORE, _SCORE, _SCORE, _BYTE, _COUNT, _COUNT, _COUNT)
_MOVE: Final = ((0, PASS), _SCORE, _BYTE, (0, PROVEN), _COUNT)
"""The least and the greatest value of each column that holds a number."""


_DURABLE: Final = "PRAGMA synchronous = FULL"

_of_parents: Final[list[object]] = []
"""Connections of parent processes: kept, because SQLite would close them."""


class Store:
    """The book in a file, or in memory with the path `:memory:`. Use it as a context manager, or `close` it.

    A file that does not exist is created if `create` is true. Raise BookError for a file that is not a book of this
    version, OSError if it cannot be opened. `writable` is false for a file that can only be read. One thread at a time.
    A forked process opens the file anew, and may read, and write once its parent has ended writing.
    """

    def __init__(self, path: str, *, create: bool = False) -> None:
        refuse_for_database(path)
        self.path = path
        self._writer: SoleWriter | None = None
        in_memory = path == ":memory:"
        exists = not in_memory and Path(path).exists()
        if not exists and not create and not in_memory:
            raise FileNotFoundError(2, "No such file or directory", path)
        self._connection: sqlite3.Connection | None = self._connected()
        mend_after_forks(self)
        try:
            self.writable = self._prepare(new=not exists or Path(path).stat().st_size == 0)
        except sqlite3.OperationalError as error:
            self._database.close()
            raise OSError(errno.EIO, _reason(error), path) from None
        except (BookError, BookHeld):
            self._database.close()
            raise
        except _UNREADABLE as error:
            self._database.close()
            raise BookError("book file", path, f"a book of othello-bot ({_reason(error)})") from None

    @property
    def _database(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._connected()
            self._connection.execute(_DURABLE)
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        """Return a connection to the file; raise OSError if it cannot be opened."""
        try:
            return sqlite3.connect(self.path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, _reason(error), self.path) from None

    def after_fork(self) -> None:
        """Leave the connection, which SQLite forbids to use or to close in a child, and the right to write, to the parent.

        A book in memory has no other connection; the child's is a copy.
        """
        if self.path != ":memory:" and self._connection is not None:
            _of_parents.extend((self._connection, self._writer))
            self._connection = self._writer = None

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
        run(_DURABLE)
        try:
            run("BEGIN IMMEDIATE")
            run("ROLLBACK")
        except sqlite3.OperationalError as error:
            return is_busy(error)
        return True

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._let_others_write()
        if self._connection is not None:
            self._connection.close()

    @contextlib.contextmanager
    def writing(self, doing: str) -> Iterator[None]:
        """Keep all other writers out of the book until the end of the block, from what it reads to what it writes.

        `doing` names the writer for the others. Raise BookHeld if there is another writer, OSError or BookError if the lock
        file beside the book cannot be used. A block within a block, or a book in memory, needs no lock of its own.
        """
        if self._writer is not None or self.path == ":memory:":
            yield
            return
        self._writer = SoleWriter(self.path, doing)
        try:
            yield
        finally:
            self._let_others_write()

    def _let_others_write(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the changes of the block together, or none of them if it raises. Raise what `writing` raises, OSError if
        they cannot be written, BookError if the file is damaged.
        """
        with self.writing("a change of the book"), self._change():
            yield

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        try:
            with transaction(self._database, self._database.execute):
                yield
        except sqlite3.OperationalError as error:
            raise OSError(errno.EIO, _reason(error), self.path) from None
        except _UNREADABLE as error:
            raise self._unreadable(error) from None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Let all statements of the block see the book as it is at the first; raise BookError if one fails."""
        try:
            if self._database.in_transaction:
                yield
                return
            try:
                self._database.execute("BEGIN")
                yield
            finally:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
        except _UNREADABLE as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: Exception) -> BookError:
        return BookError("book file", self.path, f"a book that can be read ({_reason(error)})")

    # -- reading: each method raises BookError for what cannot be read ------------------------------------------------

    def __len__(self) -> int:
        with self._reading():
            count: int = self._database.execute("SELECT count(*) FROM positions").fetchone()[0]
        return count

    def find(self, key: Key) -> Entry | None:
        """Return the entry of a position; None if the book does not have it."""
        run = self._database.execute
        with self._reading():
            row = run(
                f"SELECT id, {_POSITION} FROM positions WHERE mover = ? AND opponent = ?", tuple(map(_signed, key))
            ).fetchone()
            if row is None:
                return None
            moves = run(
                "SELECT move, score, depth, selectivity, games FROM moves WHERE position = ? ORDER BY move", row[:1]
            ).fetchall()
        return _entry(row[1:], moves)

    def entries(self) -> Iterator[tuple[Key, Entry]]:
        """Yield all positions with their entries, in the order of their keys, all as they are at the call."""
        moves: dict[int, list[tuple[int, ...]]] = {}
        with self._reading():
            for position, *scored in self._database.execute(
                "SELECT position, move, score, depth, selectivity, games FROM moves ORDER BY position, move"
            ):
                moves.setdefault(position, []).append(tuple(scored))
            rows = self._database.execute(f"SELECT id, mover, opponent, {_POSITION} FROM positions").fetchall()
        for row in rows:
            _check_numbers("position of the book", row[1:3], _ANY_BOARD)
        for row in sorted(rows, key=lambda row: (_unsigned(row[1]), _unsigned(row[2]))):
            yield (_unsigned(row[1]), _unsigned(row[2])), _entry(row[3:], moves.get(row[0], []))

    def name(self, key: Key) -> str | None:
        """Return the name of a position; None without one."""
        with self._reading():
            row = self._database.execute(
                "SELECT name FROM names WHERE mover = ? AND opponent = ?", tuple(map(_signed, key))
            ).fetchone()
        return None if row is None else _text(row[0])

    def names(self) -> dict[Key, str]:
        """Return the names of all named positions."""
        with self._reading():
            rows = self._database.execute("SELECT mover, opponent, name FROM names").fetchall()
        for row in rows:
            _check_numbers("named position of the book", row[:2], _ANY_BOARD)
        return {(_unsigned(mover), _unsigned(opponent)): _text(name) for mover, opponent, name in rows}

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong with the file; nothing for a whole one."""
        try:
            found = [str(row[0]) for row in self._database.execute("PRAGMA integrity_check")]
        except _UNREADABLE as error:
            return [_reason(error)]
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


def _entry(row: tuple[int | None, ...], moves: list[tuple[int, ...]]) -> Entry:
    """Return the entry of a position's row and the rows of its moves; raise BookError for numbers that it cannot have."""
    _check_numbers("position of the book", row[:7], _NUMBERS)
    score, lower, upper, level, won, drawn, lost = (number or 0 for number in row[:7])
    for move in moves:
        _check_numbers("move of the book", move, _MOVE)
    leaf = None
    if any(number is not None for number in row[7:]):
        _check_numbers("leaf of the book", row[7:], _MOVE)
        leaf = Scored(*(number or 0 for number in row[7:]))
    return Entry(score, lower, upper, level, won, drawn, lost, tuple(map(Scored._make, moves)), leaf)


def _reason(error: Exception) -> str:
    """Return a short message in one line; SQLite quotes what it finds in the file."""
    return textwrap.shorten(str(error) or "not enough memory", LONGEST_REASON, placeholder="...")


def _check_numbers(what: str, numbers: Sequence[object], ranges: Sequence[tuple[int, int]]) -> None:
    """Raise BookError unless these are whole numbers within the ranges; SQLite stores anything in any column."""
    for number, (low, high) in zip(numbers, ranges, strict=False):
        if not (isinstance(number, int) and low <= number <= high):
            raise BookError(what, number, f"a number from {low} to {high}")


def _text(value: object) -> str:
    """Return a name; raise BookError for anything but text."""
    if not isinstance(value, str):
        raise BookError("text of the book", value, "text")
    return value


def _signed(bits: int) -> int:
    """Return a bitboard as SQLite stores it: as a signed number of 64 bits."""
    return bits - (1 << 64) if bits >> 63 else bits


def _unsigned(number: int) -> int:
    return number & 0xFFFF_FFFF_FFFF_FFFF
