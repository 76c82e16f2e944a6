"""The pairwise factors as the fit sees them: a factorization machine over the states of small patterns.

S. Rendle, "Factorization Machines" (2010). Every state of the factor patterns, of the counts and of the sets of moves
has a row of numbers, the channels, for each phase of the game. A position's rows are summed, with the shift of its
number of empties. The first sum is added to the tables' value; the others are squared and added with fixed signs. So
every pair of states in a position contributes to its value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from othello_bot import kernel
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import factor_columns, patterns
from othello_bot.training import boards, scale
from othello_bot.training.boards import Bits
from othello_bot.training.fit import Reals

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
