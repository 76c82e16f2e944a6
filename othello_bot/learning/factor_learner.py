"""One step after the other of the fit of the factors: what it moves, and how a batch of positions moves it.

Minimised is Huber's loss of (value - label), close labels counting more, by Adam (adam.py). A batch has positions of
one stage, for those share a table, and of one phase, for those share rows. Its work is divided among threads, by
positions or by channels, so that the sums do not depend on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from othello_bot.errors import InputError
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import patterns
from othello_bot.learning import boards, columns, scale
from othello_bot.learning.adam import Adam
from othello_bot.learning.factor_samples import Sample
from othello_bot.learning.factors import (
    PHASE_ENDS,
    PHASE_OF_EMPTIES,
    SHIFTS,
    TERMS,
    added,
    parameters_of,
    reduced_size,
    rows,
    slope,
)
from othello_bot.learning.fit import Reals
from othello_bot.learning.threads import Threads, spans
from othello_bot.learning.unfinished import State

_DEVIATION: Final = 0.02
"""Random numbers that the rows begin with have this deviation, in roots of a disc: squares at zero would never move."""

_ADDED: Final = 4
"""An added channel is in discs, which are larger numbers than their roots: it begins and moves so much wider."""

RATES: Final = "row_rate", "shared_row_rate", "table_rate", "shared_table_rate", "scale_rate"
"""The options that say how far steps move what is learned."""

_POSITIONS: Final = 2048
"""Positions whose sums one task makes."""

_CHANNELS: Final = 4
"""Channels whose gradient one task makes at least: each task goes through all rows of a batch."""


@dataclass(frozen=True)
class Options:
    """How the factors are fitted.

    `epochs`: how often every position is read, `batch` of them at a time; 0 sets the scale alone of a function that the
    fit goes on with.
    `row_rate`: how far a step moves a number of a phase's rows at most, about, in roots of a disc;
    `shared_row_rate`: the same for what the rows of all phases move together.
    `table_rate`: the same for the tables' weights, in discs, those of each stage for themselves; `shared_table_rate`:
    for what the tables of all stages move together. Both 0: they stay as they are.
    `scale_rate`: the same for the slopes of the scale; 0: there is none, values are the sums themselves.
    `delta`: where Huber's loss becomes linear, in discs.
    `close`: how many times more a position counts whose label is close, on top of the 1 that each counts, with
    factor_samples.REFERENCE empties, and in proportion with more or fewer. `scale_close`: the same for the scale alone,
    when all else has been learned.
    `ridge`: what the sum of all squares of the rows costs, beside the mean loss of a position.
    """

    epochs: int = 3
    batch: int = 8192
    row_rate: float = 0.002
    shared_row_rate: float = 0.002
    table_rate: float = 0.01
    shared_table_rate: float = 0.03
    scale_rate: float = 0.01
    delta: float = 2.0
    close: float = 3.0
    scale_close: float = 12.0
    ridge: float = 0.0
    seed: int = 4

    def __post_init__(self) -> None:
        for name, least in (("epochs", 0), ("batch", 1)):
            if getattr(self, name) < least:
                raise InputError(name, getattr(self, name), f"{least} or more")
        if not self.delta > 0:
            raise InputError("delta", self.delta, "more than 0")
        for name in (*RATES, "close", "scale_close", "ridge"):
            if not getattr(self, name) >= 0:
                raise InputError(name, getattr(self, name), "0 or more")
        if not self.row_rate + self.shared_row_rate > 0:
            raise InputError("row_rate", self.row_rate, "more than 0 where shared_row_rate is 0")

    @property
    def moves_tables(self) -> bool:
        """Whether the tables move along."""
        return self.table_rate > 0 or self.shared_table_rate > 0


@dataclass
class Learned:
    """What a fit moves.

    `factors` of each phase in discs and roots of a disc (phases x factors.rows()'s columns x channels), beside what
    those of all phases have in common (`shared_factors`: columns x channels); `moved`: how far the tables' weights
    moved, in discs (stages x reduced weights), beside what those of all stages moved together (`shared_moved`: reduced
    weights); `slopes` of the scale (stages x scale.LINES).
    """

    factors: Reals
    shared_factors: Reals
    moved: Reals
    shared_moved: Reals
    slopes: Reals

    def copy(self) -> Learned:
        """Return what further steps leave alone."""
        return Learned(*(getattr(self, each.name).copy() for each in fields(self)))

    def factors_in(self, phase: int) -> Reals:
        """Return the factors of a phase, with what all phases have in common."""
        result: Reals = self.factors[phase] + self.shared_factors
        return result

    def moved_in(self, stage: int) -> Reals:
        """Return how far the weights of a stage moved, with what those of all stages moved together."""
        result: Reals = self.moved[stage] + self.shared_moved
        return result


@dataclass(frozen=True)
class Batch:
    """Positions that are learned from together: their places in a sample, `rows()` of them, their `stage` and `phase`.

    `tables`: columns.rows() of them; None where the tables stay as they are.
    """

    places: NDArray[Any]
    rows: Any
    stage: int
    phase: int
    tables: Any


@dataclass(frozen=True)
class Reading:
    """What is said of a batch: the positions' `sums` of rows, their `totals` with the tables before the scale, how they
    lie on the scale's `lines` (scale.covered()), and by how many discs the values are above the labels.
    """

    sums: Reals
    totals: Reals
    lines: Reals
    errors: Reals


def phases(sample: Sample) -> NDArray[np.uint8]:
    """Return the phases of the game of the positions."""
    result: NDArray[np.uint8] = PHASE_OF_EMPTIES[boards.empties(sample.movers, sample.opponents)]
    return result


def groups_of(sample: Sample, stages: NDArray[Any]) -> NDArray[Any]:
    """Return numbers that positions of one stage and one phase share; divmod() by the phases takes them apart."""
    result: NDArray[Any] = stages * len(PHASE_ENDS) + phases(sample)
    return result


def _part(matrix: Any, part: slice) -> Any:
    """Return some rows of factors.rows()'s matrix, which all have as many entries; nothing is copied."""
    entries = slice(part.start * (TERMS + 1), part.stop * (TERMS + 1))
    bounds = matrix.indptr[: part.stop - part.start + 1]
    shape = (part.stop - part.start, matrix.shape[1])
    return sparse.csr_matrix((matrix.data[entries], matrix.indices[entries], bounds), shape=shape, copy=False)


class Learner:
    """Parameters on their way, in `learned`: from random numbers, or from the factors of a function, `start`."""

    def __init__(
        self,
        stage_of_empties: Sequence[int],
        options: Options,
        threads: Threads,
        start: weights_file.Factors | None = None,
    ) -> None:
        wider = np.array([_ADDED] + [1] * (patterns.CHANNELS - 1), np.float32)
        shape = (reduced_size() + SHIFTS, patterns.CHANNELS)
        self.options = options
        self.start = start
        self._seen = np.zeros(shape[0], np.bool_)
        self.stage_of = np.array(stage_of_empties)
        self._threads = threads
        stages = int(self.stage_of.max()) + 1
        moved = np.zeros((stages, columns.reduced_size()), np.float32)
        if start is None:
            rng = np.random.default_rng(options.seed)
            shared: Reals = rng.standard_normal(shape, np.float32) * _DEVIATION * wider
            shared[reduced_size() :] = 0
            factors: Reals = np.zeros((len(PHASE_ENDS), *shape), np.float32)
        else:
            shared, factors = np.zeros(shape, np.float32), parameters_of(start)
        self.learned = Learned(factors, shared, moved, np.zeros_like(moved[0]), scale.level(stages))
        rates = {name: np.float32(getattr(options, name)) for name in RATES}
        self._row_adams = [Adam(shape, rates["row_rate"] * wider) for _ in PHASE_ENDS]
        self._shared_row_adam = Adam(shape, rates["shared_row_rate"] * wider)
        self._table_adams = [Adam(moved[0].shape, rates["table_rate"]) for _ in range(stages)]
        self._shared_table_adam = Adam(moved[0].shape, rates["shared_table_rate"])
        self._scale_adams = [Adam((scale.LINES,), rates["scale_rate"]) for _ in range(stages)]

    def stages(self, sample: Sample) -> NDArray[Any]:
        """Return the stages of the positions."""
        result: NDArray[Any] = self.stage_of[boards.empties(sample.movers, sample.opponents)]
        return result

    def batches(self, sample: Sample, groups: NDArray[Any], parts: Sequence[NDArray[Any]]) -> Iterator[Batch]:
        """Yield the batches, each of which a thread makes while the one before is learned from."""

        def make(places: NDArray[Any]) -> Batch:
            movers, opponents = sample.movers[places], sample.opponents[places]
            tables = columns.rows(movers, opponents) if self.options.moves_tables else None
            return Batch(places, rows(movers, opponents), *divmod(int(groups[places[0]]), len(PHASE_ENDS)), tables)

        if not parts:
            return
        coming = self._threads.start(partial(make, parts[0]))
        for places in parts[1:]:
            ready, coming = coming.result(), self._threads.start(partial(make, places))
            yield ready
        yield coming.result()

    def read(self, batch: Batch, base: Reals, scores: Reals) -> Reading:
        """Return what is said of a batch's positions, of which the tables at the start say `base`."""
        factors = self.learned.factors_in(batch.phase)

        def of(part: slice) -> tuple[Reals, Reals]:
            return added(_part(batch.rows, part), factors)

        parts = self._threads.all(partial(of, part) for part in spans(len(scores), _POSITIONS))
        sums, totals = (np.concatenate(each) for each in zip(*parts, strict=True))
        totals += base
        if batch.tables is not None:
            totals += batch.tables @ self.learned.moved_in(batch.stage)
        lines = scale.covered(totals)
        return Reading(sums, totals, lines, lines @ self.learned.slopes[batch.stage] - scores)

    def learn(self, batch: Batch, reading: Reading, counts: Reals, share: float) -> None:
        """Take a step of `share` of the rates; `counts`: what each position counts."""
        learned, slopes = self.learned, self.learned.slopes[batch.stage]
        pull_of_values = np.clip(reading.errors, -self.options.delta, self.options.delta) * counts
        pull = pull_of_values * scale.slopes_at(reading.totals, slopes)
        of_tables = None if batch.tables is None else self._threads.start(lambda: batch.tables.T @ pull)
        gradient = self._gradient(batch, slope(reading.sums, pull))
        tasks = self._shared_row_adam.step(learned.shared_factors, gradient, share)
        tasks += self._row_adams[batch.phase].step(learned.factors[batch.phase], gradient, share)
        if of_tables is not None:
            tasks += self._shared_table_adam.step(learned.shared_moved, of_tables.result(), share)
            tasks += self._table_adams[batch.stage].step(learned.moved[batch.stage], of_tables.result(), share)
        if self.options.scale_rate:
            tasks += self._scale_adams[batch.stage].step(slopes, reading.lines.T @ pull_of_values, share)
        self._threads.all(tasks)
        self._seen[batch.rows.indices] = True
        if self.options.scale_rate:
            scale.kept_within(slopes)

    def forget_unseen(self) -> None:
        """Let states that no position had so far say nothing, rather than what they began with."""
        self.learned.shared_factors[~self._seen] = 0

    def _gradient(self, batch: Batch, slopes: Reals) -> Reals:
        """Return the gradient by a phase's factors, given that by the positions' sums."""
        result: Reals = np.empty((batch.rows.shape[1], patterns.CHANNELS), np.float32)

        def write(channels: slice) -> None:
            result[:, channels] = batch.rows.T @ np.ascontiguousarray(slopes[:, channels])

        each = max(_CHANNELS, -(-patterns.CHANNELS // self._threads.count))
        self._threads.all(partial(write, channels) for channels in spans(patterns.CHANNELS, each))
        if self.options.ridge:
            factors = self.learned.factors_in(batch.phase)
            result[: reduced_size()] += np.float32(2 * self.options.ridge) * factors[: reduced_size()]
        return result

    def state(self) -> State:
        """Return all that steps change, by name; restore() takes it back."""
        result = {f"learned.{each.name}": getattr(self.learned, each.name) for each in fields(self.learned)}
        result["seen"] = self._seen
        for name, adam in self._adams():
            result |= {f"{name}.{part}": value for part, value in adam.state().items()}
        return result

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.learned = Learned(*(state[f"learned.{each.name}"] for each in fields(Learned)))
        self._seen = state["seen"]
        for name, adam in self._adams():
            adam.restore({part: state[f"{name}.{part}"] for part in adam.state()})

    def _adams(self) -> Iterator[tuple[str, Adam]]:
        yield "shared_rows", self._shared_row_adam
        yield "shared_tables", self._shared_table_adam
        for name, adams in (("rows", self._row_adams), ("tables", self._table_adams), ("scale", self._scale_adams)):
            for number, adam in enumerate(adams):
                yield f"{name}{number}", adam
