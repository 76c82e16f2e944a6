"""Games on a Dask cluster, whose workers need othello-bot and the engines of the match installed.

Losing a worker costs only time: Dask gives its games to another, and the store takes each game once. Start workers with
one thread each (`dask worker --nthreads 1 --nworkers N`), because engines inside the arena share their process.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from othello_bot.arena.errors import ArenaError, MissingExtra
from othello_bot.arena.game_runner import GameBench
from othello_bot.arena.games import GameJob, GameReport
from othello_bot.cluster import ClusterPool, MissingLibrary, TaskError
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
        contents = [file.read_bytes() for file in files]
        work = partial(_play, [str(file) for file in files])
        try:
            self._pool: ClusterPool[GameJob, GameReport | str] = ClusterPool(address, work, contents, RETRIES)
        except MissingLibrary as error:
            raise MissingExtra("--cluster", "dask and distributed") from error
        except TaskError as error:
            raise ArenaError(str(error)) from error
        self._wanted = slots

    @property
    def slots(self) -> int:
        """Number of concurrent games: the number requested, or the cluster's current number of threads."""
        return self._wanted or self._pool.slots

    def start(self, job: GameJob) -> None:
        """Submit a game; the same game begun twice is two tasks."""
        self._pool.start(job)

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended; see `Backend`."""
        try:
            ended = self._pool.wait(timeout_s)
        except Exception as error:
            raise ArenaError(f"a game failed on the cluster: {error}") from error
        reports = []
        for _, answer in ended:
            if isinstance(answer, str):
                raise ArenaError(answer)
            reports.append(answer)
        return reports

    def close(self) -> None:
        """Cancel the games that have not begun and end idle engines; the cluster itself keeps running."""
        self._pool.cancel()
        self._pool.run_everywhere(_end_idle_engines)
        self._pool.close()


def _play(files: Sequence[str], job: GameJob, *contents: bytes) -> GameReport | str:
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
