"""Games on this machine: worker processes that play one game after the other.

If a worker dies, only the game that it was playing is lost, and the next worker begins it again. Workers end when the
arena ends, for whatever reason, and their engines end with them (see `protocol.process`).
"""

from __future__ import annotations

from othello_bot.arena.errors import ArenaError
from othello_bot.arena.game_runner import GameBench
from othello_bot.arena.games import GameJob, GameReport
from othello_bot.cluster import MOST_DEATHS, LocalPool, TaskError

__all__ = ["MOST_DEATHS", "LocalBackend"]


class LocalBackend:
    """Plays up to `slots` games at once, each in its own process."""

    def __init__(self, slots: int) -> None:
        self._pool: LocalPool[GameJob, GameReport | str] = LocalPool(slots, GameBench, _described)

    @property
    def slots(self) -> int:
        """Number of concurrent games."""
        return self._pool.slots

    @property
    def worker_pids(self) -> list[int]:
        """The ids of the worker processes."""
        return self._pool.worker_pids

    def start(self, job: GameJob) -> None:
        """Hand a game to an idle worker, or to a new one."""
        try:
            self._pool.start(job)
        except TaskError as error:
            raise ArenaError(str(error)) from error

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended; see `Backend`."""
        try:
            ended = self._pool.wait(timeout_s)
        except TaskError as error:
            raise ArenaError(str(error)) from error
        reports = []
        for _, answer in ended:
            if isinstance(answer, str):
                raise ArenaError(answer)
            reports.append(answer)
        return reports

    def close(self) -> None:
        """End all workers and their engines."""
        self._pool.close()


def _described(job: GameJob) -> str:
    task = job.task
    return f"playing {job.black.name} against {job.white.name} (pair {task.pair}, game {task.leg + 1})"
