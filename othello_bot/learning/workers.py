"""Where the tasks of a step run: in a pool of local processes, or on a Dask cluster; one interface for both.

A task is a module-level function of picklable arguments without side effects: the caller writes what comes back, so a cluster
needs no shared folder and a killed run leaves nothing half written.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures import FIRST_COMPLETED
from typing import Any, TypeVar

Result = TypeVar("Result")


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


class Workers:
    """Runs tasks on `processes` local processes (default: one for each core), or on the Dask scheduler at `cluster`."""

    def __init__(self, processes: int | None = None, cluster: str | None = None) -> None:
        self.processes = processes or os.cpu_count() or 1
        self._client: Any = None
        self._pool: Executor | None = None
        if cluster is not None:
            from distributed import Client

            self._client = Client(cluster)
        elif self.processes > 1:
            self._pool = ProcessPoolExecutor(self.processes, initializer=_leave_interrupts_to_the_parent)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; tasks that have not begun are dropped."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._client is not None:
            self._client.close()

    def each(self, task: Callable[..., Result], arguments: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Result]]:
        """Run `task` with each tuple of arguments; yield (arguments, result) as they end, in any order.

        Few tasks are handed out ahead, so that arguments may be made lazily. The first error of a task is raised here.
        """
        if self._client is not None:
            yield from self._each_on_cluster(task, arguments)
        elif self._pool is None:
            for these in arguments:
                yield these, task(*these)
        else:
            yield from self._each_in_pool(task, arguments)

    def _each_in_pool(self, task: Callable[..., Result], arguments: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Result]]:
        assert self._pool is not None
        running: dict[Future[Result], tuple[Any, ...]] = {}
        coming = iter(arguments)
        while True:
            for these in coming:
                running[self._pool.submit(task, *these)] = these
                if len(running) > self.processes:
                    break
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                yield running.pop(future), future.result()

    def _each_on_cluster(self, task: Callable[..., Result], arguments: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Result]]:
        from distributed import as_completed

        ahead = 2 * max(1, sum(self._client.nthreads().values()))
        coming = iter(arguments)
        running = {}

        def submit() -> Any:
            for these in coming:
                future = self._client.submit(task, *these, pure=False)
                running[future] = these
                return future
            return None

        queue = as_completed([future for future in (submit() for _ in range(ahead)) if future is not None], with_results=True)
        for future, result in queue:
            following = submit()
            if following is not None:
                queue.add(following)
            yield running.pop(future), result
