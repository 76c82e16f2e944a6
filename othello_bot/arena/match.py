"""A match from its first game to its last: hands out games, stores them, counts them, and knows when to stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final, Protocol

from othello_bot.arena.backend import Backend
from othello_bot.arena.config import MatchConfig
from othello_bot.arena.game_runner import machine
from othello_bot.arena.openings import Openings
from othello_bot.arena.pairing import GameTask, game_count, game_tasks
from othello_bot.arena.reports import GameJob
from othello_bot.arena.sprt import Verdict
from othello_bot.arena.store import Store
from othello_bot.arena.stored import Result
from othello_bot.arena.tally import Tally

WAIT_S: Final = 0.5
"""How often the match looks around while no game ends."""


class Audience(Protocol):
    """Sees a match as it goes on."""

    def begin(self, match: Match) -> None:
        """The match begins, or goes on after a break."""

    def game(self, result: Result) -> None:
        """A game has been stored and counted, by this arena or another one."""

    def look(self) -> None:
        """Some time has passed."""


class Match:
    """One match on its way. `tally` has what was played, `verdict` what the sequential test says of it."""

    def __init__(self, config: MatchConfig, openings: Openings, store: Store, backend: Backend) -> None:
        self.config = config
        self.tally = Tally(len(config.engines))
        self.verdict = Verdict.CONTINUE
        self.stored = store.open_match(config, machine())
        self.total = game_count(config)
        self.resumed = 0
        """Games that were there before."""
        self._openings = openings
        self._store = store
        self._backend = backend
        self._tasks: Iterator[GameTask] = game_tasks(config)
        self._elsewhere: list[GameTask] = []
        """Games that another arena is playing."""
        self._in_flight: set[GameTask] = set()

    @property
    def log_likelihood_ratio(self) -> float:
        """What the sequential test has gathered; 0 without one."""
        meeting = self.tally.meetings.get((0, 1))
        if self.config.sprt is None or meeting is None:
            return 0.0
        return self.config.sprt.log_likelihood_ratio(meeting.pairs)

    def run(self, audience: Audience) -> None:
        """Play what is left of the match, until all is played or the sequential test has decided."""
        self.resumed = self.tally.add_all(self._store.results(self.stored.id))
        self._judge()
        audience.begin(self)
        while self.verdict is Verdict.CONTINUE:
            self._hand_out()
            if not self._in_flight:
                if not self._elsewhere:
                    # What other arenas have stored since the last look.
                    self._count(audience)
                    return
                time.sleep(WAIT_S)
            for report in self._backend.wait(WAIT_S) if self._in_flight else ():
                self._store.add(self.stored.id, report)
                self._in_flight.discard(report.task)
            self._count(audience)
            self._store.show_life()
            audience.look()

    def _hand_out(self) -> None:
        """Start as many games as there is room for."""
        while len(self._in_flight) < self._backend.slots:
            task = self._next_task()
            if task is None:
                return
            self._in_flight.add(task)
            self._backend.start(self._job(task))

    def _next_task(self) -> GameTask | None:
        """Return a game that is now ours to play, first of those that nobody plays; None where there is none."""
        for task in self._tasks:
            if self._is_ours(task):
                return task
        # What others had claimed has been played by now, or is being played, or was left behind.
        claimed, self._elsewhere = self._elsewhere, []
        for place, task in enumerate(claimed):
            if self._is_ours(task):
                self._elsewhere += claimed[place + 1 :]
                return task
        return None

    def _is_ours(self, task: GameTask) -> bool:
        """Claim a game; where another arena has it, keep it in mind, for that one may die."""
        # Asked first because it is cheap: in a match that goes on, most games have been played.
        if self._store.has(self.stored.id, task):
            return False
        if self._store.claim(self.stored.id, task):
            return True
        if not self._store.has(self.stored.id, task):
            self._elsewhere.append(task)
        return False

    def _job(self, task: GameTask) -> GameJob:
        engines = self.config.engines
        return GameJob(
            task,
            engines[task.black],
            engines[task.white],
            self._openings.of_round(task.round),
            self.config.rules,
            f"{self.config.seed} {task.pair} {task.leg}",
        )

    def _count(self, audience: Audience) -> None:
        """Count what has come into the store, from whomever."""
        counted = self.tally.games
        # All of them are fetched first: a cursor left open would hold an old state of the store.
        for result in list(self._store.results(self.stored.id, self.tally.last_id)):
            self.tally.add(result)
            audience.game(result)
        if self.tally.games > counted:
            self._judge()

    def _judge(self) -> None:
        meeting = self.tally.meetings.get((0, 1))
        if self.config.sprt is not None and meeting is not None:
            self.verdict = self.config.sprt.verdict(meeting.pairs)
