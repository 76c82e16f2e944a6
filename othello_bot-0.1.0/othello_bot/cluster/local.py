"""Worker processes on this machine, each of which carries out one job after the other with what it keeps.

If a worker dies, only the job in progress is lost, and another worker begins it again. Workers end when the process
that started them ends, for whatever reason.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, Final, Generic, Protocol, TypeVar

from othello_bot.base.errors import WorkError
from othello_bot.base.version import missing


class TaskError(WorkError):
    """Tasks cannot be run: no cluster, no library for it, or a worker process that was killed."""


class MissingLibrary(TaskError):
    """The libraries for a cluster are not installed."""

    def __init__(self) -> None:
        super().__init__(missing("--cluster", "dask.distributed", "arena"))


MOST_DEATHS: Final = 3
"""Workers that may die during one job before the pool gives up."""

FAREWELL_S: Final = 5.0
"""Seconds that a worker has to end before it is killed."""

_SPAWN: Final = multiprocessing.get_context("spawn")
"""Fresh interpreters: a forked one would inherit open stores and the locks of threads."""

JobT = TypeVar("JobT")
AnswerT = TypeVar("AnswerT")
JobIn = TypeVar("JobIn", contravariant=True)
AnswerOut = TypeVar("AnswerOut", covariant=True)


class JobHandler(Protocol[JobIn, AnswerOut]):
    """Carries out the jobs of a worker, and keeps what lasts from one to the next."""

    def work(self, job: JobIn, /) -> AnswerOut:
        """Carry out a job."""

    def close(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """A worker's message instead of an answer: the error of a job."""

    error: BaseException


@dataclass(slots=True)
class _Work(Generic[JobT]):
    """A job, and how many workers have died of it."""

    job: JobT
    deaths: int = 0


class _Worker(Generic[JobT]):
    """A worker process and its present work."""

    def __init__(self, number: int, make_handler: Callable[[], Any]) -> None:
        self.work: _Work[JobT] | None = None
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs, make_handler), name=f"worker {number}", daemon=True)
        self.process.start()
        # Keep only our end open, so that the connection ends when the process dies.
        theirs.close()


class LocalPool(Generic[JobT, AnswerT]):
    """Carries out up to `slots` jobs at once, each in a process with a handler.

    `make_handler` is a class or function of a module; `describe` says in words what a worker does with a job, for errors.
    """

    def __init__(
        self, slots: int, make_handler: Callable[[], JobHandler[JobT, AnswerT]], describe: Callable[[JobT], str] = str
    ) -> None:
        self.slots = slots
        self._make_handler = make_handler
        self._describe = describe
        self._workers: list[_Worker[JobT]] = []
        self._started = 0

    @property
    def capacity(self) -> int:
        """The number of jobs to have in progress."""
        return self.slots

    @property
    def worker_pids(self) -> list[int]:
        """The ids of the worker processes."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def start(self, job: JobT) -> None:
        """Hand a job to an idle worker, or to a new one; never have more than `slots` in progress."""
        self._start(_Work(job))

    def _start(self, work: _Work[JobT]) -> None:
        worker = next((worker for worker in self._workers if worker.work is None), None)
        if worker is None:
            self._started += 1
            worker = _Worker(self._started, self._make_handler)
            self._workers.append(worker)
        worker.work = work
        try:
            worker.connection.send(work.job)
        except OSError:
            self._bury(worker)

    def wait(self, timeout_s: float | None = None) -> list[tuple[JobT, AnswerT]]:
        """Return the jobs that have ended with their answers, waiting for the first one until the timeout.

        Raise the error of a job, TaskError if its workers keep dying.
        """
        ended = []
        busy = {worker.connection: worker for worker in self._workers if worker.work is not None}
        for connection in wait(list(busy), timeout_s):
            assert isinstance(connection, Connection)
            worker = busy[connection]
            try:
                answer = connection.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            work, worker.work = worker.work, None
            if isinstance(answer, _Failure):
                raise answer.error
            assert work is not None
            ended.append((work.job, answer))
        return ended

    def _bury(self, worker: _Worker[JobT]) -> None:
        """Remove a worker that has died, and begin its job again."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join(FAREWELL_S)
        work = worker.work
        if work is None:
            return
        work.deaths += 1
        if work.deaths >= MOST_DEATHS:
            did = self._describe(work.job)
            raise TaskError(f"{MOST_DEATHS} workers died {did}, the last with exit code {worker.process.exitcode}")
        self._start(work)

    def close(self) -> None:
        """End all workers and close their handlers; jobs in progress are lost."""
        for worker in self._workers:
            # An idle worker sees the end of its connection; a busy one needs the signal.
            worker.connection.close()
            if worker.work is not None:
                worker.process.terminate()
        deadline = time.monotonic() + FAREWELL_S
        for worker in self._workers:
            worker.process.join(max(0.1, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers.clear()


def _serve(connection: Connection, make_handler: Callable[[], JobHandler[Any, Any]]) -> None:
    """Carry out the jobs that arrive on a connection until it ends; this is all that a worker process does."""
    # Ctrl-C reaches the whole process group, but only the process that started the workers reacts to it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        _end_with_parent()
        handler = make_handler()
    except (MemoryError, OSError, RuntimeError) as error:
        connection.send(_Failure(TaskError(f"a worker cannot start: {error or type(error).__name__}")))
        return
    try:
        while True:
            job = connection.recv()
            try:
                answer = handler.work(job)
            except Exception as error:  # noqa: BLE001 - raised again where the job came from
                answer = _Failure(_portable(error))
            connection.send(answer)
    except (EOFError, OSError):
        return
    finally:
        handler.close()


def _portable(error: Exception) -> Exception:
    """Return an error that reaches another process: the same, or a TaskError with its trace."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - whatever its class does
        return TaskError(f"a task failed:\n{''.join(traceback.format_exception(error))}")
    return error


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _end_with_parent() -> None:
    """End this process when its parent ends, even in the middle of a long job."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
