"""Tasks by their arguments: in this process, on a pool of local processes or on a Dask cluster, behind one interface.

A task is a module-level function of picklable arguments without side effects. The caller writes the results, so a
cluster needs no shared folder, and a killed run leaves nothing half-written. The workers of a cluster carry out jobs as
the processes of local.py do; if one dies, its jobs are carried out again, also those whose answers it still had.
"""

from __future__ import annotations

import functools
import importlib
import ipaddress
import logging
import os
import queue
import socket
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

from othello_bot.base.errors import InputError, brief
from othello_bot.base.notation import NotationError, parse_integer
from othello_bot.base.output import report
from othello_bot.cluster.local import AnswerT, JobT, LocalPool, MissingLibrary, TaskError

_ENCRYPTED: Final = ("tls", "wss")

_HOST_AND_PORT: Final = "host and port of a Dask scheduler, like tcp://127.0.0.1:8786 or tls://host:8786"


def split(address: str) -> tuple[str, str]:
    """Return scheme and host of an address like tcp://[::1]:8786; the scheme is tcp where none is written.

    Raise InputError for a text that names no host and port.
    """
    scheme, separator, place = address.partition("://")
    if not separator:
        scheme, place = "tcp", address
    if scheme == "inproc":
        return scheme, ""
    host, colon, port = place.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if bracketed:
        host = host[1:-1]
    try:
        parse_integer(port, 1, 65535)
    except NotationError:
        scheme = ""
    if not (scheme and colon and host and host.isprintable()) or " " in host or "/" in host:
        raise InputError("cluster", address, _HOST_AND_PORT)
    if (":" in host) != bracketed:
        raise InputError("cluster", address, f"{_HOST_AND_PORT}; an IPv6 address stands in brackets, tcp://[::1]:8786")
    return scheme, host


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, reached by no other: localhost, 127.x.y.z or ::1, in any spelling."""
    name = host.lower().rstrip(".")
    try:
        number = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        try:
            # Short and hexadecimal forms, like 127.1; it ignores what follows a space.
            number = ipaddress.ip_address(socket.inet_aton(name.replace(" ", "?")))
        except (OSError, ValueError):
            return name == "localhost"
    mapped = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return (mapped or number).is_loopback


@functools.cache
def warn_of(address: str) -> None:
    """Warn on stderr, once, of an address that others can reach without a certificate.

    Anybody who reaches a scheduler can run any code on its workers, and a scheduler's reply can run code here. Raise
    InputError for a text that names no host and port.
    """
    scheme, host = split(address)
    if scheme in (*_ENCRYPTED, "inproc") or is_loopback(host):
        return
    report(
        f"warning: the cluster at {address} is neither on this machine nor reached by tls://;"
        " anybody who can connect to its scheduler can run any code on it (docs/arena-cookbook.md)"
    )


CONNECT_S: Final = 30.0
"""Seconds that a scheduler has to answer."""

NOTICE_S: Final = 2.0
"""Seconds after which a line on stderr says that the scheduler is waited for, or that there are no workers."""

_CERTIFICATES: Final = ", ".join(
    f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
)
"""Environment variables that name the certificates for a scheduler with TLS."""


class ClusterPool(Generic[JobT, AnswerT]):
    """Carries out jobs on the cluster whose scheduler has an address.

    `work` is called with a job, then the `contents`. They are sent to the scheduler once, not with every job; a worker
    fetches them from another one, or from the scheduler where no worker with them is left. `retries`: how often Dask
    may repeat a job that failed. Raise MissingLibrary without Dask, TaskError if no scheduler answers.
    """

    def __init__(
        self, address: str, work: Callable[..., AnswerT], contents: Sequence[bytes] = (), retries: int = 0
    ) -> None:
        self._client = _connected(address)
        self._address = address
        self._empty = False
        self._work = work
        self._retries = retries
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # scattered data would die with the workers
            self._contents = [self._client.submit(_unchanged, content, pure=False) for content in contents]
        self._running: dict[Any, JobT] = {}
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()

    @property
    def slots(self) -> int:
        """The cluster's current number of threads; at least 1. Say on stderr when no worker is left.

        Raise TaskError if the scheduler is gone.
        """
        try:
            if self._is_gone:
                raise self._lost()
            threads: int = sum(self._client.nthreads().values())
        except OSError as error:
            raise self._lost() from error
        if not threads and not self._empty:
            report(f"the cluster at {self._address} has no workers; waiting for one")
        self._empty = not threads
        return max(1, threads)

    @property
    def _is_gone(self) -> bool:
        """Whether the connection has ended; Dask then waits long for another scheduler, which knows no job of ours."""
        return str(self._client.status) != "running"

    def _lost(self) -> TaskError:
        return TaskError(f"the Dask scheduler at {self._address} ended or was restarted; run the same command again")

    @property
    def capacity(self) -> int:
        """The number of jobs to have in progress: some wait in advance, because the way to a cluster takes time."""
        return 2 * self.slots

    def start(self, job: JobT) -> None:
        """Hand a job to the cluster; the same job handed over twice is carried out twice.

        Raise TaskError if the scheduler is gone.
        """
        if self._is_gone:
            raise self._lost()
        future = self._client.submit(self._work, job, *self._contents, pure=False, retries=self._retries)
        self._running[future] = job
        future.add_done_callback(self._ended.put)

    def wait(self, timeout_s: float | None = None) -> list[tuple[JobT, AnswerT]]:
        """Return the jobs that have ended with their answers, waiting for the first one until the timeout.

        Raise the error of a job, TaskError if the scheduler or the workers cannot carry it out.
        """
        ended: list[tuple[JobT, AnswerT]] = []
        block = True
        while True:
            try:
                future = self._ended.get(block, timeout_s if block else None)
            except queue.Empty:
                return ended
            block = False
            status = future.status
            job = self._running.pop(future)
            if status in ("lost", "pending"):  # the job has ended, but its worker has died with the answer
                self.start(job)
                continue
            if status == "cancelled":
                raise self._lost()
            if status != "finished":
                raise _in_words(future.exception())
            ended.append((job, future.result()))

    def run_everywhere(self, function: Callable[[], object]) -> None:
        """Call a function in each worker, beside its jobs; errors are ignored."""
        if not self._is_gone:
            self._client.run(function, on_error="ignore")

    def cancel(self) -> None:
        """Forget the jobs in progress; those that have not begun never will."""
        if not self._is_gone:
            self._client.cancel(list(self._running), force=True)
        self._running.clear()

    def close(self) -> None:
        """End the connection; the cluster itself keeps running."""
        self.cancel()
        before = logging.root.manager.disable
        if self._is_gone:
            logging.disable()  # Dask logs the traces of its tries to connect again
        try:
            self._client.close()
        finally:
            logging.disable(before)


def _in_words(error: Exception) -> Exception:
    """Return the error of a job; TaskError for one of Dask."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return TaskError(
            f"{error.allowed_failures + 1} workers died of the same task, the last at {error.last_worker.address}"
        )
    cause = error.__cause__ or error
    if isinstance(cause, ImportError):
        return TaskError(f"{cause}; the scheduler and the workers need othello-bot and its libraries installed")
    return error


