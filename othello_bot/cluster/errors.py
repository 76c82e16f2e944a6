"""The errors of running tasks."""

from __future__ import annotations

from othello_bot.base.version import install_command


class TaskError(RuntimeError):
    """Tasks cannot be run: no cluster, no library for it, or a worker process that was killed."""


class MissingLibrary(TaskError):
    """The libraries for a cluster are not installed."""

    def __init__(self) -> None:
        super().__init__(f"--cluster needs dask and distributed; install them with: {install_command('arena')}")
