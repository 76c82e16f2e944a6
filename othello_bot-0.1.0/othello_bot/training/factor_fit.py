"""Step 3, the factors: fit them and the scale to the residuals of a file's tables, and adjust the tables with them.

The fit goes by mini-batches; the learning rate falls to zero along a cosine. factor_learner.py makes the steps, and
factors.py defines the function and divides the positions into training and held-out ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole
from othello_bot.evaluation import weights as weights_file
from othello_bot.training import boards, fit, report, rounds, scale
from othello_bot.training.factor_learner import LearnedParameters, Learner, Options, groups_of, share_of_rate
from othello_bot.training.factors import (
    PHASE_ENDS,
    PHASE_OF_EMPTIES,
    SHIFTS,
    SIGNS,
    FactorErrors,
    FactorSample,
    FittedFactors,
    added,
    by_stage,
    parameters_of,
    quantised,
    rows,
)
from othello_bot.training.fit import Reals
from othello_bot.training.measuring import CLOSE
from othello_bot.training.progress import State, Threads, Unfinished, fingerprint, shown

SAVED_EVERY: Final = 2000
"""Batches between two saves of the state, about a minute apart."""


@dataclass
class _Course:
    """The progress of a fit: `batch` batches of epoch number `epoch`, from 0, with the sum of their errors.

    `curve` is that of Fitted; `best` is the state after the epoch with the smallest held-out error, `best_errors`.
    """

    epoch: int
    batch: int
    error: float
    curve: list[tuple[float, float]]
    best: LearnedParameters
    best_errors: FactorErrors

    def state(self) -> State:
        """Return the whole state by name, for restored()."""
        numbers = {name: np.array(getattr(self, name)) for name in ("epoch", "batch", "error", "curve")}
        best = {f"best.{each.name}": getattr(self.best, each.name) for each in fields(self.best)}
        return numbers | best | {"best_errors": np.array(astuple(self.best_errors))}

    @staticmethod
    def restored(state: State) -> _Course:
        """Return the course that state() described."""
        return _Course(
            int(state["epoch"]),
            int(state["batch"]),
            float(state["error"]),
            [(float(trained), float(held)) for trained, held in state["curve"]],
            LearnedParameters(*(state[f"best.{each.name}"] for each in fields(LearnedParameters))),
            FactorErrors(*state["best_errors"].tolist()),
        )


def totals(sample: FactorSample, stages: NDArray[Any], learned: LearnedParameters, threads: Threads) -> Reals:
    """Return the positions' sums of tables and factors, in discs."""
    result: Reals = sample.base.copy()

    def add(group: int, part: NDArray[Any]) -> None:
        stage, phase = divmod(group, len(PHASE_ENDS))
        movers, opponents = sample.movers[part], sample.opponents[part]
        result[part] += added(rows(movers, opponents), learned.factors_in(phase))[1]
        moved = learned.moved_in(stage)
        if moved.any():
            result[part] += fit.rows(movers, opponents) @ moved

    threads.all(partial(add, group, part) for group, part in by_stage(groups_of(sample, stages)))
    return result


def values(totals: Reals, numbers: NDArray[Any], slopes: Reals) -> Reals:
    """Return the values of the sums on their scales, in discs; `numbers`: the index into `slopes` of each sum."""
    result: Reals = np.empty(len(totals), np.float32)
    for number, part in by_stage(numbers):
        result[part] = scale.covered(totals[part]) @ slopes[number]
    return result


