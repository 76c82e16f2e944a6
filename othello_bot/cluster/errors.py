"""The errors of running tasks."""

from __future__ import annotations


class TaskError(RuntimeError):
    """Tasks cannot be run: no cluster, no library for it, or a worker process that was killed."""


class MissingLibrary(TaskError):
    """The libraries for a cluster are not installed."""
