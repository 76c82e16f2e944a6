"""Where the tasks of a step run: a pool of local processes or a Dask cluster, behind one interface.

A task is a module-level function of picklable arguments without side effects. The caller writes the results, so a
cluster needs no shared folder, and a killed run leaves nothing half-written.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from othello_bot.cluster.connection import TaskError, connected

Result = TypeVar("Result")
Arguments = tuple[Any, ...]


def _begin_worker(parent: int) -> None:
    """Leave the keyboard to the parent, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


class Workers:
    """Runs tasks on `processes` local processes (default: one a core), or on the Dask scheduler at `cluster`.

    With one process, tasks run in this process. As a context manager: leaving with an error ends the processes at once.
    """

    def __init__(self, processes: int | None = None, cluster: str | None = None) -> None:
        self.processes = processes or os.cpu_count() or 1
        self._client: Any = None
        self._pool: ProcessPoolExecutor | None = None
        if cluster is not None:
            self._client = connected(cluster)
        elif self.processes > 1:
            # Fresh interpreters: a forked one would inherit open stores and the locks of threads.
            self._pool = ProcessPoolExecutor(
                self.processes, multiprocessing.get_context("spawn"), _begin_worker, (os.getpid(),)
            )

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._pool is not None:
            if kind is not None:
                for process in multiprocessing.active_children():
                    process.terminate()
            self._pool.shutdown(cancel_futures=True)
        if self._client is not None:
            self._client.close()

    def each(self, task: Callable[..., Result], arguments: Iterable[Arguments]) -> Iterator[tuple[Arguments, Result]]:
        """Run `task` with each tuple of arguments; yield (arguments, result) in the order in which they end.

        Only a few tasks are handed out in advance, so arguments may be generated lazily. Raise the first error of a
        task, TaskError if its process was killed.
        """
        if self._client is not None:
            return self._each_on_cluster(task, arguments)
        if self._pool is not None:
            return self._each_in_pool(self._pool, task, arguments)
        return ((these, task(*these)) for these in arguments)

    def _each_in_pool(
        self, pool: ProcessPoolExecutor, task: Callable[..., Result], arguments: Iterable[Arguments]
    ) -> Iterator[tuple[Arguments, Result]]:
        running: dict[Future[Result], Arguments] = {}
        coming = iter(arguments)
        while True:
            while len(running) <= self.processes and (these := next(coming, None)) is not None:
                running[pool.submit(task, *these)] = these
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                try:
                    result = future.result()
                except BrokenProcessPool as error:
                    raise TaskError("a worker process ended in the middle of a task") from error
                yield running.pop(future), result

    def _each_on_cluster(
        self, task: Callable[..., Result], arguments: Iterable[Arguments]
    ) -> Iterator[tuple[Arguments, Result]]:
        import distributed

        ahead = 2 * max(1, sum(self._client.nthreads().values()))
        coming = iter(arguments)
        running: dict[Any, Arguments] = {}
        ended: Any = distributed.as_completed([], self._client.loop, with_results=True)  # type: ignore[no-untyped-call]
        while True:
            while len(running) < ahead and (these := next(coming, None)) is not None:
                future = self._client.submit(task, *these, pure=False)
                running[future] = these
                ended.add(future)
            if not running:
                return
            future, result = next(ended)
            yield running.pop(future), result
