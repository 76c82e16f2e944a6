"""The pairwise factors as the fit sees them: a factorization machine over the states of small patterns.

S. Rendle, "Factorization Machines" (2010). Every state of the factor patterns, of the counts and of the sets of moves
has a row of numbers, the channels, for each phase of the game. A position's rows are summed, with the shift of its
number of empties. The first sum is added to the tables' value; the others are squared and added with fixed signs. So
every pair of states in a position contributes to its value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from othello_bot import kernel
from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import factor_columns, feature_columns, patterns
from othello_bot.training import boards, fit, labels, rounds, scale
from othello_bot.training.boards import Bits, PositionStore, Records, without
from othello_bot.training.fit import Reals
from othello_bot.training.measuring import CLOSE
from othello_bot.training.progress import Threads

TERMS: Final = len(patterns.FACTOR_FEATURES) + len(patterns.COUNTS) + 2 * len(patterns.MOVE_QUARTERS)
"""Number of rows in a position's sums, without the shift."""

SHIFTS: Final = 61
"""Number of shifts and scales: one for each number of empties."""

PHASE_ENDS: Final = (12, 18, 26, 60)
"""Highest number of empties of each phase of the game; each has its own rows. Late phases are shorter, because more is
at stake there.
"""

PHASE_OF_EMPTIES: Final[NDArray[np.uint8]] = np.searchsorted(PHASE_ENDS, np.arange(SHIFTS)).astype(np.uint8)


UNITS: Final[Reals] = np.array([1 / 16] + [1 / 64] * (patterns.CHANNELS - 1), np.float32)
"""The kernel's unit of each channel: discs if it is added, square roots of a disc if it is squared."""

