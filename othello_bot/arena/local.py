"""Games on this machine: worker processes that play one game after the other.

If a worker dies, only the game that it was playing is lost, and the next worker begins it again. Workers end when the
arena ends, for whatever reason, and their engines end with them (see `protocol.process`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Final

from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GameJob, GameReport, GameTask

MOST_DEATHS: Final = 3
"""Workers that may die during one game before the match is given up."""

FAREWELL_S: Final = 5.0
"""Seconds that a worker has to end its engines before it is killed."""

_SPAWN: Final = multiprocessing.get_context("spawn")
"""Fresh interpreters: a forked one would inherit the store's connection and the locks of threads."""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A worker's message in place of a report if the match cannot continue."""

    text: str


class _Worker:
    """A worker process and the game that it is playing."""

    def __init__(self, number: int) -> None:
        self.job: GameJob | None = None
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs,), name=f"arena worker {number}", daemon=True)
        self.process.start()
        # Keep only our end open, so that the connection ends when the process dies.
        theirs.close()


class LocalBackend:
    """Plays up to `slots` games at once, each in its own process."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._workers: list[_Worker] = []
        self._deaths: Counter[GameTask] = Counter()
        self._started = 0

    @property
    def slots(self) -> int:
        """Number of concurrent games."""
        return self._slots

    @property
    def worker_pids(self) -> list[int]:
        """The ids of the worker processes."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def start(self, job: GameJob) -> None:
        """Hand a game to an idle worker, or to a new one."""
        worker = next((worker for worker in self._workers if worker.job is None), None)
        if worker is None:
            self._started += 1
            worker = _Worker(self._started)
            self._workers.append(worker)
        worker.job = job
        try:
            worker.connection.send(job)
        except OSError:
            self._bury(worker)

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended; see `Backend`."""
        reports = []
        busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
        for connection in wait(list(busy), timeout_s):
            assert isinstance(connection, Connection)
            worker = busy[connection]
            try:
                answer = connection.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if isinstance(answer, _Trouble):
                raise ArenaError(answer.text)
            worker.job = None
            reports.append(answer)
        return reports

    def _bury(self, worker: _Worker) -> None:
        """Remove a worker that has died, and begin its game again."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join(FAREWELL_S)
        job = worker.job
        if job is None:
            return
        self._deaths[job.task] += 1
        if self._deaths[job.task] >= MOST_DEATHS:
            raise ArenaError(
                f"{MOST_DEATHS} workers died playing {job.black.name} against {job.white.name} (pair {job.task.pair},"
                f" game {job.task.leg + 1}), the last with exit code {worker.process.exitcode}"
            )
        self.start(job)

    def close(self) -> None:
        """End all workers and their engines."""
        for worker in self._workers:
            # An idle worker sees the end of its connection; a busy one needs the signal.
            worker.connection.close()
            if worker.job is not None:
                worker.process.terminate()
        deadline = time.monotonic() + FAREWELL_S
        for worker in self._workers:
            worker.process.join(max(0.1, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers.clear()


def _serve(connection: Connection) -> None:
    """Play the games that arrive on a connection until it ends; this is all that a worker process does."""
    from othello_bot.arena.game_runner import Workbench

    # Ctrl-C reaches the whole process group, but only the arena reacts to it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _terminate)
    _end_with_parent()
    bench = Workbench()
    try:
        while True:
            job = connection.recv()
            try:
                answer: GameReport | _Trouble = bench.play(job)
            except ArenaError as error:
                answer = _Trouble(str(error))
            except Exception:  # noqa: BLE001 - the arena reports it and ends
                answer = _Trouble(f"the arena itself failed:\n{traceback.format_exc()}")
            connection.send(answer)
    except (EOFError, OSError):
        return
    finally:
        bench.close()


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _end_with_parent() -> None:
    """End this process when its parent ends, even in the middle of a long game."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
