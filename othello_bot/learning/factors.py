"""The fit of the factors: what the sum of tables leaves out, by a factorization machine trained in mini-batches.

S. Rendle, "Factorization Machines" (2010). Every state of the factor patterns and of the counts has a row of CHANNELS
numbers. A position's rows are summed, with the shift of its number of empties. The first sum is added to the tables'
value; the others are squared first, and their signs are fixed. So every pair of states that a position has together
moves its value. The tables stay as they are.

Minimised is Huber's loss of (value - label), close labels counting more, by Adam (adam.py) with a rate that falls to
zero along a cosine. What is trained on and what is held out comes from factor_samples.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from othello_bot import patterns
from othello_bot import weights as weights_file
from othello_bot.errors import InputError
from othello_bot.kernel import evaluation
from othello_bot.learning import boards, fit
from othello_bot.learning.adam import Adam, share_of_rate
from othello_bot.learning.boards import Bits
from othello_bot.learning.evaluate import CLOSE
from othello_bot.learning.factor_samples import Sample, chunks
from othello_bot.learning.fit import Reals
from othello_bot.learning.progress import shown

#: Rows that a position's sums are made of, without the shift.
TERMS: Final = len(patterns.FACTOR_FEATURES) + len(patterns.COUNTS)

#: What the kernel's unit of each channel is: discs where it is added, roots of a disc where it is squared.
UNITS: Final[Reals] = np.array([1 / 16] + [1 / 64] * (patterns.CHANNELS - 1), np.float32)

#: How the squares enter. The first channel is added as it is.
SIGNS: Final[Reals] = np.array([0] + [1] * 8 + [-1] * (patterns.CHANNELS - 9), np.float32)

#: A shift in the kernel's units is kept within this, as Weights.set_factors() demands.
SHIFT_LIMIT: Final = 4000

#: Numbers of empties, each with a shift.
_SHIFTS: Final = 61

#: Random numbers that the rows begin with have this deviation, in roots of a disc: squares at zero would never move.
_DEVIATION: Final = 0.02

#: An added channel is in discs, which are larger numbers than their roots: it begins and moves so much wider.
_ADDED: Final = 4


@dataclass(frozen=True)
class Options:
    """How the factors are fitted.

    `epochs`: how often every position is read, `batch` of them at a time.
    `rate`: how far a step moves a number at most, about, in roots of a disc.
    `delta`: where Huber's loss becomes linear, in discs.
    `close`: how many times more a position counts whose label is close, on top of the 1 that each counts;
    `early_close`: the same where more than fit.ENDGAME squares are empty.
    `ridge`: what the sum of all squares of the rows costs, beside the mean loss of a position.
    """

    epochs: int = 3
    batch: int = 4096
    rate: float = 0.003
    delta: float = 2.0
    close: float = 3.0
    early_close: float = 5.0
    ridge: float = 0.0
    seed: int = 4

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("batch", 1)):
            if getattr(self, name) < least:
                raise InputError(name, getattr(self, name), f"{least} or more")
        for name in ("rate", "delta"):
            if not getattr(self, name) > 0:
                raise InputError(name, getattr(self, name), "more than 0")
        for name in ("close", "early_close", "ridge"):
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

    `factors` in the kernel's units; `curve`: the weighted error on the training and the held-out positions, first of
    the tables alone, then after each epoch; `before`, `best`, `quantised`: the held-out errors of the tables alone, of
    the best epoch, and of what is in `factors`; `errors`: those by number of empties as fit.by_empties() gives them;
    `clipped`: the share of the numbers that the kernel's integers could not hold.
    """

    factors: weights_file.Factors
    positions: int
    before: Errors
    best: Errors
    quantised: Errors
    clipped: float
    curve: list[tuple[float, float]] = field(default_factory=list)
    errors: dict[int, tuple[int, float, float]] = field(default_factory=dict)


@lru_cache(maxsize=1)
def reduced_index() -> NDArray[np.int32]:
    """Return the number of the shared row behind every full one; mirrored states of a symmetric pattern share one."""
    result = np.empty(patterns.FACTOR_ROWS, np.int32)
    evaluation.factor_reduced_index(result)
    return result


def reduced_size() -> int:
    """Return the number of shared rows. The shifts stand behind them in the parameters of a fit."""
    return int(reduced_index().max()) + 1


def rows(movers: Bits, opponents: Bits) -> Any:
    """Return the positions as a sparse matrix of float32: positions x (shared rows, then shifts), TERMS + 1 a row."""
    full = np.empty((len(movers), TERMS), np.int32)
    evaluation.factor_columns(np.ascontiguousarray(movers), np.ascontiguousarray(opponents), full)
    indices = np.empty((len(movers), TERMS + 1), np.int32)
    np.take(reduced_index(), full, out=indices[:, :TERMS])
    indices[:, TERMS] = boards.empties(movers, opponents).astype(np.int32) + reduced_size()
    bounds = np.arange(0, indices.size + 1, TERMS + 1, dtype=np.int32)
    shape = (len(movers), reduced_size() + _SHIFTS)
    return sparse.csr_matrix((np.ones(indices.size, np.float32), indices.ravel(), bounds), shape=shape, copy=False)


def added(matrix: Any, parameters: Reals) -> tuple[Reals, Reals]:
    """Return the sums of the positions (positions x channels) and what they add to the tables' values, in discs."""
    sums: Reals = matrix @ parameters
    squares: Reals = np.square(sums)
    more: Reals = sums[:, 0] + squares @ SIGNS
    return sums, more


