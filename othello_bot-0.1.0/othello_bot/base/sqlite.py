"""SQLite, in whose databases growing books, matches and reviews are kept, or a substitute where Python lacks it.

Python can be built without SQLite, as on small systems. Everything that needs no database still works there; `connect` of
the substitute raises its `Error`, which says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

try:
    import sqlite3
except ImportError as error:
    missing = f"this Python has no SQLite: {error}"

    class _Error(Exception):
        """What SQLite raises, and its subclasses."""

    def _connect(*_: object, **__: object) -> None:
        """Raise _Error: nothing can be opened."""
        raise _Error(missing)

    sqlite3 = ModuleType("sqlite3")
    vars(sqlite3).update(connect=_connect, Error=_Error, DatabaseError=_Error, OperationalError=_Error)
    vars(sqlite3).update(sqlite_version="missing")

__all__ = ["reason", "sqlite3", "transaction"]

_REASONS: Final = (
    ("malformed", "the file is damaged"),
    ("disk is full", "the disk is full"),
    ("readonly", "the file or its folder cannot be written"),
    ("locked", "another program keeps it locked"),
    ("disk I/O error", "the system refuses to read or write it, because of its disk or a limit to the size of files"),
    ("unable to open", "it and its folder must be writable"),
)
"""Words in SQLite's messages, and what they mean. Error codes would need Python 3.11."""


def reason(error: Exception) -> str:
    """Return in words what an error of SQLite means for its file, and SQLite's own words."""
    told = str(error)
    meaning = next((meaning for words, meaning in _REASONS if words in told), "")
    return f"{meaning} ({told})" if meaning else told


@contextmanager
def transaction(database: sqlite3.Connection, run: Callable[[str], object]) -> Iterator[None]:
    """Make the changes of the block together, or none of them if it raises; nobody else writes meanwhile.

    `run` carries out a statement in the database, and raises errors as its owner wants them.
    """
    try:
        run("BEGIN IMMEDIATE")  # in here, because Ctrl-C may come when it has begun
        yield
        run("COMMIT")
    except BaseException:
        # SQLite may have ended it: where the disk is full, or with a commit that failed.
        if database.in_transaction:
            run("ROLLBACK")
        raise
