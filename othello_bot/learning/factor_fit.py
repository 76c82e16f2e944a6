"""The fit of the factors and the scale to what the sum of tables leaves out, in mini-batches; the tables move along.

Minimised is Huber's loss of (value - label), close labels counting more, by Adam (adam.py) with a rate that falls to
zero along a cosine. A batch has positions of one stage, for those share a table, and of one phase, for those share
rows. What is trained on and what is held out comes from factor_samples.py; the function itself stands in factors.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot import patterns
from othello_bot import weights as weights_file
from othello_bot.errors import InputError
from othello_bot.learning import boards, columns, fit, scale
from othello_bot.learning.adam import Adam, share_of_rate
from othello_bot.learning.evaluate import CLOSE
from othello_bot.learning.factor_samples import Sample, by_stage
from othello_bot.learning.factors import (
    PHASE_ENDS,
    PHASE_OF_EMPTIES,
    SHIFTS,
    added,
    parameters_of,
    quantised,
    reduced_size,
    rows,
    slope,
)
from othello_bot.learning.fit import Reals
from othello_bot.learning.progress import shown

#: Random numbers that the rows begin with have this deviation, in roots of a disc: squares at zero would never move.
_DEVIATION: Final = 0.02

#: An added channel is in discs, which are larger numbers than their roots: it begins and moves so much wider.
_ADDED: Final = 4


@dataclass(frozen=True)
class Options:
    """How the factors are fitted.

    `epochs`: how often every position is read, `batch` of them at a time.
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
        for name, least in (("epochs", 1), ("batch", 1)):
            if getattr(self, name) < least:
                raise InputError(name, getattr(self, name), f"{least} or more")
        if not self.delta > 0:
            raise InputError("delta", self.delta, "more than 0")
        rates = "row_rate", "shared_row_rate", "table_rate", "shared_table_rate", "scale_rate"
        for name in (*rates, "close", "scale_close", "ridge"):
            if not getattr(self, name) >= 0:
                raise InputError(name, getattr(self, name), "0 or more")
        if not self.row_rate + self.shared_row_rate > 0:
            raise InputError("row_rate", self.row_rate, "more than 0 where shared_row_rate is 0")

    @property
    def moves_tables(self) -> bool:
        """Whether the tables move along."""
        return self.table_rate > 0 or self.shared_table_rate > 0


@dataclass(frozen=True)
class Errors:
    """Mean absolute errors in discs: of all, of the close ones (label within CLOSE discs), of all weighted."""

    all: float
    close: float
    weighted: float


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


@dataclass
class Fitted:
    """What came out.

    `factors` in the kernel's units, with the final scale; `moved`: how far the tables' weights moved, in discs
    (float32, stages x reduced weights), rounded as the tables are; `slopes` of the final scale (SHIFTS x scale.LINES);
    `curve`: the weighted error on the training and the held-out positions, first of the tables alone, then after each
    epoch; `before`, `best`, `quantised`: the held-out errors of the tables alone, of the best epoch, and of what is in
    `factors` and `moved`; `errors`: those by number of empties as fit.by_empties() gives them; `clipped`: the share of
    the factors that the kernel's integers could not hold.
    """

    factors: weights_file.Factors
    moved: Reals
    slopes: Reals
    positions: int
    before: Errors
    best: Errors
    quantised: Errors
    clipped: float
    curve: list[tuple[float, float]] = field(default_factory=list)
    errors: dict[int, tuple[int, float, float]] = field(default_factory=dict)


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


def _groups(sample: Sample, stages: NDArray[Any]) -> NDArray[Any]:
    """Return numbers that positions of one stage and one phase share; divmod() by the phases takes them apart."""
    result: NDArray[Any] = stages * len(PHASE_ENDS) + phases(sample)
    return result


