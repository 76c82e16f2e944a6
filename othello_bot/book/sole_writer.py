"""The one writer of a growing book: who it is, and the lock that keeps the others out.

A writer holds the graph of the book in memory, so two of them would undo each other's scores. The lock is a transaction
that stays open on a small database beside the book. It needs no more of the system and of the file system than the book
itself, the system drops it when the process ends, however it ends, children do not inherit it, and others can read
meanwhile who holds it.
"""

from __future__ import annotations

import errno
import os
import platform
import time
from pathlib import Path
from typing import Final

from othello_bot.base.sqlite import sqlite3
from othello_bot.book.errors import BookError, BookHeld

ENDING: Final = "-writer"
"""What the name of a book's lock file adds to that of the book. The file stays when the lock is released: to delete
what another process may be opening is no release.
"""

WAIT_S: Final = 1.0
"""Seconds for which a writer waits for another one, which may be about to end."""

_TABLE: Final = "CREATE TABLE IF NOT EXISTS writer (who)"


class SoleWriter:
    """The right to write a book, until it is closed.

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
