"""The scale of values: the discs that a sum of tables and factors stands for, stage by stage.

The sum is fitted as a whole, but the average score of positions with a given sum depends on how uncertain the sum is
and on the weights of the fit. So the value is a rising function of the sum, the same for both sides, piecewise linear
between KNOTS, and its slopes are learned with the rest. It preserves the order of positions of one stage.

At last the scale is corrected so that what searches report is what exact scores are on average. Scores of searches are
nearer to zero than exact ones, more so the further the leaves are from the end. A rising scale of the leaves' values is
the same scale of the root's score, as long as all leaves have the same number of empties. So the correction that
searches need is put on their leaves. For each number of empties it is piecewise linear between CORRECTED_AT. It is
fitted to searches that end there, and, where scored positions have that number of empties themselves, to their static
values, with the same weight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from othello_bot.base.errors import InputError
from othello_bot.cluster import Workers
from othello_bot.engine import FULL_WIDTH, fixed_depth
from othello_bot.evaluation import probcut, weights
from othello_bot.kernel import Searcher
from othello_bot.rules import empties_of
from othello_bot.training import fit
from othello_bot.training.fit import Reals
from othello_bot.training.games import weights_of
from othello_bot.training.measuring import Measured
from othello_bot.training.progress import shown

KNOTS: Final[Reals] = np.array([0, 4, 8, 12, 16, 20, 26, 34, 46, 64], np.float32)
"""The ends of the lines, in discs of the sum. The scale ends at the last."""

LINES: Final = len(KNOTS) - 1
"""Number of lines in a stage's scale."""

_LENGTHS: Final[Reals] = np.diff(KNOTS)

LEAST_SLOPE: Final = 0.1
"""Limits of the slopes: a larger sum means a larger value, and 16 bits hold it in the kernel's units."""

LARGEST_SLOPE: Final = 3.0

_KEPT: Final = 1000.0
"""Damping of slopes with few positions, as a second derivative of the loss."""


def level(stages: int) -> Reals:
    """Return the initial slopes of a fit (stages x LINES): values equal the sums."""
    return np.ones((stages, LINES), np.float32)


def covered(sums: Reals) -> Reals:
    """Return the signed length of each line between zero and the sums (discs): positions x LINES."""
    result: Reals = np.clip(np.abs(sums)[:, None] - KNOTS[:-1], 0, _LENGTHS)
    result *= np.sign(sums)[:, None]
    return result


def slopes_at(sums: Reals, slopes: Reals) -> Reals:
    """Return the slope at each sum (discs) of the scale with these slopes (LINES); 0 beyond its end."""
    result: Reals = np.append(slopes, np.float32(0))[np.searchsorted(KNOTS[1:], np.abs(sums), side="right")]
    return result


def kept_within(slopes: Reals) -> None:
    """Clip slopes to the limits, in place."""
    np.clip(slopes, LEAST_SLOPE, LARGEST_SLOPE, out=slopes)


def quantised(slopes: Reals) -> NDArray[Any]:
    """Return the values of sums of 0, 1, ... 64 discs in the kernel's units: int16, stages x 65."""
    lines = covered(np.arange(KNOTS[-1] + 1, dtype=np.float32))
    result: NDArray[Any] = np.rint(slopes @ lines.T * fit.UNIT).astype("<i2")
    return result


