"""The rounds that produced the shipped function, and the driver that runs them.

Only the first round's own fits use its games, which the hand-made evaluation played: measured, positions from better
games teach more, and adding these to them gains nothing.

A round plays games with the function of the round before, labels them, and fits the tables, then the factors on top of
them. The first round has no function yet: it works backwards from the end of the game, labels a few numbers of empties
with the stages behind them, fits those, and so on. The factors follow when all stages are fitted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole
from othello_bot.cluster import Workers
from othello_bot.training import factor_fit, factor_learner, factors, fit, games, labels, report, rounds
from othello_bot.training.boards import EXACT, PositionStore
from othello_bot.training.games import SelfPlay
from othello_bot.training.labels import Band
from othello_bot.training.progress import Unfinished


@dataclass(frozen=True)
class SchedulePart:
    """Labels for the first `shards` shards (0: all) of a round, and the stages fitted next."""

    bands: tuple[Band, ...]
    stages: range
    shards: int = 0


@dataclass(frozen=True)
class Collection:
    """The games of the shards `name`-00000 and following."""

    name: str
    play: SelfPlay
    shards: int


@dataclass(frozen=True)
class Round:
    """The games of its collections, then its parts in order.

    `again`: bands in which all collections from the second round on are labelled again before the first part.
    `options`: for the fits of the tables; `factor_options`: for the factors; `calibrated`: stretch labels from searches
    in both fits by the factors measured on solved positions.
    """

    collections: tuple[Collection, ...]
    parts: tuple[SchedulePart, ...]
    options: fit.FitOptions
    factor_options: factor_learner.Options
    again: tuple[Band, ...] = ()
    calibrated: bool = False


_ALL: Final = range(rounds.STAGES)

_BALANCED: Final = SelfPlay(
    games=2000, fewest_random=2, most_random=18, depths=(1, 2, 3, 4, 4), random_share=(0, 0, 0, 0.02, 0.05, 0.15)
)

_LABELS: Final = (
    Band(0, 12, EXACT),
    Band(13, 16, 6, 0),
    Band(17, 24, 5, 0),
    Band(25, 36, 5, 0, share=3),
    Band(37, 60, 5, 0, share=6),
)
"""Exact scores to 12 empties, then searches that prune at 73 %, measured to be as good as full width and much cheaper.
Neighbouring positions of the opening are much alike, so only some of them are searched.
"""

_DEEPER_LABELS: Final = (
    Band(0, 14, EXACT),
    Band(15, 16, 8, 0),
    Band(17, 24, 6, 0),
    *_LABELS[3:],
)


def _backwards() -> tuple[SchedulePart, ...]:
    parts = [SchedulePart((Band(0, 12, EXACT),), range(6))]
    for first in range(6, rounds.STAGES, 2):
        stages = range(first, first + 2)
        counts = [count for stage in stages for count in rounds.empties_of_stage(stage)]
        lowest, highest = min(counts), max(counts)
        parts.append(SchedulePart((Band(lowest, highest, 5 if lowest < 17 else 4),), stages, shards=70))
    return tuple(parts)


_FOR_LABELS: Final = fit.FitOptions(spread=80, early_spread=80)
"""A function whose fit favours close positions returns values slightly too close to zero. That helps play, but labels
based on it would be too small, and those of the next round smaller still. So only the last fit favours them.
"""

_FACTORS_FOR_LABELS: Final = factor_learner.Options(close=0, scale_close=0)

ROUNDS: Final = (
    Round((Collection("hand", SelfPlay(games=2000), 300),), _backwards(), _FOR_LABELS, _FACTORS_FOR_LABELS),
    Round((Collection("r3", _BALANCED, 26),), (SchedulePart(_LABELS, _ALL),), _FOR_LABELS, _FACTORS_FOR_LABELS),
    Round((Collection("r4", _BALANCED, 101),), (SchedulePart(_LABELS, _ALL),), _FOR_LABELS, _FACTORS_FOR_LABELS),
    Round(
        (Collection("r5", _BALANCED, 38),),
        (SchedulePart(_LABELS, _ALL),),
        fit.FitOptions(early_spread=25),
        factor_learner.Options(),
        again=tuple(replace(band, refresh=True) for band in _LABELS[1:3]),
        calibrated=True,
    ),
    Round(
        (
            Collection("r6", SelfPlay(games=2000, most_random=14), 243),
            Collection("r7", SelfPlay(games=2000, openings="lines", fewest_random=0, most_random=6), 10),
            Collection("r8", SelfPlay(games=2000, openings="book", fewest_random=0, most_random=6), 5),
        ),
        (SchedulePart(_DEEPER_LABELS, _ALL),),
        fit.FitOptions(),
        factor_learner.Options(),
        calibrated=True,
    ),
)


def shared(plan: Sequence[Round], share: float) -> list[Round]:
    """Return the plan with that share of the shards of every collection, at least two: one of them is held out."""

    def fewer(shards: int) -> int:
        return max(2, math.ceil(shards * share))

    return [
        replace(
            this,
            collections=tuple(replace(each, shards=fewer(each.shards)) for each in this.collections),
            parts=tuple(replace(part, shards=part.shards and fewer(part.shards)) for part in this.parts),
        )
        for this in plan
    ]


def begin(store: PositionStore, seed: int, share: float) -> None:
    """Record in the store's folder the settings of its rounds.

    Raise InputError if it was begun with other settings, because the result would be a mixture.
    """
    path = store.folder / "learn.json"
    settings = {"seed": seed, "share": share}
    if not path.exists():
        write_whole(path, json.dumps(settings).encode())
        return
    begun = json.loads(path.read_text())
    if begun != settings:
        raise InputError(
            "seed and share",
            f"{seed}, {share}",
            f"{begun['seed']}, {begun['share']}, as the rounds in {store.folder} were begun, or another folder",
        )


def learn(
    store: PositionStore, workers: Workers, excluded: NDArray[np.uint64], seed: int, plan: Sequence[Round] = ROUNDS
) -> Path:
    """Run the rounds, skipping what is already done; return the file of the last function.

    Every part writes a function to the store's folder, functions/ROUND-PART.weights, which marks the progress. The
    round ends with functions/ROUND-factors.weights, the tables of its last part with factors, which the next round
    plays and labels with. The reports of the fits are beside them.
    """
    data: bytes | None = None
    alone: bytes | None = None  # the tables as fitted, before the fit of the factors adjusted them
    path = store.folder
    for number, this in enumerate(plan, 1):
        before = data
        for each in this.collections:
            games.make_positions(store, workers, each.name, range(each.shards), each.play, before, seed)
        function = rounds.Function() if alone is None else rounds.Function.from_bytes(alone)
        for index, part in enumerate(this.parts, 1):
            path = store.folder / "functions" / f"{number:02d}-{index:02d}.weights"
            if not path.exists():
                _label_part(store, workers, plan, (number, index), data)
                if this.calibrated and number not in labels.calibrated(store.folder):
                    labels.calibrate(store, workers, data, seed, number)
                stretch = labels.calibrated(store.folder) if this.calibrated else {}
                by_empties = rounds.collect(store, part.stages, excluded, _earliest(number))
                stages = [stage for stage in part.stages if rounds.has_positions(by_empties, stage)]
                # One by one if there is no function yet: each stage starts from the one behind it.
                fitted = []
                unfinished = Unfinished.of(path)
                for group in [[stage] for stage in stages] if before is None else [stages]:
                    fitted += rounds.fit_stages(workers, by_empties, function, group, this.options, stretch, unfinished)
                report.write(fitted, path.parent, path.stem)
                write_whole(path, function.to_bytes())
                unfinished.remove()
            data = alone = path.read_bytes()
            function = rounds.Function.from_bytes(alone)
            if before is None:
                function.fitted[part.stages.stop :] = False
        path = store.folder / "functions" / f"{number:02d}-factors.weights"
        if not path.exists():
            assert alone is not None
            stretch = labels.calibrated(store.folder) if this.calibrated else {}
            options = replace(this.factor_options, seed=seed)
            tables = factor_fit.tables_of(alone)
            trained, held = factors.collect(store, tables, factors.EMPTIES, excluded, _earliest(number), stretch)
            factor_fit.fit_factors(tables, trained, held, options, path)
        data = path.read_bytes()
    return path


def _label_part(
    store: PositionStore, workers: Workers, plan: Sequence[Round], place: tuple[int, int], data: bytes | None
) -> None:
    """Label the positions of a part of the plan; `place`: number of the round, number of the part, both from 1.

    The first part of a round also labels those of earlier rounds again, where the round says so.
    """
    number, index = place
    this, part = plan[number - 1], plan[number - 1].parts[index - 1]
    if this.again and index == 1:
        earlier = [each for other in plan[1 : number - 1] for each in other.collections]
        shards = [shard for each in earlier for shard in store.shards(each.name)]
        labels.label(store, workers, shards, this.again, data, number)
    for each in this.collections:
        labels.label(store, workers, store.shards(each.name)[: part.shards or None], part.bands, data, number)


def _earliest(number: int) -> int:
    """Return the first round whose labels a round's fits use: only the first round uses its own labels."""
    return min(number, 2)
