"""Tunings with simulated games, whose optimum is planted."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from typing import Any

from othello_bot.arena import tune
from othello_bot.arena.config import EngineConfig
from othello_bot.arena.games import GameJob
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.spsa import SpsaIteration
from othello_bot.arena.store import MatchStore
from othello_bot.arena.tune import TuningMatch, configuration, resumed
from othello_bot.base.notation import Color
from tests.arena.builders import LegalGames, Silent, SimulatedBackend

OPENINGS = RandomOpenings(8, 1)

OPTIMUM = {"width": 12.0, "plies": 3.0, "share": 0.25}
STEPS = {"width": 2.0, "plies": 1.0, "share": 0.1}
PLANTED = ("--tune", "width=4,0,20,2", "plies=6,1,9,1,int", "share=0.7,0,1,0.1")


def values_of(engine: EngineConfig) -> dict[str, float]:
    return {name: float(value) for name, value in engine.options if name in OPTIMUM}


def elo(engine: EngineConfig) -> float:
    """Return how strong an engine of the planted optimum is."""
    return -10 * sum(((value - OPTIMUM[name]) / STEPS[name]) ** 2 for name, value in values_of(engine).items())


def planted(job: GameJob) -> Color:
    """Return who loses, by chance, which the seed of the game decides."""
    black = 1 / (1 + 10 ** ((elo(job.white) - elo(job.black)) / 400))
    return Color.WHITE if random.Random(job.seed).random() < black else Color.BLACK


def arguments(*words: object, engine: Sequence[str] = ("cmd=mock", "st=1")) -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    tune.add_arguments(parser)
    return parser.parse_args(["--engine", *engine, *map(str, words)])


class SimulatedTuning:
    """A tuning in a store, with simulated games."""

    def __init__(
        self,
        store: MatchStore,
        *words: object,
        outcome: Callable[[GameJob], Color | None] = planted,
        legal: bool = False,
    ) -> None:
        config, tuning, engine = configuration(arguments(*words))
        self.backend = SimulatedBackend(outcome, slots=4)
        tuning = resumed(store, config, tuning)
        backend: Any = LegalGames(self.backend) if legal else self.backend
        self.match = TuningMatch(config, OPENINGS, store, backend, tuning, engine)

    def run(self, observer: Any = None) -> list[SpsaIteration]:
        """Play all games; return the iterations."""
        self.match.run(observer or Silent())
        return self.match.walk.done

    def value(self, name: str) -> float:
        names = [one.name for one in self.match.walk.tuning.parameters]
        return self.match.walk.values[names.index(name)]
