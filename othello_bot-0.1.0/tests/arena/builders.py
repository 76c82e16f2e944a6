"""Builders of engines, jobs and matches for the tests."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from othello_bot.arena.adjudication import Ending, GameOutcome
from othello_bot.arena.config import EngineConfig, MatchConfig, MatchFormat, Rules
from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.games import GameJob, GameReport, GameTask, MoveReport
from othello_bot.arena.match import Match, MatchDisplay
from othello_bot.arena.openings import Opening, Openings, RandomOpenings
from othello_bot.arena.settings import engine_config, settings_of_words
from othello_bot.arena.statistics import OpeningScore
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import Result
from othello_bot.arena.tally import Meeting
from othello_bot.base.notation import PASS, Color
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.mocks import mock

OPENING = RandomOpenings(8, 1).of_round(0)


def engines(*specs: str) -> tuple[EngineConfig, ...]:
    """Return the engines that command-line words describe, one text each."""
    made: list[EngineConfig] = []
    for spec in specs:
        made.append(engine_config(settings_of_words(shlex.split(spec)), [engine.name for engine in made]))
    return tuple(made)


def mock_spec(*flags: str, dialect: str = "gtp", settings: str = "st=5") -> str:
    """Return the words for a mock engine, with a generous start time for busy machines."""
    patience = "" if "start=" in settings else " start=120"
    return f"cmd={shlex.quote(shlex.join(mock(dialect, *flags)))} proto={dialect} {settings}{patience}"


def job(black: str, white: str, *, opening: Opening = OPENING, rules: Rules | None = None, seed: str = "0") -> GameJob:
    """Return a game between two engines."""
    first, second = engines(black, white)
    return GameJob(GameTask(0, 0, 0, 0, 1), first, second, opening, rules or Rules(), seed)


def match(*specs: str, **settings: Any) -> MatchConfig:
    """Return a match between engines."""
    settings["format"] = MatchFormat(settings.get("format", MatchFormat.PAIR))
    return MatchConfig(engines=engines(*(specs or ("random name=A", "random name=B"))), **settings)


class HereBackend:
    """Plays the games in this process: starting a pool takes longer."""

    def __init__(self, slots: int, cores: int = 0) -> None:
        self.slots = slots
        self._host, self._ended = EngineHost(), list[GameReport]()

    def start(self, job: GameJob) -> None:
        self._ended.append(self._host.play(job))

    def wait(self, timeout_s: float) -> list[GameReport]:
        ended, self._ended = self._ended, []
        return ended

    def close(self) -> None:
        self._host.close()


def random_game(rng: random.Random, opening: Opening) -> Game:
    """Return a whole game of random moves from an opening."""
    game = opening.game()
    while not game.is_over:
        game.play(rng.choice(game.position.legal_moves or (PASS,)))
    return game


def report_of(task: GameTask, opening: Opening, game: Game, **changes: Any) -> GameReport:
    """Return the report of a game."""
    played = tuple(
        MoveReport(ply, game.position_at(ply).color, 0.01, 1.0, 2.0, "8@73%", 1000)
        for ply in range(len(opening.moves), game.ply)
        if game.moves[ply] != PASS
    )
    names = {field.name for field in fields(GameOutcome)} & set(changes)
    known = {"ending": Ending.BOARD, "discs": game.final_score, **{name: changes.pop(name) for name in names}}
    outcome = GameOutcome(**known)
    facts = {"played": played, "identities": ("one 1", "two 2"), "machine": "here", **changes}
    return GameReport(task, opening, game.moves, outcome, **facts)


class SimulatedBackend:
    """Ends every game at once, with the outcome of `outcome(job)`: the loser, or None for a draw.

    The loser resigns, or fails by `ending` with `detail`.
    """

    def __init__(
        self,
        outcome: Callable[[GameJob], Color | None],
        slots: int = 2,
        ending: Ending = Ending.RESIGNATION,
        detail: str = "",
    ) -> None:
        self.slots = slots
        self.played = 0
        self._outcome = outcome
        self._ending = ending
        self._detail = detail
        self._ended: list[GameReport] = []

    def start(self, job: GameJob) -> None:
        self.played += 1
        loser = self._outcome(job)
        discs = 0 if loser is None else None
        ending = Ending.BOARD if loser is None else self._ending
        # Different moves for every game, so that none is a repetition.
        moves = (*job.opening.moves, job.task.pair % 60, job.task.pair // 60 % 60, job.task.pair // 3600)
        outcome = GameOutcome(ending, loser, discs, self._detail)
        self._ended.append(GameReport(job.task, job.opening, moves, outcome))

    def wait(self, timeout_s: float) -> list[GameReport]:
        ended, self._ended = self._ended, []
        return ended

    def close(self) -> None:
        self._ended = []


class LegalGames:
    """Gives the games of another backend legal moves with scores and clocks."""

    def __init__(self, backend: SimulatedBackend) -> None:
        self._backend = backend
        self.slots = backend.slots

    def start(self, job: Any) -> None:
        self._backend.start(job)

    def wait(self, timeout_s: float) -> list[Any]:
        ended = []
        for report in self._backend.wait(timeout_s):
            game = random_game(random.Random(str(report.task)), report.opening)
            outcome = report.outcome
            ended.append(
                report_of(
                    report.task,
                    report.opening,
                    game,
                    ending=outcome.ending,
                    loser=outcome.loser,
                    discs=outcome.discs,
                    detail=outcome.detail,
                )
            )
        return ended

    def close(self) -> None:
        self._backend.close()


class Silent(MatchDisplay):
    """An observer that only remembers the games."""

    def __init__(self) -> None:
        self.seen: list[Result] = []

    def begin(self, match: Match) -> None:
        self.match = match

    def game(self, result: Result) -> None:
        self.seen.append(result)


class Impatient(Silent):
    """An observer that interrupts the match after a number of games."""

    def __init__(self, games: int) -> None:
        super().__init__()
        self._games = games

    def game(self, result: Result) -> None:
        super().game(result)
        if len(self.seen) == self._games:
            raise KeyboardInterrupt


class SameOpening(Openings):
    """One opening for all rounds."""

    count = 1

    def of_round(self, number: int) -> Opening:
        return Opening(Position.start())


def odd_games(path: Path) -> list[str]:
    """Write a store of odd games, and return the cells of the board at the end of each: passes, forfeits, own starts."""
    usual = Opening(Position.start())
    white_first = Opening(Position.parse("-" * 27 + "OX------XO" + "-" * 27 + " O"))
    passing = random_game(random.Random(565), usual)
    wiped_out = Game.from_transcript("e6f4e3f6g5d6e7f5c5")
    illegal: dict[str, Any] = {"ending": Ending.ILLEGAL, "loser": Color.WHITE, "discs": None, "detail": "played <a1>"}
    late: dict[str, Any] = {"ending": Ending.TIME, "loser": Color.BLACK, "discs": None}
    played: list[tuple[Opening, Game, dict[str, Any]]] = [
        (OPENING, random_game(random.Random(1), OPENING), {}),
        (Opening(Position.start(), passing.moves[:52]), passing, {}),
        (white_first, random_game(random.Random(2), white_first), {}),
        (usual, wiped_out, {}),
        (OPENING, OPENING.game(), late),
        (Opening(Position.start(), passing.moves[:20]), Game.from_transcript(passing.transcript()[:100]), illegal),
    ]
    config = match(rounds=len(played))
    with MatchStore(path) as store:
        stored = store.open_match(config, "here")
        for number, (opening, game, changes) in enumerate(played):
            store.add(stored.id, report_of(GameTask(number, 0, number, 0, 1), opening, game, **changes))
    return [game.position.to_string()[:64] for _, game, _ in played]


def on_openings(pairs: Sequence[int]) -> list[OpeningScore]:
    """Return the results of pairs of games, given by the number of each outcome, each on an opening of its own."""
    found = []
    for outcome, number in enumerate(pairs):
        for _ in range(number):
            found.append(OpeningScore(2, outcome / 2, [int(place == outcome) for place in range(5)]))
    return found


def met(wins: int, draws: int, losses: int, pairs: Sequence[int]) -> Meeting:
    """Return a meeting with these results, each pair of games on an opening of its own."""
    return Meeting(wins, draws, losses, {str(number): one for number, one in enumerate(on_openings(pairs))})
