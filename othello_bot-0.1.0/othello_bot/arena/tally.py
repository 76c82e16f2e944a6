"""The counts of a match, game by game: what the statistics need."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.games import GameTask
from othello_bot.arena.sprt import SequentialRun, Sprt
from othello_bot.arena.statistics import OpeningScore, RunningMoments
from othello_bot.arena.stored import Result
from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.rules import Game, Position, parse_moves

MOST_REASONS: Final = 8
"""Reasons for failures that are counted apart for one engine; all further ones are counted together."""

_NUMBER: Final = re.compile(r"\d+(\.\d+)?")


@dataclass(slots=True)
class Meeting:
    """The games between two engines, from the first one's view; `failures` decided some of them.

    `pairs` are the pentanomial counts (0, 1/2, 1, 3/2, 2 points) of complete pairs; of `repeated_pairs` of them, both
    games repeat earlier ones. `openings` has the results on each opening. `discs` is the mean disc difference over both
    games of a pair if discs decided both.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    openings: dict[str, OpeningScore] = field(default_factory=dict)
    repeated_pairs: int = 0
    discs: RunningMoments = field(default_factory=RunningMoments)
    failures: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The first one's points."""
        return self.wins + self.draws / 2

    @property
    def pairs(self) -> list[int]:
        """The number of complete pairs of games with each outcome."""
        return [sum(column) for column in zip([0] * 5, *(one.pairs for one in self.openings.values()), strict=False)]

    @property
    def scores(self) -> list[OpeningScore]:
        """The results on each opening."""
        return list(self.openings.values())


@dataclass(slots=True)
class Reason:
    """A reason for which games were lost by a failure: ending, words of the first such game, number of games."""

    ending: Ending
    words: str
    count: int = 0


@dataclass(slots=True)
class EngineTally:
    """What one engine did in all its games: seconds, moves, and failures by ending and by reason.

    Failures whose reasons differ only in numbers count as one reason. `latency_s` is the time to answer a command without
    a search, `retries` are illegal moves after which it was asked again.
    """

    seconds: float = 0.0
    moves: int = 0
    failures: Counter[Ending] = field(default_factory=Counter)
    reasons: dict[tuple[Ending, str], Reason] = field(default_factory=dict)
    latency_s: RunningMoments = field(default_factory=RunningMoments)
    retries: int = 0

    def fail(self, ending: Ending, detail: str) -> None:
        """Count a failure."""
        self.failures[ending] += 1
        words = detail.partition("\n")[0]
        kind = (ending, _NUMBER.sub("#", words))
        if kind not in self.reasons and len(self.reasons) >= MOST_REASONS:
            kind, words = (ending, ""), "other reasons"
        self.reasons.setdefault(kind, Reason(ending, words)).count += 1

    @property
    def time_losses(self) -> int:
        """Games lost on time."""
        return self.failures[Ending.TIME]


@dataclass(frozen=True, slots=True)
class _HalfPair:
    """The game of a pair that has ended while the other one has not."""

    first_points: float
    first_discs: int | None
    repeated: bool


