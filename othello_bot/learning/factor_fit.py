"""The fit of the factors to what the sum of tables leaves out, in mini-batches; the tables move along.

Minimised is Huber's loss of (value - label), close labels counting more, by Adam (adam.py) with a rate that falls to
zero along a cosine. A batch has positions of one stage, for those share a table. What is trained on and what is held
out comes from factor_samples.py; the function itself stands in factors.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot import patterns
from othello_bot import weights as weights_file
from othello_bot.errors import InputError
from othello_bot.learning import boards, columns, fit
from othello_bot.learning.adam import Adam, share_of_rate
from othello_bot.learning.evaluate import CLOSE
from othello_bot.learning.factor_samples import Sample, by_stage
from othello_bot.learning.factors import SHIFTS, added, parameters_of, quantised, reduced_size, rows, slope
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
    `rate`: how far a step moves a number at most, about, in roots of a disc.
    `table_rate`: the same for the tables' weights, in discs; 0: they stay as they are.
    `delta`: where Huber's loss becomes linear, in discs.
    `close`: how many times more a position counts whose label is close, on top of the 1 that each counts, with
    factor_samples.REFERENCE empties, and in proportion with more or fewer.
    `ridge`: what the sum of all squares of the rows costs, beside the mean loss of a position.
    """

    epochs: int = 3
    batch: int = 8192
    rate: float = 0.003
    table_rate: float = 0.03
    delta: float = 2.0
    close: float = 3.0
    ridge: float = 0.0
    seed: int = 4

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("batch", 1)):
            if getattr(self, name) < least:
                raise InputError(name, getattr(self, name), f"{least} or more")
        for name in ("rate", "delta"):
            if not getattr(self, name) > 0:
                raise InputError(name, getattr(self, name), "more than 0")
        for name in ("table_rate", "close", "ridge"):
            if not getattr(self, name) >= 0:
                raise InputError(name, getattr(self, name), "0 or more")


@dataclass(frozen=True)
class Errors:
    """Mean absolute errors in discs: of all, of the close ones (label within CLOSE discs), of all weighted."""

    all: float
    close: float
    weighted: float