def slope(
    matrix: Any, parameters: Reals, base: Reals, scores: Reals, importance: Reals, delta: float
) -> tuple[Reals, Reals]:
    """Return the gradient of the weighted mean of Huber's loss, and the positions' absolute errors in discs."""
    sums, more = added(matrix, parameters)
    errors = base + more - scores
    pull = np.clip(errors, -delta, delta) * (importance / importance.sum())
    sums *= 2 * SIGNS
    sums[:, 0] = 1
    sums *= pull[:, None]
    return matrix.T @ sums, np.abs(errors)


def _values(parameters: Reals, sample: Sample) -> Reals:
    """Return the values of the positions in discs."""
    result: Reals = sample.base.copy()
    for part in chunks(np.arange(len(sample))):
        result[part] += added(rows(sample.movers[part], sample.opponents[part]), parameters)[1]
    return result


def _errors(values: Reals, sample: Sample, options: Options) -> Errors:
    errors = np.abs(np.clip(values, -64, 64) - sample.scores)
    close = np.abs(sample.scores) <= CLOSE
    return Errors(
        float(errors.mean()),
        float(errors[close].mean()) if close.any() else float("nan"),
        float(np.average(errors, weights=sample.importance(options.close, options.early_close))),
    )


def _batches(sample: Sample, order: NDArray[Any], size: int) -> Iterator[tuple[NDArray[Any], Any]]:
    """Yield the places of each batch with its matrix, which a thread makes while the one before is learned from."""

    def make(start: int) -> tuple[NDArray[Any], Any]:
        places = order[start : start + size]
        return places, rows(sample.movers[places], sample.opponents[places])

    with ThreadPoolExecutor(1) as thread:
        next_one = thread.submit(make, 0)
        for start in range(size, len(order), size):
            ready = next_one.result()
            next_one = thread.submit(make, start)
            yield ready
        yield next_one.result()


def quantised(parameters: Reals) -> tuple[weights_file.Factors, float]:
    """Return the parameters in the kernel's units, and the share of numbers that had to be clipped."""
    units = np.rint(parameters / UNITS)
    limits = np.full((len(units), 1), 127)
    limits[reduced_size() :] = SHIFT_LIMIT
    kept = np.clip(units, -limits, limits)
    return weights_file.Factors(
        rows=kept[: reduced_size()].astype(np.int8).tobytes(),
        shift=kept[reduced_size() :].astype("<i2").tobytes(),
        signs=SIGNS.astype(np.int8).tobytes(),
    ), float((kept != units).mean())


def parameters_of(factors: weights_file.Factors) -> Reals:
    """Return the parameters that stand for what is in a weights file."""
    shared = np.frombuffer(factors.rows, np.int8).reshape(-1, patterns.CHANNELS)
    shift = np.frombuffer(factors.shift, "<i2").reshape(-1, patterns.CHANNELS)
    return np.concatenate((shared, shift)).astype(np.float32) * UNITS


def train(
    trained: Sample, held: Sample, options: Options, after_epoch: Callable[[int, float, Errors], None] | None = None
) -> Fitted:
    """Fit the factors; the epoch with the smallest weighted held-out error counts.

    `after_epoch` is called with the number of the epoch (0: before the first), the weighted error on the training
    positions during it, and the held-out errors.
    """
    rng = np.random.default_rng(options.seed)
    wider = np.array([_ADDED] + [1] * (patterns.CHANNELS - 1), np.float32)
    parameters = rng.standard_normal((reduced_size() + _SHIFTS, patterns.CHANNELS), np.float32) * _DEVIATION * wider
    parameters[reduced_size() :] = 0
    adam = Adam(parameters.shape, np.float32(options.rate) * wider)
    importance = trained.importance(options.close, options.early_close)
    seen = np.zeros(len(parameters), np.bool_)
    each = -(-len(trained) // options.batch)
    curve: list[tuple[float, float]] = []

    def note(epoch: int, error: float, errors: Errors) -> None:
        curve.append((error, errors.weighted))
        if after_epoch is not None:
            after_epoch(epoch, error, errors)

    before = _errors(held.base, held, options)
    note(0, _errors(trained.base, trained, options).weighted, before)
    best, best_errors = parameters, before
    for epoch in range(options.epochs):
        order = rng.permutation(len(trained))
        total = 0.0
        batches = shown(_batches(trained, order, options.batch), each, f"epoch {epoch + 1} of {options.epochs}")
        for places, matrix in batches:
            gradient, errors = slope(
                matrix, parameters, trained.base[places], trained.scores[places], importance[places], options.delta
            )
            if options.ridge:
                gradient[: reduced_size()] += np.float32(2 * options.ridge) * parameters[: reduced_size()]
            if epoch == 0:
                seen[matrix.indices] = True
            total += float(errors @ importance[places])
            adam.step(parameters, gradient, share_of_rate(adam.count, each * options.epochs))
        if epoch == 0:
            # States that no position has say nothing, rather than what they began with.
            parameters[~seen] = 0
        now = _errors(_values(parameters, held), held, options)
        note(epoch + 1, total / float(importance.sum()), now)
        if not np.isfinite(now.weighted):
            raise InputError("rate", options.rate, "a smaller one: the fit went astray")
        if epoch == 0 or now.weighted < best_errors.weighted:
            best, best_errors = parameters.copy(), now
    factors, clipped = quantised(best)
    values = np.clip(_values(parameters_of(factors), held), -64, 64)
    return Fitted(
        factors,
        len(trained),
        before,
        best_errors,
        _errors(values, held, options),
        clipped,
        curve,
        fit.by_empties(boards.empties(held.movers, held.opponents), held.scores, np.abs(values - held.scores)),
    )