class Tally:
    """Counts games, in memory that grows with their openings; add each of them once.

    `run` is the sequential test of the match.
    """

    def __init__(self, engines: int, sprt: Sprt | None = None) -> None:
        self.run = None if sprt is None else SequentialRun(sprt)
        self.engines = [EngineTally() for _ in range(engines)]
        self.meetings: dict[tuple[int, int], Meeting] = {}
        self.games = 0
        self.repeats = 0
        self.endings: Counter[Ending] = Counter()
        self.black_wins = self.white_wins = 0
        self.overhead_ms = RunningMoments()
        self.last_id = 0
        self.stopped: list[Result] = []
        """Games that were played again because the arena was stopped."""
        self.stall_s = RunningMoments()
        """Stalls of the machine during games."""
        self.longest_stall_s = 0.0
        self.stalled_games = 0
        self._halves: dict[int, _HalfPair] = {}

    @property
    def unpaired(self) -> int:
        """The number of games whose pair lacks the other one."""
        return len(self._halves)

    @property
    def openings(self) -> list[dict[tuple[int, int], OpeningScore]]:
        """The results on each opening, by meeting."""
        found: dict[str, dict[tuple[int, int], OpeningScore]] = {}
        for pairing, meeting in self.meetings.items():
            for opening, score in meeting.openings.items():
                found.setdefault(opening, {})[pairing] = score
        return list(found.values())

    def add_all(self, results: Iterable[Result]) -> int:
        """Count games and return how many there were."""
        number = 0
        for result in results:
            self.add(result)
            number += 1
        return number

    def add(self, result: Result) -> None:
        """Count a game."""
        self.last_id = max(self.last_id, result.id)
        self.games += 1
        self.repeats += result.repeats is not None
        self.endings[result.ending] += 1
        if result.stops:
            self.stopped.append(result)
        self.black_wins += result.black_points == 1
        self.white_wins += result.black_points == 0
        if not result.ending.is_failure:
            self.overhead_ms.add(result.overhead_ms)
        self.stalled_games += bool(result.stalls)
        for stall_s in result.stalls:
            self.stall_s.add(stall_s)
            self.longest_stall_s = max(self.longest_stall_s, stall_s)
        task = result.task
        for color, slot in ((Color.BLACK, task.black), (Color.WHITE, task.white)):
            engine = self.engines[slot]
            engine.seconds += result.seconds[color]
            engine.moves += result.moves[color]
            engine.retries += result.retries[color]
            if (latency_s := result.latencies_s[color]) is not None:
                engine.latency_s.add(latency_s)
            if result.loser is color and result.ending.is_failure:
                engine.fail(result.ending, result.detail)
        self._count(result)

    def _count(self, result: Result) -> None:
        """Count a game in its meeting, and its pair once both of its games have ended."""
        task = result.task
        first, second = first_and_second(task)
        meeting = self.meetings.setdefault((first, second), Meeting())
        is_black = task.black == first
        points = result.black_points if is_black else 1 - result.black_points
        discs = result.discs if is_black or result.discs is None else -result.discs
        meeting.wins += points == 1
        meeting.draws += points == 0.5
        meeting.losses += points == 0
        meeting.failures += result.ending.is_failure
        # Games whose opening is not known have one for each round.
        opening = opening_key(result.opening) if result.opening else f"round {result.round}"
        score = meeting.openings.setdefault(opening, OpeningScore())
        score.games += 1
        score.points += points
        half = self._halves.pop(task.pair, None)
        if half is None:
            self._halves[task.pair] = _HalfPair(points, discs, result.repeats is not None)
            return
        is_repeat = half.repeated and result.repeats is not None
        if self.run is not None:
            # Pairs that repeat others move by move tell a test nothing.
            self.run.add(task.pair, None if is_repeat else round(2 * (half.first_points + points)))
        meeting.repeated_pairs += is_repeat
        score.pairs[round(2 * (half.first_points + points))] += 1
        # Equal games say nothing of how much discs vary.
        if discs is not None and half.first_discs is not None and not is_repeat:
            meeting.discs.add((discs + half.first_discs) / 2)


@lru_cache(maxsize=100_000)
def opening_key(opening: str) -> str:
    """Return a text that is equal for openings with the same position, also if they are symmetric or colours differ.

    `opening`: a start and moves as the store has them; if it is damaged, it is its own key.
    """
    start, _, moves = opening.rpartition(" ")
    try:
        game = Game(Position.parse(start))
        game.play_moves(parse_moves(moves))
    except InputError:
        return opening
    canonical, _ = game.position.canonical()
    return f"{canonical.mover:x} {canonical.opponent:x}"


def first_and_second(task: GameTask) -> tuple[int, int]:
    """Return the first and the second engine of a game's pair: the first has Black in leg 0."""
    return (task.black, task.white) if task.leg == 0 else (task.white, task.black)
