"""Where tasks run: in this process, on all cores of this machine, or on a Dask cluster."""

from __future__ import annotations

from othello_bot.cluster.local import MOST_DEATHS, Bench, LocalPool, MissingLibrary, TaskError
from othello_bot.cluster.workers import Arguments, ClusterPool, Workers, split

__all__ = [
    "MOST_DEATHS",
    "Arguments",
    "Bench",
    "ClusterPool",
    "LocalPool",
    "MissingLibrary",
    "TaskError",
    "Workers",
    "split",
]
