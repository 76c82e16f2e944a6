"""Where tasks run: in this process, on all cores of this machine, or on a Dask cluster."""

from __future__ import annotations

from othello_bot.cluster.local import MOST_DEATHS, JobHandler, LocalPool, TaskError
from othello_bot.cluster.workers import Arguments, ClusterPool, Workers, split

__all__ = [
    "MOST_DEATHS",
    "Arguments",
    "ClusterPool",
    "JobHandler",
    "LocalPool",
    "TaskError",
    "Workers",
    "split",
]
