"""A match from its first game to its last: hand out games, store and count them, and decide when to stop."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from othello_bot.arena.config import MatchConfig
from othello_bot.arena.game_runner import machine
from othello_bot.arena.games import GameJob, GameReport, GameTask, Result
from othello_bot.arena.openings import Openings
from othello_bot.arena.schedule import game_count, game_tasks, stage_count, stage_pairings
from othello_bot.arena.sprt import Verdict
from othello_bot.arena.store import Store
from othello_bot.arena.tally import Tally

WAIT_S: Final = 0.5
"""Seconds between two checks of the store while no game ends."""


class Backend(Protocol):
    """Takes jobs and returns reports, in the order in which the games end.

    `LocalBackend` plays in processes on this machine, `ClusterBackend` on a Dask cluster.
    """

    @property
    def slots(self) -> int:
        """Number of concurrent games."""

    def start(self, job: GameJob) -> None:
        """Begin a game; never more than `slots` at once."""

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended, waiting for the first one until the timeout.

        A game whose worker was lost is begun again. Raise ArenaError if that does not help, or if an engine cannot be
        used at all.
        """

    def close(self) -> None:
        """End everything; games in progress are lost."""


class Observer(Protocol):
    """Observes a match in progress."""

    def begin(self, match: Match) -> None:
        """Note that the match begins or is resumed."""

    def game(self, result: Result) -> None:
        """Note a game that this arena or another one has stored and counted."""

    def look(self) -> None:
        """Note that some time has passed."""


class Display(Observer, Protocol):
    """An observer that shows the match, and its final tables at the end."""

    def end(self) -> None:
        """Note that the match is over or was interrupted."""


class Match:
    """One match in progress. `tally` counts the games played, `verdict` is the state of the sequential test."""

    def __init__(self, config: MatchConfig, openings: Openings, store: Store, backend: Backend) -> None:
        self.config = config
        self.tally = Tally(len(config.engines))
        self.verdict = Verdict.CONTINUE
        self.stored = store.open_match(config, machine())
        self.total = game_count(config)
        self.resumed = 0
        """Games that were in the store before."""
        self._openings = openings
        self.store = store
        self._backend = backend
        self._stage = 0
        self._tasks: Iterator[GameTask] = game_tasks(config)
        self._elsewhere: list[GameTask] = []
        """Games that another arena is playing."""
        self._in_flight: set[GameTask] = set()

    @property
    def log_likelihood_ratio(self) -> float:
        """The log-likelihood ratio of the sequential test; 0 without one."""
        meeting = self.tally.meetings.get((0, 1))
        if self.config.sprt is None or meeting is None:
            return 0.0
        return self.config.sprt.log_likelihood_ratio(meeting.pairs)

    def run(self, observer: Observer) -> None:
        """Play the rest of the match, until all games are played or the sequential test has decided."""
        self.resumed = self.tally.add_all(self.store.results(self.stored.id))
        self._judge()
        observer.begin(self)
        while self.verdict is Verdict.CONTINUE:
            self._hand_out()
            if not self._in_flight:
                if not self._elsewhere and not self._stages_left:
                    # Other arenas may have stored games since the last check.
                    self._count(observer)
                    return
                time.sleep(WAIT_S)
            for report in self._backend.wait(WAIT_S) if self._in_flight else ():
                self.store.add(self.stored.id, report)
                self._in_flight.discard(report.task)
            self._count(observer)
            self.store.show_life()
            observer.look()

    def _hand_out(self) -> None:
        """Start as many games as there is room for."""
        while len(self._in_flight) < self._backend.slots:
            task = self._next_task()
            if task is None:
                return
            self._in_flight.add(task)
            self._backend.start(self._job(task))

    @property
    def _stages_left(self) -> int:
        """The number of stages after the present one."""
        return stage_count(self.config) - 1 - self._stage

    def _next_task(self) -> GameTask | None:
        """Claim and return the next game to play, unclaimed games first; None if there is none."""
        while True:
            for task in self._tasks:
                if self._is_ours(task):
                    return task
            meetings = self.tally.meetings
            if not self._stages_left or stage_pairings(self.config, self._stage + 1, meetings) is None:
                break
            self._stage += 1
            self._tasks = game_tasks(self.config, self._stage, meetings)
        # Games claimed by others have been played since, are in progress, or were abandoned.
        claimed, self._elsewhere = self._elsewhere, []
        for place, task in enumerate(claimed):
            if self._is_ours(task):
                self._elsewhere += claimed[place + 1 :]
                return task
        return None

    def _is_ours(self, task: GameTask) -> bool:
        """Claim a game; remember it if another arena has it, because that one may die."""
        # Checked first because it is cheap: in a resumed match most games have been played.
        if self.store.has(self.stored.id, task):
            return False
        if self.store.claim(self.stored.id, task):
            return True
        if not self.store.has(self.stored.id, task):
            self._elsewhere.append(task)
        return False

    def _job(self, task: GameTask) -> GameJob:
        config = self.config
        black, white = (
            replace(engine, limits=engine.limits.scaled(config.speed))
            for engine in (config.engines[task.black], config.engines[task.white])
        )
        traffic = ""
        if config.traffic:
            traffic = str(Path(config.traffic) / f"{self.stored.key[:8]}-{task.pair + 1:05}-{task.leg + 1}.txt.gz")
        opening, seed = self._openings.of_round(task.round), f"{config.seed} {task.pair} {task.leg}"
        return GameJob(task, black, white, opening, config.rules, seed, traffic, config.speed)

    def _count(self, observer: Observer) -> None:
        """Count the games that have come into the store, from any arena."""
        counted = self.tally.games
        # Fetch all of them first: an open cursor would hold an old state of the store.
        for result in list(self.store.results(self.stored.id, self.tally.last_id)):
            self.tally.add(result)
            observer.game(result)
        if self.tally.games > counted:
            self._judge()

    def _judge(self) -> None:
        meeting = self.tally.meetings.get((0, 1))
        if self.config.sprt is not None and meeting is not None:
            self.verdict = self.config.sprt.verdict(meeting.pairs)


def play(
    config: MatchConfig, openings: Openings, store_file: Path, display: Display, files: Sequence[Path] = ()
) -> Match:
    """Play the rest of a match that is kept in a store; return it as it ended.

    `files` are files that the engines read besides the program; a cluster's workers receive them under the same names.
    """
    with Store(store_file) as store:
        backend = _backend(config, files)
        try:
            match = Match(config, openings, store, backend)
            match.run(display)
        finally:
            try:
                backend.close()
            finally:
                display.end()
    return match


def _backend(config: MatchConfig, files: Sequence[Path]) -> Backend:
    from othello_bot.arena.backends import ClusterBackend, LocalBackend

    if config.cluster:
        return ClusterBackend(config.cluster, config.concurrency if config.concurrency > 1 else 0, files)
    return LocalBackend(config.concurrency, max(engine.threads for engine in config.engines) if config.affinity else 0)
