"""Where the games of a match are played: worker processes on this machine, or a Dask cluster.

If a worker dies, only the game that it was playing is lost. On this machine the next worker begins it again; Dask
gives it to another worker, and the store takes each game once. Local workers end when the arena ends, for whatever
reason, and their engines end with them (see `protocol/process.py`). The workers of a cluster need othello-bot and the
engines of the match installed, and one thread each (`dask worker --nthreads 1 --nworkers N`), because engines inside
the arena share their process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from othello_bot.arena.engine_host import GameWorker
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GameJob, GameReport
from othello_bot.base.files import write_whole
from othello_bot.cluster import MOST_DEATHS, ClusterPool, LocalPool, TaskError

__all__ = ["MOST_DEATHS", "ClusterBackend", "LocalBackend"]

RETRIES: Final = 2
"""How often Dask may repeat a game whose task failed."""

_workers: dict[int, tuple[GameWorker, threading.Lock]] = {}
"""In a cluster worker: the engines of each thread, and a lock that is held while they play."""


class _Backend:
    """A pool of workers that play games; its errors are ArenaErrors."""

    _pool: LocalPool[GameJob, GameReport | str] | ClusterPool[GameJob, GameReport | str]

    def start(self, job: GameJob) -> None:
        """Hand a game to a worker."""
        with _arena_errors():
            self._pool.start(job)

    def answers(self, timeout_s: float) -> list[tuple[GameJob, GameReport | str]]:
        """Return the jobs that have ended, as `wait` does, each with its report or a text that says why no game was
        possible.
        """
        with _arena_errors():
            return self._pool.wait(timeout_s)

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended; see `Backend`."""
        reports = []
        for _, answer in self.answers(timeout_s):
            if isinstance(answer, str):
                raise ArenaError(answer)
            reports.append(answer)
        return reports

    def close(self) -> None:
        """End all workers and their engines; the cluster itself keeps running."""
        self._pool.close()


class LocalBackend(_Backend):
    """Plays up to `slots` games at once, each in its own process, bound to `cores` cores (0: not bound)."""

    def __init__(self, slots: int, cores: int = 0) -> None:
        self._pool: LocalPool[GameJob, GameReport | str] = LocalPool(slots, partial(GameWorker, cores), _described)

    @property
    def slots(self) -> int:
        """Number of concurrent games."""
        return self._pool.slots

    @property
    def worker_pids(self) -> list[int]:
        """The ids of the worker processes."""
        return self._pool.worker_pids


class ClusterBackend(_Backend):
    """Plays games on the cluster whose scheduler has an address; `slots` 0 means as many as it has threads.

    `files`: files that the engines read besides the program; a worker that has no file of that name receives it. So the
    content of a file must never change.
    """

    def __init__(self, address: str, slots: int = 0, files: Sequence[Path] = ()) -> None:
        contents = [file.read_bytes() for file in files]
        work = partial(_play, [str(file) for file in files])
        with _arena_errors():
            self._pool: ClusterPool[GameJob, GameReport | str] = ClusterPool(address, work, contents, RETRIES)
        self._wanted = slots

    @property
    def slots(self) -> int:
        """Number of concurrent games: the number requested, or the cluster's current number of threads."""
        with _arena_errors():
            return self._wanted or self._pool.slots

    def answers(self, timeout_s: float) -> list[tuple[GameJob, GameReport | str]]:
        """Return the jobs that have ended, as on this machine; here, a game may also fail by itself."""
        try:
            return super().answers(timeout_s)
        except ArenaError:
            raise
        except Exception as error:
            raise ArenaError(f"a game failed on the cluster: {error}") from error

    def close(self) -> None:
        """Cancel the games that have not begun and end idle engines."""
        self._pool.cancel()
        self._pool.run_everywhere(_end_idle_engines)
        super().close()


@contextmanager
def _arena_errors() -> Iterator[None]:
    """Raise an ArenaError for a TaskError."""
    try:
        yield
    except TaskError as error:
        raise ArenaError(str(error)) from error


def _described(job: GameJob) -> str:
    task = job.task
    return f"playing {job.black.name} against {job.white.name} (pair {task.pair}, game {task.leg + 1})"


def _play(files: Sequence[str], job: GameJob, *contents: bytes) -> GameReport | str:
    """Play a game in a thread of a cluster worker; return a text if the match cannot go on."""
    for file, content in zip(files, contents, strict=True):
        if not Path(file).exists():
            write_whole(Path(file), content)
    worker, playing = _workers.setdefault(threading.get_ident(), (GameWorker(), threading.Lock()))
    with playing:
        return worker.work(job)


def _end_idle_engines() -> None:
    """End the engines of idle threads of a worker; another match may be using the others."""
    for worker, playing in list(_workers.values()):
        if playing.acquire(blocking=False):
            try:
                worker.close()
            finally:
                playing.release()