def fitted(sums: Reals, scores: Reals, counts: Reals, delta: float, start: Reals) -> Reals:
    """Return the slopes (LINES) that minimise Huber's loss (linear beyond `delta`) of the values of the sums.

    `counts`: the weight of each position; `start`: slopes to keep where the positions do not decide.
    """
    lines = covered(sums)

    def loss(slopes: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        errors = lines @ slopes.astype(np.float32) - scores
        size, pull = np.abs(errors), np.clip(errors, -delta, delta)
        apart = slopes - start
        total = float((np.abs(pull) * (size - np.abs(pull) / 2)) @ counts) + _KEPT * float(apart @ apart) / 2
        return total, (lines.T @ (pull * counts)).astype(np.float64) + _KEPT * apart

    bounds = [(LEAST_SLOPE, LARGEST_SLOPE)] * LINES
    found = optimize.minimize(loss, start.astype(np.float64), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, np.float32)


_POSITIONS_OF_A_TASK: Final = 50

_HASH_MIB: Final = 16


@dataclass(frozen=True)
class Way:
    """How a position gets its reported score: by a search of `depth` plies, 0 for the static value."""

    name: str
    depth: int
    selectivity_index: int


JUDGED: Final = (Way("static", 0, 0), Way("depth 8", 8, FULL_WIDTH), Way("depth 15 at 73 %", 15, 0))


def reported(data: bytes | None, way: Way, positions: tuple[tuple[int, int], ...]) -> list[float]:
    """Return the scores of positions in discs, mover's view, each by a search with an empty table."""
    weights = weights_of(data)
    searcher = Searcher(_HASH_MIB)
    searcher.set_weights(weights)
    searcher.set_error_model(None if weights is None else probcut.shipped())
    scores = []
    for mover, opponent in positions:
        if way.depth == 0:
            score = min(max(searcher.static_value(mover, opponent), -64.0), 64.0)
        else:
            searcher.clear()
            score = fixed_depth(searcher, mover, opponent, way.depth, way.selectivity_index)[0].score
        scores.append(score)
    return scores


def pairs(workers: Workers, data: bytes | None, way: Way, measured: Measured) -> list[tuple[float, float]]:
    """Return the reported and the exact score of every position, in discs, mover's view."""

    def tasks() -> Iterator[tuple[bytes | None, Way, tuple[tuple[int, int], ...]]]:
        for start in range(0, len(measured.positions), _POSITIONS_OF_A_TASK):
            yield data, way, measured.positions[start : start + _POSITIONS_OF_A_TASK]

    found: dict[tuple[int, int], float] = {}
    count = -(-len(measured.positions) // _POSITIONS_OF_A_TASK)
    for (_, _, part), scores in shown(workers.each(reported, tasks()), count, way.name):
        found |= zip(part, scores, strict=True)
    return [(found[pair], exact) for pair, exact in zip(measured.positions, measured.scores, strict=True)]


CORRECTED_AT: Final = (0, 10, 20, 30, 45, 64)
"""Values in discs between which the correction is linear; at 0 there is none.

At the end there is one, because sums beyond the board count as 64, and the exact score is less on average.
"""

STATIC: Final = Way("static", 0, 0)

WAYS: Final = (
    *(Way(f"depth {depth}", depth, 5) for depth in range(4, 9)),
    *(Way(f"depth {depth} at 73 %", depth, 0) for depth in range(9, 16)),
)
"""The searches: full width where it is cheap, as the levels have it."""

STATIC_BEFORE: Final = 2
"""The first static corrections also hold for this many numbers of empties before."""

LEAST_RISE: Final = 0.25
"""Limit of the corrections: between two knots the scale rises by at least this share of the sum, to 64 at most."""


@dataclass(frozen=True)
class Correction:
    """The corrections in discs at the CORRECTED_AT after 0 for one number of empties, and their standard errors."""

    discs: tuple[float, ...]
    errors: tuple[float, ...]
    scores: int


def hats(value: float) -> list[float]:
    """Return the share of a value in discs that the correction at each knot after 0 has, with the sign of the value."""
    shares = [float(np.interp(abs(value), CORRECTED_AT, unit)) for unit in np.eye(len(CORRECTED_AT))[1:]]
    return shares if value > 0 else [-share for share in shares]


def with_scale(data: bytes, scale: Sequence[Sequence[int]]) -> bytes:
    """Return a weights file's content with another output scale: 61 x SCALE_VALUES, in the kernel's units.

    Raise InputError for a file without factors: it has no scale.
    """
    parts = weights.split(data)
    if parts.factors is None:
        raise InputError("--weights", "tables alone", "a weights file with factors")
    content = np.array(scale, "<i2").tobytes()
    return weights.to_bytes(parts.stage_of_empties, parts.reduced, replace(parts.factors, scale=content))


def scale_of(sizes: Mapping[int, Sequence[float]]) -> list[list[int]]:
    """Return the scale with these corrections in discs by number of empties; none for the numbers that are missing."""
    values = np.arange(weights.SCALE_VALUES)
    nothing = (0.0,) * (len(CORRECTED_AT) - 1)
    moved = (np.interp(values, CORRECTED_AT, (0.0, *sizes.get(empties, nothing))) for empties in range(61))
    return [np.rint(fit.UNIT * (values + discs)).astype(int).tolist() for discs in moved]


def measured(workers: Workers, data: bytes, way: Way, positions: Measured) -> Iterator[tuple[int, float, float]]:
    """Yield the leaves' empties, the reported and the exact score of the searches that end before the game does."""
    places = [place for place, pair in enumerate(positions.positions) if empties_of(*pair) > way.depth]
    part = Measured(
        tuple(positions.positions[place] for place in places), tuple(positions.scores[place] for place in places)
    )
    for pair, (reported, exact) in zip(part.positions, pairs(workers, data, way, part), strict=True):
        yield empties_of(*pair) - way.depth, reported, exact


def corrections(scores: Sequence[tuple[int, float, float]]) -> dict[int, Correction]:
    """Return the corrections for each number of the leaves' empties that measured() gave, by least squares."""
    by_empties: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for empties, reported, exact in scores:
        by_empties[empties].append((reported, exact))
    found = {}
    for empties, values in sorted(by_empties.items()):
        shares = np.array([hats(reported) for reported, _ in values])
        differences = np.array([exact - reported for reported, exact in values])
        squares = shares.T @ shares + np.eye(len(CORRECTED_AT) - 1)  # one score without a difference at each knot
        discs = np.linalg.solve(squares, shares.T @ differences)
        spread = float((differences - shares @ discs).std())
        errors = spread * np.sqrt(np.diag(np.linalg.inv(squares)))
        found[empties] = Correction(tuple(discs.tolist()), tuple(errors.tolist()), len(values))
    return found


def joined(searches: Mapping[int, Correction], static: Mapping[int, Correction]) -> dict[int, tuple[float, ...]]:
    """Return the corrections for 1 to 60 empties: those of searches, from the first static ones on the mean of both.

    They are interpolated between the numbers of empties that were measured; beyond the last one, it holds on.
    """
    both = {empties: np.array(discs) for empties, discs in _interpolated(searches).items()}
    if static:
        other = _interpolated(static)
        for empties in range(min(static) - STATIC_BEFORE, 61):
            both[empties] = (both[empties] + np.array(other[empties])) / 2
    return {empties: _rising(discs) for empties, discs in both.items()}


def _rising(discs: Iterable[float]) -> tuple[float, ...]:
    """Return the corrections with which the scale keeps to LEAST_RISE."""
    found, before, low = [], 0, 0.0
    for knot, size in zip(CORRECTED_AT[1:], discs, strict=True):
        high = CORRECTED_AT[-1] - LEAST_RISE * (CORRECTED_AT[-1] - knot)
        low = max(low + LEAST_RISE * (knot - before), min(knot + float(size), high))
        found.append(low - knot)
        before = knot
    return tuple(found)


def _interpolated(found: Mapping[int, Correction]) -> dict[int, list[float]]:
    measured_at = sorted(found)
    columns_of = zip(*(found[empties].discs for empties in measured_at), strict=True)
    rows = [np.interp(range(1, 61), measured_at, column) for column in columns_of]
    return {empties: [float(row[empties - 1]) for row in rows] for empties in range(1, 61)}
