"""The positions for the fit of the factors: labels, values by the tables, and which games are held out.

Whole games are held out: positions of one game are alike, and a fit that has seen one knows the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import feature_columns
from othello_bot.training import boards, calibration, columns, rounds
from othello_bot.training.boards import Bits
from othello_bot.training.evaluate import CLOSE
from othello_bot.training.fit import Reals
from othello_bot.training.store import Records, Store, without
from othello_bot.training.threads import Threads

HELD_OUT_SHARDS: Final = 12
"""One shard in this many of a collection is held out."""

EMPTIES: Final = range(4, 61)
"""Default numbers of empties for the fit of the factors."""

REFERENCE: Final = 20
"""Number of empties at which close positions have the extra weight of the option. It is smaller near the end, where a
search sees the end of the game and compares lopsided positions at its leaves.
"""

HALFWAY: Final = CLOSE + 1
"""Label, in discs, at which the extra weight is half of that of close positions: just beyond the close ones."""

_STEEPNESS: Final = 6
"""Steepness of the fall of the extra weight there."""

_CHUNK: Final = 65536
"""Positions evaluated at once where nothing is learned from them."""


@dataclass(frozen=True)
class Sample:
    """Positions of a fit: bitboards, their values by the tables and their labels, both in discs."""

    movers: Bits
    opponents: Bits
    base: Reals
    scores: Reals

    def __len__(self) -> int:
        return len(self.scores)

    def part(self, places: NDArray[Any]) -> Sample:
        """Return the positions at these indices, given as numbers or as a mask."""
        return Sample(self.movers[places], self.opponents[places], self.base[places], self.scores[places])

    def importance(self, close: float) -> Reals:
        """Return the weight of each position: 1, plus `close` at REFERENCE empties if its label is close.

        At other numbers of empties the extra weight changes in proportion.
        """
        empties = boards.empties(self.movers, self.opponents)
        more = empties * np.float32(close / REFERENCE)
        result: Reals = 1 + more / (1 + (self.scores / np.float32(HALFWAY)) ** _STEEPNESS)
        return result


def base_values(movers: Bits, opponents: Bits, content: weights_file.Parts) -> Reals:
    """Return the positions' values by the tables of a weights file, without its factors, in discs.

    Raise WeightsError if the number of weights in a stage is not that of this program.
    """
    stages = np.array(list(content.stage_of_empties))
    entries = np.frombuffer(content.reduced, "<i2").reshape(stages.max() + 1, -1)
    if entries.shape[1] != columns.reduced_size():
        raise weights_file.WeightsError(
            f"weights: {entries.shape[1]} of a stage: this program has {columns.reduced_size()}"
        )
    tables = [of_stage[columns.reduced_index()] for of_stage in entries]
    result = np.empty(len(movers), np.float32)

    def write(stage: int, part: NDArray[Any]) -> None:
        full = np.empty((len(part), columns.TERMS), np.int32)
        feature_columns(movers[part], opponents[part], full)
        result[part] = np.take(tables[stage], full).sum(axis=1, dtype=np.int32) / np.float32(columns.UNIT)

    with Threads() as threads:
        threads.all(partial(write, stage, part) for stage, part in by_stage(stages[boards.empties(movers, opponents)]))
    return result


def by_stage(stages: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield each stage with indices of its positions, in parts that are evaluated at once."""
    for stage in np.unique(stages):
        places = np.flatnonzero(stages == stage)
        for start in range(0, len(places), _CHUNK):
            yield int(stage), places[start : start + _CHUNK]


def is_held_out(shard: int) -> bool:
    """Return whether the games of a shard, given its number, are held out."""
    return shard % HELD_OUT_SHARDS == 0


def collect(
    store: Store,
    content: weights_file.Parts,
    numbers: range,
    excluded: NDArray[np.uint64],
    earliest: int = 1,
    factors: calibration.Factors | None = None,
) -> tuple[Sample, Sample]:
    """Return the training and the held-out positions of parted() as samples.

    `factors`: those by which labels from searches are stretched. Raise InputError as parted() does.
    """
    parts = parted(store, numbers, excluded, earliest)
    trained, held = (sample(records, content, factors) for records in parts)
    return trained, held


def parted(store: Store, numbers: range, excluded: NDArray[np.uint64], earliest: int = 1) -> Iterator[Records]:
    """Return the labelled positions with those numbers of empties: the training ones, then the held-out ones.

    Each comes once under symmetry, with its best label, and none that is in `excluded`. Positions that games of both
    kinds reached are training positions. Raise InputError if either part is empty.
    """

    def best(held_out: bool) -> dict[int, Records]:
        shards = [path for path in store.shards() if is_held_out(store.number(path)) is held_out]
        return rounds.best_by_empties(store, numbers, excluded, earliest, shards)

    trained = _joined(best(False), store, "games to train on", numbers)
    yield trained
    known = np.unique(boards.keys(trained["mover"], trained["opponent"]))
    held = {count: without(records, known) for count, records in best(True).items()}
    yield _joined(held, store, "held-out games", numbers)


def _joined(by_empties: dict[int, Records], store: Store, what: str, numbers: range) -> Records:
    if not sum(map(len, by_empties.values())):
        span = f"{numbers.start}-{numbers.stop - 1}"
        raise InputError("empties", span, f"labelled positions of {what} in {store.folder}")
    return np.concatenate(list(by_empties.values()))


def sample(records: Records, content: weights_file.Parts, factors: calibration.Factors | None = None) -> Sample:
    """Return labelled positions as a sample of the fit."""
    movers, opponents = records["mover"].copy(), records["opponent"].copy()
    base = base_values(movers, opponents, content)
    return Sample(movers, opponents, base, calibration.stretched(records, factors or {}))
