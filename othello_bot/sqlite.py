"""SQLite, in whose databases growing books, matches and reviews are kept, or a substitute where Python lacks it.

Python can be built without SQLite, as on small systems. What needs no database works there as well; `connect` of the
substitute raises its `Error`, which says what is missing.
"""

from __future__ import annotations

from types import ModuleType

try:
    import sqlite3
except ImportError as error:
    reason = f"this Python has no SQLite: {error}"

    class _Error(Exception):
        """What SQLite raises, and its subclasses."""

    def _connect(*_: object, **__: object) -> None:
        """Raise _Error: nothing can be opened."""
        raise _Error(reason)

    sqlite3 = ModuleType("sqlite3")
    vars(sqlite3).update(connect=_connect, Error=_Error, DatabaseError=_Error, OperationalError=_Error)
    vars(sqlite3).update(sqlite_version="missing")

__all__ = ["sqlite3"]
