"""What the factors are fitted to: labelled positions with what the tables say of them, and which games are held out.

Whole games are held out: positions of one game are alike, and a fit that had seen the one would know the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.errors import InputError
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel.columns import feature_columns
from othello_bot.learning import boards, calibration, columns, rounds
from othello_bot.learning.boards import Bits
from othello_bot.learning.evaluate import CLOSE
from othello_bot.learning.fit import Reals
from othello_bot.learning.store import Records, Store, without
from othello_bot.learning.threads import Threads

HELD_OUT_SHARDS: Final = 12
"""Every so many shards of a collection one is held out."""

EMPTIES: Final = range(4, 61)
"""Numbers of empties that the factors are fitted to unless others are asked for."""

REFERENCE: Final = 20
"""With so many empties close positions count more as the option says. Nearer to the end it is less: there a search sees
the end itself, and lopsided positions at its leaves are among what it compares.
"""

HALFWAY: Final = CLOSE + 1
"""At this label, in discs, a position counts half of what close ones count more: just beyond those that are close."""

_STEEPNESS: Final = 6
"""How steeply it falls there."""

_CHUNK: Final = 65536
"""Positions that are evaluated at once where nothing is learned from them."""


@dataclass(frozen=True)
class Sample:
    """Positions of a fit: bitboards, what the tables say and the labels, both in discs."""

    movers: Bits
    opponents: Bits
    base: Reals
    scores: Reals

    def __len__(self) -> int:
        return len(self.scores)

    def part(self, places: NDArray[Any]) -> Sample:
        """Return the positions at these places, given as numbers or as a mask."""
        return Sample(self.movers[places], self.opponents[places], self.base[places], self.scores[places])

    def importance(self, close: float) -> Reals:
        """Return what each position counts: 1, and where its label is close `close` more with REFERENCE empties.

        With other numbers of empties it is more or less in proportion.
        """
        empties = boards.empties(self.movers, self.opponents)
        more = empties * np.float32(close / REFERENCE)
        result: Reals = 1 + more / (1 + (self.scores / np.float32(HALFWAY)) ** _STEEPNESS)
        return result


def base_values(movers: Bits, opponents: Bits, content: weights_file.Parts) -> Reals:
    """Return in discs what the tables of a weights file say of the positions, without its factors.

    Raise WeightsError where its stages have another number of weights than this program's.
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
    """Yield each stage with places that have it, in parts that are evaluated at once."""
    for stage in np.unique(stages):
        places = np.flatnonzero(stages == stage)
        for start in range(0, len(places), _CHUNK):
            yield int(stage), places[start : start + _CHUNK]


def is_held_out(shard: int) -> bool:
    """Return whether the games of the shard with that number are held out."""
    return shard % HELD_OUT_SHARDS == 0


def collect(
    store: Store,
    content: weights_file.Parts,
    numbers: range,
    excluded: NDArray[np.uint64],
    earliest: int = 1,
    factors: calibration.Factors | None = None,
) -> tuple[Sample, Sample]:
    """Return the positions that parted() gives as a fit takes them: what is trained on and what is held out.

    `factors`: by what labels of searches are stretched. Raise InputError as parted() does.
    """
    trained, held = (sample(records, content, factors) for records in parted(store, numbers, excluded, earliest))
    return trained, held


def parted(store: Store, numbers: range, excluded: NDArray[np.uint64], earliest: int = 1) -> Iterator[Records]:
    """Yield the labelled positions with those numbers of empties: what is trained on, then what is held out.

    Each comes once under symmetry, with the best label it has; those in `excluded` not at all. What games of both
    kinds reached is trained on and not held out. Raise InputError where there is nothing of a kind.
    """
    known = np.zeros(0, np.uint64)
    for held_out in (False, True):
        shards = [path for path in store.shards() if is_held_out(store.number(path)) is held_out]
        by_empties = rounds.best_by_empties(store, numbers, excluded, earliest, shards)
        parts = [without(records, known) for records in by_empties.values()]
        if not sum(map(len, parts)):
            what = "held-out games" if held_out else "games to train on"
            span = f"{numbers.start}-{numbers.stop - 1}"
            raise InputError("empties", span, f"labelled positions of {what} in {store.folder}")
        records = np.concatenate(parts)
        known = np.unique(boards.keys(records["mover"], records["opponent"]))
        yield records


def sample(records: Records, content: weights_file.Parts, factors: calibration.Factors | None = None) -> Sample:
    """Return labelled positions as a fit takes them."""
    movers, opponents = records["mover"].copy(), records["opponent"].copy()
    base = base_values(movers, opponents, content)
    return Sample(movers, opponents, base, calibration.stretched(records, factors or {}))