def _parts(groups: NDArray[Any], rng: np.random.Generator, size: int) -> list[NDArray[Any]]:
    """Return all places in random parts of one group each and at most `size` places, in random order."""
    order = rng.permutation(len(groups))
    order = order[np.argsort(groups[order], kind="stable")]
    parts: list[NDArray[Any]] = []
    for places in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        parts += np.array_split(places, -(-len(places) // size))
    return [parts[number] for number in rng.permutation(len(parts))]


class _Learner:
    """Parameters on their way, in `learned`."""

    def __init__(self, stage_of_empties: Sequence[int], options: Options, rng: np.random.Generator) -> None:
        wider = np.array([_ADDED] + [1] * (patterns.CHANNELS - 1), np.float32)
        shape = (reduced_size() + SHIFTS, patterns.CHANNELS)
        self.options = options
        self.stage_of = np.array(stage_of_empties)
        shared: Reals = rng.standard_normal(shape, np.float32) * _DEVIATION * wider
        shared[reduced_size() :] = 0
        stages = int(self.stage_of.max()) + 1
        moved = np.zeros((stages, columns.reduced_size()), np.float32)
        factors = np.zeros((len(PHASE_ENDS), *shape), np.float32)
        self.learned = Learned(factors, shared, moved, np.zeros_like(moved[0]), scale.level(stages))
        self._row_adams = [Adam(shape, np.float32(options.row_rate) * wider) for _ in PHASE_ENDS]
        self._shared_row_adam = Adam(shape, np.float32(options.shared_row_rate) * wider)
        self._shared_table_adam = Adam(moved[0].shape, np.float32(options.shared_table_rate))
        self._adams_of_stages: dict[int, tuple[Adam, Adam]] = {}

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

        with ThreadPoolExecutor(1) as thread:
            coming = thread.submit(make, parts[0])
            for part in parts[1:]:
                ready, coming = coming.result(), thread.submit(make, part)
                yield ready
            yield coming.result()

    def read(self, batch: Batch, base: Reals, scores: Reals) -> Reading:
        """Return what is said of a batch's positions, of which the tables at the start say `base`."""
        sums, totals = added(batch.rows, self.learned.factors_in(batch.phase))
        totals += base
        if batch.tables is not None:
            totals += batch.tables @ self.learned.moved_in(batch.stage)
        lines = scale.covered(totals)
        return Reading(sums, totals, lines, lines @ self.learned.slopes[batch.stage] - scores)

    def learn(self, batch: Batch, reading: Reading, counts: Reals, share: float) -> None:
        """Take a step of `share` of the rates; `counts`: what each position counts."""
        moved, slopes = self.learned.moved[batch.stage], self.learned.slopes[batch.stage]
        if batch.stage not in self._adams_of_stages:
            rates = np.float32(self.options.table_rate), np.float32(self.options.scale_rate)
            self._adams_of_stages[batch.stage] = Adam(moved.shape, rates[0]), Adam(slopes.shape, rates[1])
        table_adam, scale_adam = self._adams_of_stages[batch.stage]
        pull_of_values = np.clip(reading.errors, -self.options.delta, self.options.delta) * counts
        pull = pull_of_values * scale.slopes_at(reading.totals, slopes)
        gradient = batch.rows.T @ slope(reading.sums, pull)
        if self.options.ridge:
            factors = self.learned.factors_in(batch.phase)
            gradient[: reduced_size()] += np.float32(2 * self.options.ridge) * factors[: reduced_size()]
        self._shared_row_adam.step(self.learned.shared_factors, gradient.copy(), share)
        self._row_adams[batch.phase].step(self.learned.factors[batch.phase], gradient, share)
        if batch.tables is not None:
            gradient = batch.tables.T @ pull
            self._shared_table_adam.step(self.learned.shared_moved, gradient.copy(), share)
            table_adam.step(moved, gradient, share)
        if self.options.scale_rate:
            scale_adam.step(slopes, reading.lines.T @ pull_of_values, share)
            scale.kept_within(slopes)


def totals(sample: Sample, stages: NDArray[Any], learned: Learned) -> Reals:
    """Return the sums of tables and factors of the positions, in discs."""
    result: Reals = sample.base.copy()
    for group, part in by_stage(_groups(sample, stages)):
        stage, phase = divmod(group, len(PHASE_ENDS))
        movers, opponents = sample.movers[part], sample.opponents[part]
        result[part] += added(rows(movers, opponents), learned.factors_in(phase))[1]
        moved = learned.moved_in(stage)
        if moved.any():
            result[part] += columns.rows(movers, opponents) @ moved
    return result


def values(totals: Reals, numbers: NDArray[Any], slopes: Reals) -> Reals:
    """Return what the sums mean on their scales, in discs; `numbers`: which of the `slopes` each has."""
    result: Reals = np.empty(len(totals), np.float32)
    for number, part in by_stage(numbers):
        result[part] = scale.covered(totals[part]) @ slopes[number]
    return result


def _final_slopes(totals: Reals, held: Sample, slopes: Reals, options: Options) -> Reals:
    """Return for each number of empties the slopes that suit the held-out positions best, `scale_close` counting.

    `slopes`: those learned along for each number of empties. Positions with two empties more or less count as well. The
    sums of what was trained on are nearer to their labels than others will be, so those cannot tell.
    """
    if not options.scale_rate:
        return slopes
    result: Reals = slopes.copy()
    counts = held.importance(options.scale_close)
    empties = boards.empties(held.movers, held.opponents).astype(int)
    for number in range(SHIFTS):
        part = (np.abs(empties - number) <= 2) & ((empties - number) % 2 == 0)
        if part.any():
            result[number] = scale.fitted(totals[part], held.scores[part], counts[part], options.delta, slopes[number])
    return result


def _errors(values: Reals, sample: Sample, options: Options) -> Errors:
    errors = np.abs(np.clip(values, -64, 64) - sample.scores)
    close = np.abs(sample.scores) <= CLOSE
    return Errors(
        float(errors.mean()),
        float(errors[close].mean()) if close.any() else float("nan"),
        float(np.average(errors, weights=sample.importance(options.close))),
    )


def train(
    trained: Sample,
    held: Sample,
    stage_of_empties: Sequence[int],
    options: Options,
    after_epoch: Callable[[int, float, Errors], None] | None = None,
) -> Fitted:
    """Fit the factors, and the tables with them; the epoch with the smallest weighted held-out error counts.

    `stage_of_empties`: which of the tables' stages serves each number of empties. `after_epoch` is called with the
    number of the epoch (0: before the first), the weighted error on the training positions during it, and the held-out
    errors.
    """
    rng = np.random.default_rng(options.seed)
    learner = _Learner(stage_of_empties, options, rng)
    importance = trained.importance(options.close)
    stages, stages_held = learner.stages(trained), learner.stages(held)
    groups = _groups(trained, stages)
    each = sum(-(-int(count) // options.batch) for count in np.unique(groups, return_counts=True)[1])
    whole = np.float32(options.batch * importance.mean())
    seen = np.zeros(len(learner.learned.shared_factors), np.bool_)
    curve: list[tuple[float, float]] = []

    def note(epoch: int, error: float, errors: Errors) -> None:
        curve.append((error, errors.weighted))
        if after_epoch is not None:
            after_epoch(epoch, error, errors)

    before = _errors(held.base, held, options)
    note(0, _errors(trained.base, trained, options).weighted, before)
    best, best_errors = learner.learned, before
    step = 0
    for epoch in range(options.epochs):
        total = 0.0
        batches = learner.batches(trained, groups, _parts(groups, rng, options.batch))
        for batch in shown(batches, each, f"epoch {epoch + 1} of {options.epochs}"):
            counts = importance[batch.places]
            reading = learner.read(batch, trained.base[batch.places], trained.scores[batch.places])
            if epoch == 0:
                seen[batch.rows.indices] = True
            total += float(np.abs(reading.errors) @ counts)
            learner.learn(batch, reading, counts / whole, share_of_rate(step, each * options.epochs))
            step += 1
        if epoch == 0:
            # States that no position has say nothing, rather than what they began with.
            learner.learned.shared_factors[~seen] = 0
        sums = totals(held, stages_held, learner.learned)
        now = _errors(values(sums, stages_held, learner.learned.slopes), held, options)
        note(epoch + 1, total / float(importance.sum()), now)
        if not np.isfinite(now.weighted):
            raise InputError("row_rate", options.row_rate, "smaller rates: the fit went astray")
        if epoch == 0 or now.weighted < best_errors.weighted:
            best, best_errors = learner.learned.copy(), now
    factors, clipped = quantised(best.factors + best.shared_factors)
    moved = np.rint((best.moved + best.shared_moved) * columns.UNIT) / np.float32(columns.UNIT)
    rounded = Learned(
        parameters_of(factors), np.zeros_like(best.shared_factors), moved, np.zeros_like(best.shared_moved), best.slopes
    )
    sums = totals(held, stages_held, rounded)
    slopes = _final_slopes(sums, held, best.slopes[learner.stage_of], options)
    final = np.clip(values(sums, boards.empties(held.movers, held.opponents), slopes), -64, 64)
    return Fitted(
        replace(factors, scale=scale.quantised(slopes).tobytes()),
        moved,
        slopes,
        len(trained),
        before,
        best_errors,
        _errors(final, held, options),
        clipped,
        curve,
        fit.by_empties(boards.empties(held.movers, held.opponents), held.scores, np.abs(final - held.scores)),
    )