def _connected(address: str) -> Any:
    """Return a Dask client of the scheduler at an address; warn of one that is open to others."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise MissingLibrary from error

    class ClosingClient(distributed.Client):  # type: ignore[misc]  # an optional library
        """A client that is closed if it cannot connect.

        Collected by chance while the next one starts its thread, it would wait for that one's lock.
        """

        def start(self, **named: Any) -> None:
            """Connect."""
            try:
                super().start(**named)
            except Exception:
                self.close()
                raise

    waiting = f"waiting up to {CONNECT_S:.0f} s for the Dask scheduler at {address}"
    notice = threading.Timer(NOTICE_S, report, (waiting,))
    notice.daemon = True
    try:
        warn_of(address)
        notice.start()
        security = distributed.security.Security()
        if address.startswith("tls://") and security.get_connection_args("client")["ssl_context"] is None:
            raise TaskError(f"{address} needs certificates; set {_CERTIFICATES}")
        return ClosingClient(address, timeout=CONNECT_S, set_as_default=False, security=security)
    except InputError as error:
        raise TaskError(str(error)) from error
    except TaskError:
        raise
    except Exception as error:
        raise TaskError(f"no Dask scheduler at {address}: {brief(str(error)) or type(error).__name__}") from error
    finally:
        notice.cancel()


ResultT = TypeVar("ResultT")
Arguments = tuple[Any, ...]

_Call = tuple[Callable[..., Any], Arguments]


class _Caller:
    """What a worker has that calls functions: it keeps nothing."""

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

    def each(self, task: Callable[..., ResultT], arguments: Iterable[Arguments]) -> Iterator[tuple[Arguments, ResultT]]:
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
        task: Callable[..., ResultT],
        arguments: Iterable[Arguments],
    ) -> Iterator[tuple[Arguments, ResultT]]:
        running = 0
        coming = iter(arguments)
        while True:
            while running < pool.capacity and (these := next(coming, None)) is not None:
                pool.start((task, these))
                running += 1
            if not running:
                return
            for (_, these), result in pool.wait(NOTICE_S):
                running -= 1
                yield these, result


def _unchanged(content: bytes) -> bytes:
    return content


def _called(call: _Call) -> Any:
    task, arguments = call
    return task(*arguments)


def _described(call: _Call) -> str:
    return f"in the task {getattr(call[0], '__name__', 'without a name')}"
