"""From positions to the rows of the fit: the weights whose sum is a position's value.

The kernel's tables have an entry for every state of every pattern; mirrored states of a symmetric pattern share one
weight. These shared ("reduced") weights are fitted and stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from othello_bot import kernel
from othello_bot.kernel import feature_columns as fill_feature_columns
from othello_bot.kernel import patterns
from othello_bot.training.boards import Bits

TERMS: Final = len(patterns.FEATURES) + len(patterns.COUNTS)
"""Number of weights that add up to a position's value."""

UNIT: Final = 128
"""Table units in a disc."""


@lru_cache(maxsize=1)
def reduced_index() -> NDArray[np.int32]:
    """Return the number of the reduced weight behind every entry of a stage's full table.

    Weights are numbered in increasing order of the smaller of the two mirrored states, pattern by pattern. Entries of
    counts are not shared.
    """
    result = np.empty(patterns.TABLE_SIZE, np.int32)
    kernel.reduced_index(result)
    return result


def reduced_size() -> int:
    """Return the number of reduced weights of a stage."""
    return int(reduced_index()[-1]) + 1


def rows(movers: Bits, opponents: Bits) -> Any:
    """Return the positions as a sparse matrix of float32: positions x reduced weights, TERMS entries a row."""
    full = np.empty((len(movers), TERMS), np.int32)
    fill_feature_columns(np.ascontiguousarray(movers), np.ascontiguousarray(opponents), full)
    indices = reduced_index()[full].ravel()
    del full
    bounds = np.arange(0, len(indices) + 1, TERMS, dtype=np.int64 if len(indices) > 2**31 - 1 else np.int32)
    shape = (len(movers), reduced_size())
    return sparse.csr_matrix((np.ones(len(indices), np.float32), indices, bounds), shape=shape, copy=False)


def kernel_weights(stage_of_empties: Sequence[int], reduced: NDArray[np.int16]) -> kernel.Weights:
    """Return reduced weights (stages x reduced_size) in the layout that the kernel takes."""
    return kernel.Weights(list(stage_of_empties), np.ascontiguousarray(reduced[:, reduced_index()]))
