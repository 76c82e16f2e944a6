"""Games on a Dask cluster, whose workers need othello-bot and the engines of the match installed.

Losing a worker costs only time: Dask gives its games to another, and the store takes each game once. Start workers with
one thread each (`dask worker --nthreads 1 --nworkers N`), because engines inside the arena share their process.
"""

from __future__ import annotations

import queue
import threading
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.errors import ArenaError, MissingExtra
from othello_bot.arena.game_bench import GameBench
from othello_bot.arena.games import GameJob, GameReport
from othello_bot.cluster import MissingLibrary, TaskError, connected
from othello_bot.files import write_whole

RETRIES: Final = 2
"""How often Dask may repeat a game whose task failed."""

_benches: dict[int, tuple[GameBench, threading.Lock]] = {}
"""In a cluster worker: the engines of each thread, and a lock that is held while they play."""


class ClusterBackend:
    """Plays games on the cluster whose scheduler has an address; `slots` 0 means as many as it has threads.

    `files`: files that the engines read besides the program; a worker that has no file of that name receives it. So the
    content of a file must never change.
    """

    def __init__(self, address: str, slots: int = 0, files: Sequence[Path] = ()) -> None:
        try:
            self._client: Any = connected(address)
        except MissingLibrary as error:
            raise MissingExtra("--cluster", "dask and distributed") from error
        except TaskError as error:
            raise ArenaError(str(error)) from error
        self._wanted = slots
        self._files = [str(file) for file in files]
        # Sent to the scheduler once, not with every game; a worker that joins later fetches them from the others.
        self._contents: list[Any] = []
        if files:
            self._contents = self._client.scatter([file.read_bytes() for file in files], broadcast=True)
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._running: set[Any] = set()

    @property
    def slots(self) -> int:
        """Number of concurrent games: the number requested, or the cluster's current number of threads."""
        return self._wanted or max(1, sum(self._client.nthreads().values()))

    def start(self, job: GameJob) -> None:
        """Submit a game under a unique key: the same game begun twice is two tasks."""
        key = f"othello-game-{job.task.pair}-{job.task.leg}-{uuid.uuid4().hex}"
        future = self._client.submit(
            _play, job, self._files, *self._contents, key=key, pure=False, retries=RETRIES
        )
        self._running.add(future)
        future.add_done_callback(self._ended.put)

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended; see `Backend`."""
        reports: list[GameReport] = []
        block = True
        while True:
            try:
                future = self._ended.get(block, timeout_s if block else None)
            except queue.Empty:
                return reports
            block = False
            self._running.discard(future)
            if future.status != "finished":
                raise ArenaError(f"a game failed on the cluster: {future.exception()}")
            answer = future.result()
            if isinstance(answer, str):
                raise ArenaError(answer)
            reports.append(answer)

    def close(self) -> None:
        """Cancel the games that have not begun and end idle engines; the cluster itself keeps running."""
        self._client.cancel(list(self._running), force=True)
        self._running.clear()
        self._client.run(_end_idle_engines, on_error="ignore")
        self._client.close()


def _play(job: GameJob, files: Sequence[str], *contents: bytes) -> GameReport | str:
    """Play a game in a thread of a cluster worker; return a text if the match cannot go on."""
    for file, content in zip(files, contents, strict=True):
        if not Path(file).exists():
            write_whole(Path(file), content)
    bench, playing = _benches.setdefault(threading.get_ident(), (GameBench(), threading.Lock()))
    with playing:
        return bench.work(job)


def _end_idle_engines() -> None:
    """End the engines of idle threads of a worker; another match may be using the others."""
    for bench, playing in list(_benches.values()):
        if playing.acquire(blocking=False):
            try:
                bench.close()
            finally:
                playing.release()
