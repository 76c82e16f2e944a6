"""The connection to a Dask cluster, and the errors of running tasks."""

from __future__ import annotations

from typing import Any, Final

CONNECT_S: Final = 30.0
"""Seconds that a scheduler has to answer."""


class TaskError(RuntimeError):
    """Tasks cannot be run: no cluster, no library for it, or a worker process that was killed."""


class MissingLibrary(TaskError):
    """The libraries for a cluster are not installed."""


def connected(address: str) -> Any:
    """Return a Dask client of the scheduler at an address; raise MissingLibrary or TaskError."""
    try:
        import distributed
    except ImportError as error:
        raise MissingLibrary("--cluster needs dask and distributed: pip install 'othello-bot[arena]'") from error
    connect: Any = distributed.Client
    try:
        return connect(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise TaskError(f"no Dask scheduler at {address}: {error}") from error