SIGNS: Final[Reals] = np.array([0] + [1] * (patterns.CHANNELS // 2) + [-1] * (patterns.CHANNELS // 2 - 1), np.float32)
"""The signs of the squares. The first channel is added without squaring."""


@lru_cache(maxsize=1)
def reduced_index() -> NDArray[np.int32]:
    """Return the number of the shared row behind every full one; mirrored states of a symmetric pattern share a row."""
    result = np.empty(patterns.FACTOR_ROWS, np.int32)
    kernel.factor_reduced_index(result)
    return result


def reduced_size() -> int:
    """Return the number of shared rows. The shifts follow them in the parameters of a fit."""
    return int(reduced_index().max()) + 1


def rows(movers: Bits, opponents: Bits) -> Any:
    """Return the positions as a sparse matrix of float32: positions x (shared rows, then shifts), TERMS + 1 a row."""
    full = np.empty((len(movers), TERMS), np.int32)
    factor_columns(np.ascontiguousarray(movers), np.ascontiguousarray(opponents), full)
    indices = np.empty((len(movers), TERMS + 1), np.int32)
    np.take(reduced_index(), full, out=indices[:, :TERMS])
    indices[:, TERMS] = boards.empties(movers, opponents).astype(np.int32) + reduced_size()
    bounds = np.arange(0, indices.size + 1, TERMS + 1, dtype=np.int32)
    shape = (len(movers), reduced_size() + SHIFTS)
    return sparse.csr_matrix((np.ones(indices.size, np.float32), indices.ravel(), bounds), shape=shape, copy=False)


def added(matrix: Any, parameters: Reals) -> tuple[Reals, Reals]:
    """Return the positions' sums (positions x channels) and what they add to the tables' values, in discs."""
    sums: Reals = matrix @ parameters
    return sums, worth(sums)


def worth(sums: Reals) -> Reals:
    """Return what the positions' sums (positions x channels) add to the tables' values, in discs."""
    squares: Reals = np.square(sums)
    result: Reals = sums[:, 0] + squares @ SIGNS
    return result


def slope(sums: Reals, pull: Reals) -> Reals:
    """Return the gradient with respect to the positions' sums (both positions x channels), given that by their values."""
    result: Reals = 2 * SIGNS * sums
    result[:, 0] = 1
    result *= pull[:, None]
    return result


def quantised(parameters: Reals) -> tuple[weights_file.Factors, float]:
    """Return the parameters (phases x rows()'s columns x channels) in the kernel's units with a level scale, and the
    share of numbers that were clipped.
    """
    wanted = np.rint(parameters / UNITS)
    limits = np.full((wanted.shape[1], 1), patterns.LARGEST_FACTOR)
    limits[reduced_size() :] = patterns.LARGEST_SHIFT
    kept = np.clip(wanted, -limits, limits)
    shifts = kept[PHASE_OF_EMPTIES, reduced_size() + np.arange(SHIFTS)]
    return weights_file.Factors(
        phase_of_empties=PHASE_OF_EMPTIES.tobytes(),
        rows=kept[:, : reduced_size()].astype(np.int8).tobytes(),
        shift=shifts.astype("<i2").tobytes(),
        signs=SIGNS.astype(np.int8).tobytes(),
        scale=scale.quantised(scale.level(SHIFTS)).tobytes(),
    ), float((kept != wanted).mean())


def parameters_of(factors: weights_file.Factors) -> Reals:
    """Return the parameters of a weights file's factors for its own phases, in the form that quantised() takes."""
    phases = max(factors.phase_of_empties) + 1
    shared = np.frombuffer(factors.rows, np.int8).reshape(phases, -1, patterns.CHANNELS)
    shift = np.frombuffer(factors.shift, "<i2").reshape(1, -1, patterns.CHANNELS)
    return np.concatenate((shared, np.repeat(shift, phases, axis=0)), axis=1).astype(np.float32) * UNITS


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
class FactorSample:
    """Positions of a fit: bitboards, their values by the tables and their labels, both in discs."""

    movers: Bits
    opponents: Bits
    base: Reals
    scores: Reals

    def __len__(self) -> int:
        return len(self.scores)

    def part(self, places: NDArray[Any]) -> FactorSample:
        """Return the positions at these indices, given as numbers or as a mask."""
        return FactorSample(self.movers[places], self.opponents[places], self.base[places], self.scores[places])

    def importance(self, close: float) -> Reals:
        """Return the weight of each position: 1, plus `close` at REFERENCE empties if its label is close.

        At other numbers of empties the extra weight changes in proportion.
        """
        empties = boards.empties(self.movers, self.opponents)
        more = empties * np.float32(close / REFERENCE)
        result: Reals = 1 + more / (1 + (self.scores / np.float32(HALFWAY)) ** _STEEPNESS)
        return result


@dataclass(frozen=True)
class FactorErrors:
    """Mean absolute errors in discs: of all positions, of close ones (label within CLOSE discs), of all by weight."""

    all: float
    close: float
    weighted: float


@dataclass
class FittedFactors:
    """The result of a fit.

    `factors` in the kernel's units, with the final scale; `moved`: the changes of the tables' weights, in discs
    (float32, stages x reduced weights), rounded as the tables are; `slopes` of the final scale (SHIFTS x scale.LINES);
    `curve`: the weighted errors on the training and the held-out positions, first those of the start (the tables alone,
    or a function), then those after each epoch; `before`, `best`, `quantised`: the held-out errors of the start, of the
    best epoch, and of `factors` and `moved` as rounded; `errors`: by number of empties, as fit.by_empties() returns
    them; `clipped`: the share of factors that exceeded the kernel's integers.
    """

    factors: weights_file.Factors
    moved: Reals
    slopes: Reals
    positions: int
    before: FactorErrors
    best: FactorErrors
    quantised: FactorErrors
    clipped: float
    curve: list[tuple[float, float]] = field(default_factory=list)
    errors: dict[int, tuple[int, float, float]] = field(default_factory=dict)


def base_values(movers: Bits, opponents: Bits, content: weights_file.Parts) -> Reals:
    """Return the positions' values by the tables of a weights file, without its factors, in discs.

    Raise WeightsError if the number of weights in a stage is not that of this program.
    """
    stages = np.array(list(content.stage_of_empties))
    entries = np.frombuffer(content.reduced, "<i2").reshape(stages.max() + 1, -1)
    if entries.shape[1] != fit.reduced_size():
        raise weights_file.WeightsError(
            f"weights: {entries.shape[1]} of a stage: this program has {fit.reduced_size()}"
        )
    tables = [of_stage[fit.reduced_index()] for of_stage in entries]
    result = np.empty(len(movers), np.float32)

    def write(stage: int, part: NDArray[Any]) -> None:
        full = np.empty((len(part), fit.TERMS), np.int32)
        feature_columns(movers[part], opponents[part], full)
        result[part] = np.take(tables[stage], full).sum(axis=1, dtype=np.int32) / np.float32(fit.UNIT)

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
    store: PositionStore,
    content: weights_file.Parts,
    numbers: range,
    excluded: NDArray[np.uint64],
    earliest: int = 1,
    factors: labels.LabelFactors | None = None,
) -> tuple[FactorSample, FactorSample]:
    """Return the training and the held-out positions of parted() as samples.

    `factors`: those by which labels from searches are stretched. Raise InputError as parted() does.
    """
    parts = parted(store, numbers, excluded, earliest)
    trained, held = (sample(records, content, factors) for records in parts)
    return trained, held


def parted(store: PositionStore, numbers: range, excluded: NDArray[np.uint64], earliest: int = 1) -> Iterator[Records]:
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


def _joined(by_empties: dict[int, Records], store: PositionStore, what: str, numbers: range) -> Records:
    if not sum(map(len, by_empties.values())):
        span = f"{numbers.start}-{numbers.stop - 1}"
        raise InputError("empties", span, f"labelled positions of {what} in {store.folder}")
    return np.concatenate(list(by_empties.values()))


def sample(records: Records, content: weights_file.Parts, factors: labels.LabelFactors | None = None) -> FactorSample:
    """Return labelled positions as a sample of the fit."""
    movers, opponents = records["mover"].copy(), records["opponent"].copy()
    base = base_values(movers, opponents, content)
    return FactorSample(movers, opponents, base, labels.stretched(records, factors or {}))
