"""Tasks by their arguments: in this process, on a pool of local processes or on a Dask cluster, behind one interface.

A task is a module-level function of picklable arguments without side effects. The caller writes the results, so a
cluster needs no shared folder, and a killed run leaves nothing half-written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from othello_bot.cluster.local import LocalPool
from othello_bot.cluster.remote import ClusterPool

Result = TypeVar("Result")
Arguments = tuple[Any, ...]

_Call = tuple[Callable[..., Any], Arguments]


class _Caller:
    """The bench of a worker that calls functions: it keeps nothing."""

    def work(self, call: _Call, /) -> Any:
        """Call a function."""
        return _called(call)

    def close(self) -> None:
        """Do nothing."""


class Workers:
    """Runs tasks on `processes` local processes (default: one a core), or on the Dask scheduler at `cluster`.

    With one process, tasks run in this process. As a context manager: leaving ends the processes at once. Raise
    MissingLibrary or TaskError if the cluster cannot be reached.
    """

    def __init__(self, processes: int | None = None, cluster: str | None = None) -> None:
        self.processes = processes or os.cpu_count() or 1
        self._pool: LocalPool[_Call, Any] | ClusterPool[_Call, Any] | None = None
        if cluster is not None:
            self._pool = ClusterPool(cluster, _called)
        elif self.processes > 1:
            self._pool = LocalPool(self.processes, _Caller, _described)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._pool is not None:
            self._pool.close()

    def each(self, task: Callable[..., Result], arguments: Iterable[Arguments]) -> Iterator[tuple[Arguments, Result]]:
        """Run `task` with each tuple of arguments; yield (arguments, result) in the order in which they end.

        Only a few tasks are handed out in advance, so arguments may be generated lazily. Raise the first error of a
        task, TaskError if the processes of one keep dying.
        """
        if self._pool is not None:
            return self._each_in_pool(self._pool, task, arguments)
        return ((these, task(*these)) for these in arguments)

    def _each_in_pool(
        self,
        pool: LocalPool[_Call, Any] | ClusterPool[_Call, Any],
        task: Callable[..., Result],
        arguments: Iterable[Arguments],
    ) -> Iterator[tuple[Arguments, Result]]:
        running = 0
        coming = iter(arguments)
        while True:
            while running < pool.capacity and (these := next(coming, None)) is not None:
                pool.start((task, these))
                running += 1
            if not running:
                return
            for (_, these), result in pool.wait():
                running -= 1
                yield these, result


def _called(call: _Call) -> Any:
    task, arguments = call
    return task(*arguments)


def _described(call: _Call) -> str:
    return f"in the task {getattr(call[0], '__name__', 'without a name')}"