def _final_slopes(totals: Reals, held: FactorSample, slopes: Reals, options: Options) -> Reals:
    """Return for each number of empties the slopes that fit the held-out positions best, weighted by `scale_close`.

    `slopes`: those learned during the fit, for each number of empties. Positions with up to two empties more or less
    count as well. Training positions cannot be used: their sums are closer to their labels than those of other
    positions will be.
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


def _begun(learner: Learner, trained: FactorSample, held: FactorSample, threads: Threads) -> tuple[float, FactorErrors]:
    """Return the weighted error on the training positions and the held-out errors at the start of a fit.

    The start is the tables alone, or the function that the learner starts from. The latter is put on the scale that
    fits the held-out positions best with the fit's options; its training error is taken from a sample of as many
    training positions.
    """
    options = learner.options
    if learner.start is None:
        return _errors(trained.base, trained, options).weighted, _errors(held.base, held, options)
    slopes, stages = learner.learned.slopes, learner.stages(held)
    sums = totals(held, stages, learner.learned, threads)
    if options.scale_rate:
        counts = held.importance(options.close)
        for stage in np.unique(stages):
            of_stage = stages == stage
            slopes[stage] = scale.fitted(
                sums[of_stage], held.scores[of_stage], counts[of_stage], options.delta, slopes[stage]
            )
    part = trained.part(np.sort(np.random.default_rng(options.seed).permutation(len(trained))[: len(held)]))
    stages_of_part = learner.stages(part)
    values_of_part = values(totals(part, stages_of_part, learner.learned, threads), stages_of_part, slopes)
    return _errors(values_of_part, part, options).weighted, _errors(values(sums, stages, slopes), held, options)


def _errors(values: Reals, sample: FactorSample, options: Options) -> FactorErrors:
    errors = np.abs(np.clip(values, -64, 64) - sample.scores)
    close = np.abs(sample.scores) <= CLOSE
    return FactorErrors(
        float(errors.mean()),
        float(errors[close].mean()) if close.any() else float("nan"),
        float(np.average(errors, weights=sample.importance(options.close))),
    )


def _parts(groups: NDArray[Any], rng: np.random.Generator, size: int) -> list[NDArray[Any]]:
    """Return all indices in random parts of one group and at most `size` indices each, in random order."""
    order = rng.permutation(len(groups))
    order = order[np.argsort(groups[order], kind="stable")]
    parts: list[NDArray[Any]] = []
    for places in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        parts += np.array_split(places, -(-len(places) // size))
    return [parts[number] for number in rng.permutation(len(parts))]


def _run(
    learner: Learner,
    trained: FactorSample,
    held: FactorSample,
    begun: tuple[float, FactorErrors],
    after_epoch: Callable[[int, float, FactorErrors], None],
    unfinished: Unfinished | None,
    threads: Threads,
) -> _Course:
    """Run all epochs, or the remaining ones of an `unfinished` fit with the same arguments.

    `begun`: the result of _begun().
    """
    options = learner.options
    importance = trained.importance(options.close)
    groups, stages_held = groups_of(trained, learner.stages(trained)), learner.stages(held)
    whole = np.float32(options.batch * importance.mean())
    mark, state = "", None
    if unfinished is not None:
        arrays = [getattr(sample, part.name) for sample in (trained, held) for part in fields(sample)]
        mark = fingerprint((options, PHASE_ENDS, learner.stage_of.tolist()), [*arrays, learner.learned.factors])
        state = unfinished.load(mark)
    if state is None:
        course = _Course(0, 0, 0.0, [(begun[0], begun[1].weighted)], learner.learned.copy(), begun[1])
        after_epoch(0, *begun)
    else:
        course = _Course.restored(state)
        learner.restore(state)
    while course.epoch < options.epochs:
        parts = _parts(groups, np.random.default_rng((options.seed, course.epoch)), options.batch)
        each = len(parts)  # in every epoch
        batches = learner.batches(trained, groups, parts[course.batch :])
        for batch in shown(batches, each, f"epoch {course.epoch + 1} of {options.epochs}", course.batch):
            counts = importance[batch.places]
            reading = learner.read(batch, trained.base[batch.places], trained.scores[batch.places])
            course.error += float(np.abs(reading.errors) @ counts)
            share = share_of_rate(course.epoch * each + course.batch, each * options.epochs)
            learner.learn(batch, reading, counts / whole, share)
            course.batch += 1
            if unfinished is not None and course.batch % SAVED_EVERY == 0:
                unfinished.save(mark, learner.state() | course.state())
        if course.epoch == 0:
            learner.forget_unseen()
        sums = totals(held, stages_held, learner.learned, threads)
        now = _errors(values(sums, stages_held, learner.learned.slopes), held, options)
        course.curve.append((course.error / float(importance.sum()), now.weighted))
        after_epoch(course.epoch + 1, course.curve[-1][0], now)
        if not np.isfinite(now.weighted):
            raise InputError("row_rate", options.row_rate, "smaller rates: the fit diverged")
        first = course.epoch == 0 and learner.start is None
        if first or now.weighted < course.best_errors.weighted:
            course.best, course.best_errors = learner.learned.copy(), now
        course.epoch, course.batch, course.error = course.epoch + 1, 0, 0.0
        if unfinished is not None:
            unfinished.save(mark, learner.state() | course.state())
    return course


def train(
    trained: FactorSample,
    held: FactorSample,
    stage_of_empties: Sequence[int],
    options: Options,
    after_epoch: Callable[[int, float, FactorErrors], None] | None = None,
    unfinished: Unfinished | None = None,
    start: weights_file.Factors | None = None,
) -> FittedFactors:
    """Fit the factors and adjust the tables; return the epoch with the smallest weighted held-out error.

    `start`: factors of this program's phases to start from, instead of random numbers. The tables must be those of the
    factors. Nothing that they know about states missing from these positions is lost. `stage_of_empties`: the tables'
    stage for each number of empties. `after_epoch` is called with the number of the epoch (0: before the first), the
    weighted error on the training positions during it, and the held-out errors. `unfinished`: the file in which the fit
    saves its state; a fit that was killed continues from there with the same arguments and the same result. The caller
    removes the file once the result is safe.

    Raise InputError for options without epochs and without a start, and for rates with which the fit diverges.
    """
    if not options.epochs and start is None:
        raise InputError("epochs", 0, "1 or more for a fit without a start")
    with Threads() as threads:
        learner = Learner(stage_of_empties, options, threads, start)
        begun = _begun(learner, trained, held, threads)
        course = _run(learner, trained, held, begun, after_epoch or (lambda *_: None), unfinished, threads)
        best = course.best
        factors, clipped = quantised(best.factors + best.shared_factors)
        moved = np.rint((best.moved + best.shared_moved) * fit.UNIT) / np.float32(fit.UNIT)
        nothing = np.zeros_like(best.shared_factors), np.zeros_like(best.shared_moved)
        rounded = LearnedParameters(parameters_of(factors), nothing[0], moved, nothing[1], best.slopes)
        sums = totals(held, learner.stages(held), rounded, threads)
    slopes = _final_slopes(sums, held, best.slopes[learner.stage_of], options)
    final = np.clip(values(sums, boards.empties(held.movers, held.opponents), slopes), -64, 64)
    return FittedFactors(
        replace(factors, scale=scale.quantised(slopes).tobytes()),
        moved,
        slopes,
        len(trained),
        begun[1],
        course.best_errors,
        _errors(final, held, options),
        clipped,
        course.curve,
        fit.by_empties(boards.empties(held.movers, held.opponents), held.scores, np.abs(final - held.scores)),
    )


BLOCK_ENDS: Final = (6, 12, 18, 26, 36, 60)
"""Highest number of empties of each block of stages in a function with factors. There are fewer stages than in a
function of tables alone: within 12 MiB, more phases of rows are worth more than more stages of tables.
"""

STAGE_OF_EMPTIES: Final = rounds.stages_between(BLOCK_ENDS)


def tables_of(data: bytes, name: str = "weights") -> weights_file.Parts:
    """Return the tables of a weights file in the stages of a function with factors. Raise WeightsError."""
    tables = rounds.taken_over(weights_file.split(data, name), STAGE_OF_EMPTIES)
    return weights_file.split(weights_file.to_bytes(STAGE_OF_EMPTIES, rounds.in_units(tables)), name)


def factors_of(parts: weights_file.Parts, name: str = "weights") -> weights_file.Factors:
    """Return the factors of a file as the start of a fit.

    Raise InputError if it has none, or if its phases or stages are not those of this fit.
    """
    found, wanted = parts.factors, (PHASE_OF_EMPTIES.tobytes(), SIGNS.astype(np.int8).tobytes())
    if (
        found is None
        or (bytes(found.phase_of_empties), bytes(found.signs)) != wanted
        or tuple(parts.stage_of_empties) != STAGE_OF_EMPTIES
    ):
        phases, stages = (", ".join(map(str, ends)) for ends in (PHASE_ENDS, BLOCK_ENDS))
        expected = f"a function with factors of phases that end at {phases} empties, and stages at {stages}"
        raise InputError("--weights to continue with", name, expected)
    return found


def file_content(tables: weights_file.Parts, fitted: FittedFactors) -> bytes:
    """Return the content of a weights file: the start's tables with their changes, and the factors."""
    old = np.frombuffer(tables.reduced, "<i2").reshape(fitted.moved.shape)
    new = rounds.in_units(old / np.float32(fit.UNIT) + fitted.moved)
    return weights_file.to_bytes(tables.stage_of_empties, new, fitted.factors)


def fit_factors(
    tables: weights_file.Parts,
    trained: FactorSample,
    held: FactorSample,
    options: Options,
    path: Path,
    after_epoch: Callable[[int, float, FactorErrors], None] | None = None,
    say: Callable[[str], None] | None = None,
    start: weights_file.Factors | None = None,
) -> FittedFactors:
    """Fit the factors; write the weights file `path` and the report beside it.

    `start`: factors to start from, which belong to these tables. A fit that was killed continues from its last save
    (see progress.py). `say` is told when that happens, and at the end which patterns matter most.
    """
    unfinished = Unfinished.of(path, say)
    fitted = train(trained, held, list(tables.stage_of_empties), options, after_epoch, unfinished, start)
    uses = report.factor_uses(fitted.factors, held)
    report.write_factors(fitted, uses, path.parent, path.stem)
    write_whole(path, file_content(tables, fitted))
    unfinished.remove()
    if say is not None:
        for use in uses:
            say(str(use))
    return fitted
