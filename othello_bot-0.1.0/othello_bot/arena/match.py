"""A match from its first game to its last: which games it has, hand them out, store and count them, and when to stop.

A format in stages decides from the results so far who meets next. It is a pure function of them, so a resumed match,
and every arena that plays it, finds the same games again.

Swiss: in each stage, engines with equal scores meet, as far as they have not met before. A stage won counts 1, a drawn
one 1/2; then the points of games count, then the order in which the engines were given. With an odd number of them, the
last one that has had no bye gets one, which counts as won.

Knockout: the first engine and the last one meet, the second and the last but one, and so on, so that the first two meet
at the end; the first ones have a bye if the number is not a power of two. The engine with more points advances; then
discs decide, then the order.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final, Protocol

from othello_bot.arena.config import IN_STAGES, MatchConfig, MatchFormat
from othello_bot.arena.games import GameJob, GameReport, GameTask, machine
from othello_bot.arena.openings import Openings
from othello_bot.arena.sprt import SprtVerdict
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import NAME_COLUMNS, Result
from othello_bot.arena.tally import Meeting, Tally
from othello_bot.base.visible import visible

WAIT_S: Final = 0.5
"""Seconds between two checks of the store while no game ends."""


# -- which games a match has ------------------------------------------------------------------------------------------

Pairing = tuple[int, int]
"""The slots of two engines; the first one is Black in the first game."""

Meetings = Mapping[Pairing, Meeting]


def pairings(config: MatchConfig) -> list[Pairing]:
    """Return who meets in a format without stages, once each."""
    slots = range(len(config.engines))
    if config.format is MatchFormat.GAUNTLET:
        return [(first, other) for first in slots[: config.seeds] for other in slots[config.seeds :]]
    return list(combinations(slots, 2))


def stage_count(config: MatchConfig) -> int:
    """Return the number of stages; 1 in a format without them."""
    engines = len(config.engines)
    if config.format is MatchFormat.SWISS:
        return config.stages or max(1, min(math.ceil(math.log2(engines)), engines // 2))
    return math.ceil(math.log2(engines)) if config.format is MatchFormat.KNOCKOUT else 1


def game_count(config: MatchConfig) -> int:
    """Return the number of games of a match."""
    engines = len(config.engines)
    if config.format is MatchFormat.SWISS:
        return 2 * config.rounds * stage_count(config) * (engines // 2)
    return 2 * config.rounds * (engines - 1 if config.format is MatchFormat.KNOCKOUT else len(pairings(config)))


def game_tasks(config: MatchConfig, stage: int = 0, meetings: Meetings | None = None) -> Iterator[GameTask]:
    """Yield the games of a stage in their order, which never changes; without stages, more rounds extend it.

    In every round each pairing plays the opening of that round twice, with colours swapped. The stage must be known.
    """
    meeting = stage_pairings(config, stage, meetings or {})
    assert meeting is not None
    # The games of each stage have numbers of their own, however many pairings it has.
    most = len(config.engines) // 2 if config.format in IN_STAGES else len(meeting)
    for number in range(stage * config.rounds, (stage + 1) * config.rounds):
        for place, (first, second) in enumerate(meeting):
            pair = number * most + place
            yield GameTask(pair, 0, number, first, second)
            yield GameTask(pair, 1, number, second, first)


def stage_pairings(config: MatchConfig, stage: int, meetings: Meetings) -> list[Pairing] | None:
    """Return who meets in a stage, counted from 0; None if that depends on games to come."""
    if config.format not in IN_STAGES:
        return pairings(config)
    return next((met for number, (_, met) in enumerate(_stages(config, meetings)) if number == stage), None)


def stage_lines(config: MatchConfig, meetings: Meetings) -> list[str]:
    """Return the points of each stage in a format with stages, and its result."""
    if config.format not in IN_STAGES:
        return []
    names = [visible(engine.name, NAME_COLUMNS) for engine in config.engines]
    lines = []
    for number, (tournament, met) in enumerate(_stages(config, meetings), 1):
        told = []
        for first, second in met:
            meeting = meetings.get((first, second), Meeting())
            told.append(f"{names[first]} {meeting.points:g} - {meeting.games - meeting.points:g} {names[second]}")
        lines.append(f"stage {number}: {', '.join(told)}" if told else tournament.result(names))
    return lines


def _stages(config: MatchConfig, meetings: Meetings) -> Iterator[tuple[_Swiss | _Knockout, list[Pairing]]]:
    """Yield each stage that the results so far decide, with its pairings, and in the end one without pairings."""
    tournament = _Swiss(config) if config.format is MatchFormat.SWISS else _Knockout(config)
    for _ in range(stage_count(config)):
        met = tournament.pairings()
        yield tournament, met
        played = [(pair, meetings.get(pair, Meeting())) for pair in met]
        if any(meeting.games < 2 * config.rounds for _, meeting in played):
            return
        tournament.end_stage(played)
    yield tournament, []


PlayedMeetings = Sequence[tuple[Pairing, Meeting]]


class _Swiss:
    """The standing of a Swiss match between two stages."""

    def __init__(self, config: MatchConfig) -> None:
        self._slots = range(len(config.engines))
        self._stages_won = [0.0] * len(config.engines)
        self._points = [0.0] * len(config.engines)
        self._met: set[Pairing] = set()
        self._was_free: set[int] = set()

    def ranking(self) -> list[int]:
        """Return the engines, the best one first."""
        return sorted(self._slots, key=lambda slot: (-self._stages_won[slot], -self._points[slot], slot))

    def pairings(self) -> list[Pairing]:
        found = _matched([slot for slot in self.ranking() if slot != self.free()], self._met)
        assert found is not None  # at most half as many stages as engines: Dirac's theorem
        return found

    def free(self) -> int | None:
        """Return who has a free stage now; None with an even number of engines."""
        if len(self._slots) % 2 == 0:
            return None
        return next(slot for slot in reversed(self.ranking()) if slot not in self._was_free)

    def end_stage(self, played: PlayedMeetings) -> None:
        free = self.free()
        if free is not None:
            self._was_free.add(free)
            self._stages_won[free] += 1
        for (first, second), meeting in played:
            self._met |= {(first, second), (second, first)}
            others = meeting.games - meeting.points
            self._points[first] += meeting.points
            self._points[second] += others
            self._stages_won[first] += _score(meeting.points, others)
            self._stages_won[second] += _score(others, meeting.points)

    def result(self, names: Sequence[str]) -> str:
        told = (f"{names[slot]} {self._stages_won[slot]:g} ({self._points[slot]:g})" for slot in self.ranking())
        return f"stages won (points): {', '.join(told)}"


def _score(own: float, others: float) -> float:
    return 0.5 if own == others else float(own > others)


def _matched(ranking: Sequence[int], met: set[Pairing]) -> list[Pairing] | None:
    """Return pairs of engines that have not met, the best one with the next best one where that is possible.

    None if there are none: a pair that was chosen too early is then given up for the next one.
    """
    if not ranking:
        return []
    first, *others = ranking
    for other in others:
        if (first, other) not in met:
            rest = _matched([slot for slot in others if slot != other], met)
            if rest is not None:
                return [(first, other), *rest]
    return None


class _Knockout:
    """The engines left in a knockout."""

    def __init__(self, config: MatchConfig) -> None:
        self._left = list(range(len(config.engines)))

    def pairings(self) -> list[Pairing]:
        # As many as are needed for a power of two to be left.
        engines = len(self._left)
        free = 2 ** math.ceil(math.log2(engines)) - engines
        playing = self._left[free:]
        return [(playing[place], playing[-1 - place]) for place in range(len(playing) // 2)]

    def end_stage(self, played: PlayedMeetings) -> None:
        for (first, second), meeting in played:
            margin = (meeting.points - meeting.games / 2, meeting.discs.count * meeting.discs.mean)
            self._left.remove(second if margin >= (0, 0.0) else first)

    def result(self, names: Sequence[str]) -> str:
        return f"{names[self._left[0]]} has won the knockout"


# -- playing them -----------------------------------------------------------------------------------------------------


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


class MatchDisplay:
    """Observes a match in progress. This one shows nothing."""

    def begin(self, match: Match) -> None:
        """Note that the match begins or is resumed."""

    def game(self, result: Result) -> None:
        """Note a game that this arena or another one has stored and counted."""

    def look(self) -> None:
        """Note that some time has passed."""

    def end(self) -> None:
        """Show the final tables: the match is over or was interrupted."""


class Match:
    """One match in progress. `tally` counts the games played."""

    def __init__(self, config: MatchConfig, openings: Openings, store: MatchStore, backend: Backend) -> None:
        self.config = config
        self.tally = Tally(len(config.engines), sprt=config.sprt)
        self.stored = store.open_match(config, machine())
        self.total = game_count(config)
        self.stages = stage_count(config)
        self.resumed = 0
        """Games that were in the store before."""
        self._openings = openings
        self.store = store
        self._backend = backend
        self._stage = -1
        self._tasks: Iterator[GameTask] = iter(())
        self._elsewhere: list[GameTask] = []
        """Games that another arena is playing."""
        self._in_flight: set[GameTask] = set()

    @property
    def verdict(self) -> SprtVerdict:
        """The state of the sequential test."""
        return SprtVerdict.CONTINUE if self.tally.run is None else self.tally.run.verdict

    def run(self, display: MatchDisplay) -> None:
        """Play the rest of the match, until all games are played or the sequential test has decided."""
        for result in list(self.store.results(self.stored.id)):
            self.note(result)
        self.resumed = self.tally.games
        display.begin(self)
        while self.verdict is SprtVerdict.CONTINUE:
            self._hand_out()
            if not self._in_flight:
                if not self._elsewhere and not self._stages_left:
                    # Other arenas may have stored games since the last check.
                    self._count(display)
                    return
                time.sleep(WAIT_S)
            for report in self._backend.wait(WAIT_S) if self._in_flight else ():
                self.store.add(self.stored.id, report)
                self._in_flight.discard(report.task)
            self._count(display)
            self.store.show_life()
            display.look()

    def _hand_out(self) -> None:
        """Start as many games as there is room for."""
        while len(self._in_flight) < self._backend.slots:
            task = self._next_task()
            if task is None:
                return
            self._in_flight.add(task)
            self._backend.start(self.job(task))

    def job(self, task: GameTask) -> GameJob:
        """Return what a worker needs for a game."""
        return game_job(self.config, self._openings, task)

    def note(self, result: Result) -> None:
        """Count a game of the store."""
        self.tally.add(result)

    def tasks_of(self, stage: int) -> Iterator[GameTask] | None:
        """Return the games of a stage; None if they depend on games to come."""
        meetings = self.tally.meetings
        known = stage_pairings(self.config, stage, meetings) is not None
        return game_tasks(self.config, stage, meetings) if known else None

    @property
    def _stages_left(self) -> int:
        """The number of stages after the present one."""
        return self.stages - 1 - self._stage

    def _next_task(self) -> GameTask | None:
        """Claim and return the next game to play, unclaimed games first; None if none is left."""
        while True:
            for task in self._tasks:
                if self._is_ours(task):
                    return task
            following = self.tasks_of(self._stage + 1) if self._stages_left else None
            if following is None:
                break
            self._stage += 1
            self._tasks = following
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

    def _count(self, display: MatchDisplay) -> None:
        """Count the games that have come into the store, from any arena."""
        # Fetch all of them first: an open cursor would hold an old state of the store.
        for result in list(self.store.results(self.stored.id, self.tally.last_id)):
            self.note(result)
            display.game(result)


def game_job(config: MatchConfig, openings: Openings, task: GameTask) -> GameJob:
    """Return what a worker needs for a game of a match."""
    black, white = (
        replace(engine, limits=engine.limits.scaled(config.speed))
        for engine in (config.engines[task.black], config.engines[task.white])
    )
    traffic = ""
    if config.traffic:
        traffic = str(Path(config.traffic) / f"{config.key[:8]}-{task.pair + 1:05}-{task.leg + 1}.txt.gz")
    opening, seed = openings.of_round(task.round), f"{config.seed} {task.pair} {task.leg}"
    return GameJob(task, black, white, opening, config.rules, seed, traffic, config.speed)


def play(
    config: MatchConfig,
    openings: Openings,
    store_file: Path,
    display: MatchDisplay,
    files: Sequence[Path] = (),
    make: Callable[[MatchConfig, Openings, MatchStore, Backend], Match] | None = None,
) -> Match:
    """Play the rest of a match that is kept in a store; return it as it ended. `make` makes it, if it is a tuning.

    `files` are files that the engines read besides the program; a cluster's workers receive them under the same names.
    """
    with MatchStore(store_file) as store:
        backend = _backend(config, files)
        try:
            match = (make or Match)(config, openings, store, backend)
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
