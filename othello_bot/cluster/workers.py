"""Tasks by their arguments: in this process, on a pool of local processes or on a Dask cluster, behind one interface.

A task is a module-level function of picklable arguments without side effects. The caller writes the results, so a
cluster needs no shared folder, and a killed run leaves nothing half-written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from othello_bot.cluster.connection import connected
from othello_bot.cluster.local import LocalPool

Result = TypeVar("Result")
Arguments = tuple[Any, ...]

_Call = tuple[Callable[..., Any], Arguments]


class _Caller:
    """The bench of a worker that calls functions: it keeps nothing."""

    def work(self, call: _Call, /) -> Any:
        """Call a function."""
        task, arguments = call
        return task(*arguments)

    def close(self) -> None:
        """Do nothing."""


class Workers:
    """Runs tasks on `processes` local processes (default: one a core), or on the Dask scheduler at `cluster`.

    With one process, tasks run in this process. As a context manager: leaving ends the processes at once. Raise
    MissingLibrary or TaskError if the cluster cannot be reached.
    """

    def __init__(self, processes: int | None = None, cluster: str | None = None) -> None:
        self.processes = processes or os.cpu_count() or 1
        self._client: Any = None
        self._pool: LocalPool[_Call, Any] | None = None
        if cluster is not None:
            self._client = connected(cluster)
        elif self.processes > 1:
            self._pool = LocalPool(self.processes, _Caller, _described)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._pool is not None:
            self._pool.close()
        if self._client is not None:
            self._client.close()

    def each(self, task: Callable[..., Result], arguments: Iterable[Arguments]) -> Iterator[tuple[Arguments, Result]]:
        """Run `task` with each tuple of arguments; yield (arguments, result) in the order in which they end.

        Only a few tasks are handed out in advance, so arguments may be generated lazily. Raise the first error of a
        task, TaskError if the processes of one keep dying.
        """
        if self._client is not None:
            return self._each_on_cluster(task, arguments)
        if self._pool is not None:
            return self._each_in_pool(self._pool, task, arguments)
        return ((these, task(*these)) for these in arguments)

    def _each_in_pool(
        self, pool: LocalPool[_Call, Any], task: Callable[..., Result], arguments: Iterable[Arguments]
    ) -> Iterator[tuple[Arguments, Result]]:
        running = 0
        coming = iter(arguments)
        while True:
            while running < self.processes and (these := next(coming, None)) is not None:
                pool.start((task, these))
                running += 1
            if not running:
                return
            for (_, these), result in pool.wait():
                running -= 1
                yield these, result

    def _each_on_cluster(
        self, task: Callable[..., Result], arguments: Iterable[Arguments]
    ) -> Iterator[tuple[Arguments, Result]]:
        import distributed

        ahead = 2 * max(1, sum(self._client.nthreads().values()))
        coming = iter(arguments)
        running: dict[Any, Arguments] = {}
        ended: Any = distributed.as_completed([], self._client.loop, with_results=True)
        while True:
            while len(running) < ahead and (these := next(coming, None)) is not None:
                future = self._client.submit(task, *these, pure=False)
                running[future] = these
                ended.add(future)
            if not running:
                return
            future, result = next(ended)
            yield running.pop(future), result


def _described(call: _Call) -> str:
    return f"in the task {getattr(call[0], '__name__', 'without a name')}"
