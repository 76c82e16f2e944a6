"""One step of the fit of the factors: its parameters, and how a batch of positions changes them.

The loss is Huber's of (value - label), with more weight on close labels, minimised by Adam (D. Kingma, J. Ba, "Adam: A
Method for Stochastic Optimization", 2015). The positions of a batch have one stage, because they share a table, and one
phase, because they share rows. Threads divide the work by positions or by channels, so that the sums do not depend on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import patterns
from othello_bot.training import boards, fit, scale
from othello_bot.training.factors import (
    PHASE_ENDS,
    PHASE_OF_EMPTIES,
    SHIFTS,
    TERMS,
    FactorSample,
    added,
    parameters_of,
    reduced_size,
    rows,
    slope,
)
from othello_bot.training.fit import Reals
from othello_bot.training.progress import State, Threads, spans

_SPAN: Final = 1 << 18
"""Numbers that one task updates. With fewer, threads lose more time to the interpreter's lock than they gain."""


class Adam:
    """Adaptive moments of every parameter; `rates` holds the learning rate of each channel."""

    BETAS: Final = (0.9, 0.999)

    def __init__(self, shape: tuple[int, ...], rates: Reals) -> None:
        self.rates = rates
        self.moves = bool(np.any(rates))
        self.mean = np.zeros(shape, np.float32)
        self.square = np.zeros(shape, np.float32)
        self.count = 0

    def step(self, parameters: Reals, gradient: Reals, share: float) -> list[Callable[[], None]]:
        """Return tasks that together update the parameters at `share` of the rates. They may run in any order or in
        parallel.
        """
        if not self.moves:
            return []
        self.count += 1
        rows = max(1, _SPAN // parameters[0].size)
        return [
            partial(self._move, parameters[part], gradient[part], self.mean[part], self.square[part], share)
            for part in spans(len(parameters), rows)
        ]

    def _move(self, parameters: Reals, gradient: Reals, mean: Reals, square: Reals, share: float) -> None:
        first, second = self.BETAS
        mean *= np.float32(first)
        move = gradient * np.float32(1 - first)
        mean += move
        if self.count % 128 == 0:
            # A mean that has decayed to almost nothing becomes a denormal number, and those slow processors down.
            mean[np.abs(mean) < 1e-20] = 0
        square *= np.float32(second)
        np.square(gradient, out=move)
        move *= np.float32(1 - second)
        square += move
        np.sqrt(square, out=move)
        move *= np.float32(1 / np.sqrt(1 - second**self.count))
        move += np.float32(1e-8)
        np.divide(mean, move, out=move)
        move *= self.rates * np.float32(share / (1 - first**self.count))
        parameters -= move

    def state(self) -> State:
        """Return the state that steps change, by name, for restore()."""
        return {"mean": self.mean, "square": self.square, "count": np.array(self.count)}

    def restore(self, state: State) -> None:
        """Continue from a state that state() returned."""
        self.mean, self.square, self.count = state["mean"], state["square"], int(state["count"])


def share_of_rate(step: int, steps: int) -> float:
    """Return the share of the learning rate that a step uses: a short warm-up, then a cosine down to zero."""
    warm = min(1.0, (step + 1) / min(50, max(steps // 10, 1)))
    return float(warm * (1 + np.cos(np.pi * step / steps)) / 2)


_DEVIATION: Final = 0.02
"""Standard deviation of the rows' initial random numbers, in square roots of a disc. Squares at zero would never move.
"""

_ADDED: Final = 4
"""An added channel is in discs, larger numbers than their roots: factor of its initial deviation and its rate."""

RATES: Final = "row_rate", "shared_row_rate", "table_rate", "shared_table_rate", "scale_rate"
"""The options that are learning rates."""

_POSITIONS: Final = 2048
"""Positions whose sums one task computes."""

_CHANNELS: Final = 4
"""Fewest channels whose gradient one task computes: each task reads all rows of a batch."""


@dataclass(frozen=True)
class Options:
    """How the factors are fitted.

    `epochs`: passes over the positions, `batch` positions a step; 0 fits only the scale of the function that the fit
    starts from. `row_rate`: roughly the largest step of a number in a phase's rows, in square roots of a disc;
    `shared_row_rate`: the same for the part that the rows of all phases share. `table_rate`: the same for the tables'
    weights of each stage, in discs; `shared_table_rate`: for the part that the tables of all stages share. If both are
    0, the tables are fixed. `scale_rate`: the same for the slopes of the scale; 0: no scale, values are the sums
    themselves. `delta`: the error at which Huber's loss becomes linear, in discs. `close`: extra weight of a position
    with a close label, on top of 1, at factor_samples.REFERENCE empties, and in proportion at more or fewer.
    `scale_close`: the same for the scale alone, which is fitted last.
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
    scale_close: float = 0.0
    seed: int = 4

    def __post_init__(self) -> None:
        for name, least in (("epochs", 0), ("batch", 1)):
            if getattr(self, name) < least:
                raise InputError(name, getattr(self, name), f"{least} or more")
        if not self.delta > 0:
            raise InputError("delta", self.delta, "more than 0")
        for name in (*RATES, "close", "scale_close"):
            if not getattr(self, name) >= 0:
                raise InputError(name, getattr(self, name), "0 or more")
        if not self.row_rate + self.shared_row_rate > 0:
            raise InputError("row_rate", self.row_rate, "more than 0 where shared_row_rate is 0")

    @property
    def moves_tables(self) -> bool:
        """Whether the tables are adjusted."""
        return self.table_rate > 0 or self.shared_table_rate > 0


@dataclass
class LearnedParameters:
    """The parameters that a fit changes.

    `factors` of each phase in discs and square roots of a disc (phases x factors.rows()'s columns x channels), without
    the part that all phases share (`shared_factors`: columns x channels); `moved`: the changes of the tables' weights,
    in discs (stages x reduced weights), without the part that all stages share (`shared_moved`: reduced weights);
    `slopes` of the scale (stages x scale.LINES).
    """

    factors: Reals
    shared_factors: Reals
    moved: Reals
    shared_moved: Reals
    slopes: Reals

    def copy(self) -> LearnedParameters:
        """Return a copy that further steps do not change."""
        return LearnedParameters(*(getattr(self, each.name).copy() for each in fields(self)))

    def factors_in(self, phase: int) -> Reals:
        """Return the factors of a phase, including the shared part."""
        result: Reals = self.factors[phase] + self.shared_factors
        return result

    def moved_in(self, stage: int) -> Reals:
        """Return the changes of a stage's weights, including the shared part."""
        result: Reals = self.moved[stage] + self.shared_moved
        return result


@dataclass(frozen=True)
class Batch:
    """Positions of one step: their indices in a sample, their `rows()`, their `stage` and `phase`.

    `tables`: their columns.rows(); None if the tables are fixed.
    """

    places: NDArray[Any]
    rows: Any
    stage: int
    phase: int
    tables: Any


@dataclass(frozen=True)
class Reading:
    """Values of a batch: the positions' `sums` of rows, their `totals` with the tables before the scale, their position
    on the scale's `lines` (scale.covered()), and the values' errors against the labels, in discs.
    """

    sums: Reals
    totals: Reals
    lines: Reals
    errors: Reals


def phases(sample: FactorSample) -> NDArray[np.uint8]:
    """Return the game phases of the positions."""
    result: NDArray[np.uint8] = PHASE_OF_EMPTIES[boards.empties(sample.movers, sample.opponents)]
    return result


def groups_of(sample: FactorSample, stages: NDArray[Any]) -> NDArray[Any]:
    """Return a number for each position that those of the same stage and phase share; divmod() by the phases splits it."""
    result: NDArray[Any] = stages * len(PHASE_ENDS) + phases(sample)
    return result


def _part(matrix: Any, part: slice) -> Any:
    """Return some rows of factors.rows()'s matrix without copying; all rows have the same number of entries."""
    entries = slice(part.start * (TERMS + 1), part.stop * (TERMS + 1))
    bounds = matrix.indptr[: part.stop - part.start + 1]
    shape = (part.stop - part.start, matrix.shape[1])
    return sparse.csr_matrix((matrix.data[entries], matrix.indices[entries], bounds), shape=shape, copy=False)


class Learner:
    """The fit's current parameters, in `learned`: initially random numbers, or the factors of a function, `start`."""

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
        moved = np.zeros((stages, fit.reduced_size()), np.float32)
        if start is None:
            rng = np.random.default_rng(options.seed)
            shared: Reals = rng.standard_normal(shape, np.float32) * _DEVIATION * wider
            shared[reduced_size() :] = 0
            factors: Reals = np.zeros((len(PHASE_ENDS), *shape), np.float32)
        else:
            shared, factors = np.zeros(shape, np.float32), parameters_of(start)
        self.learned = LearnedParameters(factors, shared, moved, np.zeros_like(moved[0]), scale.level(stages))
        rates = {name: np.float32(getattr(options, name)) for name in RATES}
        self._row_adams = [Adam(shape, rates["row_rate"] * wider) for _ in PHASE_ENDS]
        self._shared_row_adam = Adam(shape, rates["shared_row_rate"] * wider)
        self._table_adams = [Adam(moved[0].shape, rates["table_rate"]) for _ in range(stages)]
        self._shared_table_adam = Adam(moved[0].shape, rates["shared_table_rate"])
        self._scale_adams = [Adam((scale.LINES,), rates["scale_rate"]) for _ in range(stages)]

    def stages(self, sample: FactorSample) -> NDArray[Any]:
        """Return the stages of the positions."""
        result: NDArray[Any] = self.stage_of[boards.empties(sample.movers, sample.opponents)]
        return result

    def batches(self, sample: FactorSample, groups: NDArray[Any], parts: Sequence[NDArray[Any]]) -> Iterator[Batch]:
        """Yield the batches; a thread prepares the next one during each step."""

        def make(places: NDArray[Any]) -> Batch:
            movers, opponents = sample.movers[places], sample.opponents[places]
            tables = fit.rows(movers, opponents) if self.options.moves_tables else None
            return Batch(places, rows(movers, opponents), *divmod(int(groups[places[0]]), len(PHASE_ENDS)), tables)

        if not parts:
            return
        coming = self._threads.start(partial(make, parts[0]))
        for places in parts[1:]:
            ready, coming = coming.result(), self._threads.start(partial(make, places))
            yield ready
        yield coming.result()

    def read(self, batch: Batch, base: Reals, scores: Reals) -> Reading:
        """Return the values of a batch's positions; `base`: their values by the tables at the start."""
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
        """Take a step at `share` of the rates; `counts`: the weight of each position."""
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
        """Set the rows of states that no position has had to zero, instead of their initial values."""
        self.learned.shared_factors[~self._seen] = 0

    def _gradient(self, batch: Batch, slopes: Reals) -> Reals:
        """Return the gradient with respect to a phase's factors, given that with respect to the positions' sums."""
        result: Reals = np.empty((batch.rows.shape[1], patterns.CHANNELS), np.float32)

        def write(channels: slice) -> None:
            result[:, channels] = batch.rows.T @ np.ascontiguousarray(slopes[:, channels])

        each = max(_CHANNELS, -(-patterns.CHANNELS // self._threads.count))
        self._threads.all(partial(write, channels) for channels in spans(patterns.CHANNELS, each))
        return result

    def state(self) -> State:
        """Return the state that steps change, by name, for restore()."""
        result = {f"learned.{each.name}": getattr(self.learned, each.name) for each in fields(self.learned)}
        result["seen"] = self._seen
        for name, adam in self._adams():
            result |= {f"{name}.{part}": value for part, value in adam.state().items()}
        return result

    def restore(self, state: State) -> None:
        """Continue from a state that state() returned."""
        self.learned = LearnedParameters(*(state[f"learned.{each.name}"] for each in fields(LearnedParameters)))
        self._seen = state["seen"]
        for name, adam in self._adams():
            adam.restore({part: state[f"{name}.{part}"] for part in adam.state()})

    def _adams(self) -> Iterator[tuple[str, Adam]]:
        yield "shared_rows", self._shared_row_adam
        yield "shared_tables", self._shared_table_adam
        for name, adams in (("rows", self._row_adams), ("tables", self._table_adams), ("scale", self._scale_adams)):
            for number, adam in enumerate(adams):
                yield f"{name}{number}", adam