@dataclass
class Fitted:
    """What came out.

    `factors` in the kernel's units; `moved`: how far the tables' weights moved, in discs (float32, stages x reduced
    weights), rounded as the tables are; `curve`: the weighted error on the training and the held-out positions, first
    of the tables alone, then after each epoch; `before`, `best`, `quantised`: the held-out errors of the tables alone,
    of the best epoch, and of what is in `factors` and `moved`; `errors`: those by number of empties as
    fit.by_empties() gives them; `clipped`: the share of the factors that the kernel's integers could not hold.
    """

    factors: weights_file.Factors
    moved: Reals
    positions: int
    before: Errors
    best: Errors
    quantised: Errors
    clipped: float
    curve: list[tuple[float, float]] = field(default_factory=list)
    errors: dict[int, tuple[int, float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Batch:
    """Positions that are learned from together: their places in a sample, `rows()` of them, and their `stage`.

    `tables`: columns.rows() of them; None where the tables stay as they are.
    """

    places: NDArray[Any]
    rows: Any
    stage: int
    tables: Any


def _parts(stages: NDArray[Any], rng: np.random.Generator, size: int) -> list[NDArray[Any]]:
    """Return all places in random parts of one stage each and at most `size` places, in random order."""
    order = rng.permutation(len(stages))
    order = order[np.argsort(stages[order], kind="stable")]
    parts: list[NDArray[Any]] = []
    for places in np.split(order, np.flatnonzero(np.diff(stages[order])) + 1):
        parts += np.array_split(places, -(-len(places) // size))
    return [parts[number] for number in rng.permutation(len(parts))]


class _Learner:
    """Parameters on their way: `factors` in discs and roots of a disc, `moved` as in Fitted but not rounded."""

    def __init__(self, stage_of_empties: Sequence[int], options: Options, rng: np.random.Generator) -> None:
        wider = np.array([_ADDED] + [1] * (patterns.CHANNELS - 1), np.float32)
        shape = (reduced_size() + SHIFTS, patterns.CHANNELS)
        self.options = options
        self.stage_of = np.array(stage_of_empties)
        self.factors: Reals = rng.standard_normal(shape, np.float32) * _DEVIATION * wider
        self.factors[reduced_size() :] = 0
        self.moved: Reals = np.zeros((self.stage_of.max() + 1, columns.reduced_size()), np.float32)
        self._adam = Adam(self.factors.shape, np.float32(options.rate) * wider)
        self._table_adams: dict[int, Adam] = {}

    def stages(self, sample: Sample) -> NDArray[Any]:
        """Return the stages of the positions."""
        result: NDArray[Any] = self.stage_of[boards.empties(sample.movers, sample.opponents)]
        return result

    def batches(self, sample: Sample, stages: NDArray[Any], parts: Sequence[NDArray[Any]]) -> Iterator[Batch]:
        """Yield the batches, each of which a thread makes while the one before is learned from."""

        def make(places: NDArray[Any]) -> Batch:
            movers, opponents = sample.movers[places], sample.opponents[places]
            tables = columns.rows(movers, opponents) if self.options.table_rate else None
            return Batch(places, rows(movers, opponents), int(stages[places[0]]), tables)

        with ThreadPoolExecutor(1) as thread:
            coming = thread.submit(make, parts[0])
            for part in parts[1:]:
                ready, coming = coming.result(), thread.submit(make, part)
                yield ready
            yield coming.result()

    def errors(self, batch: Batch, base: Reals, scores: Reals) -> tuple[Reals, Reals]:
        """Return the sums of a batch's positions, and by how many discs their values are above the labels."""
        sums, more = added(batch.rows, self.factors)
        errors: Reals = base + more - scores
        if batch.tables is not None:
            errors += batch.tables @ self.moved[batch.stage]
        return sums, errors

    def learn(self, batch: Batch, sums: Reals, errors: Reals, counts: Reals, share: float) -> None:
        """Take a step of `share` of the rates; `counts`: what each position counts."""
        pull = np.clip(errors, -self.options.delta, self.options.delta) * counts
        gradient = batch.rows.T @ slope(sums, pull)
        if self.options.ridge:
            gradient[: reduced_size()] += np.float32(2 * self.options.ridge) * self.factors[: reduced_size()]
        self._adam.step(self.factors, gradient, share)
        if batch.tables is not None:
            moved = self.moved[batch.stage]
            if batch.stage not in self._table_adams:
                self._table_adams[batch.stage] = Adam(moved.shape, np.float32(self.options.table_rate))
            self._table_adams[batch.stage].step(moved, batch.tables.T @ pull, share)

    def values(self, sample: Sample) -> Reals:
        """Return the values of the positions in discs."""
        return values(sample, self.stages(sample), self.factors, self.moved)


def values(sample: Sample, stages: NDArray[Any], parameters: Reals, moved: Reals) -> Reals:
    """Return the values of the positions in discs."""
    result: Reals = sample.base.copy()
    for stage, part in by_stage(stages):
        movers, opponents = sample.movers[part], sample.opponents[part]
        result[part] += added(rows(movers, opponents), parameters)[1]
        if moved[stage].any():
            result[part] += columns.rows(movers, opponents) @ moved[stage]
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
    stages = learner.stages(trained)
    each = sum(-(-int(count) // options.batch) for count in np.unique(stages, return_counts=True)[1])
    whole = np.float32(options.batch * importance.mean())
    seen = np.zeros(len(learner.factors), np.bool_)
    curve: list[tuple[float, float]] = []

    def note(epoch: int, error: float, errors: Errors) -> None:
        curve.append((error, errors.weighted))
        if after_epoch is not None:
            after_epoch(epoch, error, errors)

    before = _errors(held.base, held, options)
    note(0, _errors(trained.base, trained, options).weighted, before)
    best, best_moved, best_errors = learner.factors, learner.moved, before
    step = 0
    for epoch in range(options.epochs):
        total = 0.0
        batches = learner.batches(trained, stages, _parts(stages, rng, options.batch))
        for batch in shown(batches, each, f"epoch {epoch + 1} of {options.epochs}"):
            counts = importance[batch.places]
            sums, errors = learner.errors(batch, trained.base[batch.places], trained.scores[batch.places])
            if epoch == 0:
                seen[batch.rows.indices] = True
            total += float(np.abs(errors) @ counts)
            learner.learn(batch, sums, errors, counts / whole, share_of_rate(step, each * options.epochs))
            step += 1
        if epoch == 0:
            # States that no position has say nothing, rather than what they began with.
            learner.factors[~seen] = 0
        now = _errors(learner.values(held), held, options)
        note(epoch + 1, total / float(importance.sum()), now)
        if not np.isfinite(now.weighted):
            raise InputError("rate", options.rate, "a smaller one: the fit went astray")
        if epoch == 0 or now.weighted < best_errors.weighted:
            best, best_moved, best_errors = learner.factors.copy(), learner.moved.copy(), now
    factors, clipped = quantised(best)
    moved = np.rint(best_moved * columns.UNIT) / np.float32(columns.UNIT)
    final = np.clip(values(held, learner.stages(held), parameters_of(factors), moved), -64, 64)
    return Fitted(
        factors,
        moved,
        len(trained),
        before,
        best_errors,
        _errors(final, held, options),
        clipped,
        curve,
        fit.by_empties(boards.empties(held.movers, held.opponents), held.scores, np.abs(final - held.scores)),
    )
