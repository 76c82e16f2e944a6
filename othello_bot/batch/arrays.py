"""What arrays are accepted, how errors name the first offender, and how threads share the work."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from othello_bot import kernel
from othello_bot.base.errors import InputError

Bitboards = npt.NDArray[np.uint64]
"""Bitboards of many positions."""

LEAST_PART: Final = 4096
"""Fewest positions that are worth a thread of their own."""

MOST_THREADS: Final = 1024


def checked(name: str, given: object, dtype: type[np.generic], dimensions: int = 1) -> npt.NDArray[Any]:
    """Return an array as it is; raise InputError unless it is a contiguous one of this type and so many dimensions."""
    if isinstance(given, np.ndarray) and given.dtype == dtype and given.ndim == dimensions:
        flags = given.flags
        if flags.c_contiguous and flags.aligned:
            return given
    wanted = f"a contiguous array of {np.dtype(dtype)} with {dimensions} dimension{'s' * (dimensions > 1)}"
    if not isinstance(given, np.ndarray):
        raise InputError(name, type(given).__name__, wanted)
    if given.dtype != dtype:
        raise InputError(f"{name}, dtype", str(given.dtype), wanted)
    if given.ndim != dimensions:
        raise InputError(f"{name}, shape", given.shape, wanted)
    if not given.flags.c_contiguous:
        raise InputError(f"{name}, strides", given.strides, f"{wanted}; numpy.ascontiguousarray makes one")
    raise InputError(f"{name}, address", given.ctypes.data, f"{wanted}, aligned; numpy.array makes a copy that is")


def checked_positions(mover: object, opponent: object) -> tuple[Bitboards, Bitboards]:
    """Return the arrays of positions; raise InputError where they are none, with the index of the first."""
    movers, opponents = checked("mover", mover, np.uint64), checked("opponent", opponent, np.uint64)
    same_length("opponent", opponents, len(movers))
    index = kernel.first_overlap(movers, opponents)
    if index >= 0:
        both = int(movers[index]), int(opponents[index])
        raise InputError(f"bitboards at index {index}", both, "no square with discs of both players")
    return movers, opponents


def same_length(name: str, given: npt.NDArray[Any], length: int) -> None:
    """Raise InputError unless the array has this length."""
    if len(given) != length:
        raise InputError(f"{name}, length", len(given), f"{length}, as many as the others")


def checked_integer(name: str, given: object, low: int, high: int) -> int:
    """Return the integer; raise InputError unless it is one within these limits, both inclusive."""
    if type(given) is int and low <= given <= high:
        return given
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or not low <= given <= high:
        raise InputError(name, given, f"a whole number from {low} to {high}")
    return int(given)


def in_parts(threads: int, count: int, work: Callable[[slice], int | None]) -> int:
    """Do the work for all `count` entries, in parts on so many threads; return the first offender's index, or -1.

    `work` gets the part as a slice and returns the index of its first offender in that part; -1 or None if there is
    none. Raise InputError for an invalid number of threads.
    """
    threads = checked_integer("threads", threads, 1, MOST_THREADS)
    parts = min(threads, count // LEAST_PART)
    if parts <= 1:
        offender = work(slice(0, count))
        return -1 if offender is None else offender
    bounds = [count * part // parts for part in range(parts + 1)]
    slices = [slice(first, end) for first, end in pairwise(bounds)]
    with ThreadPoolExecutor(parts) as pool:
        offenders = list(pool.map(work, slices))
    for part, offender in zip(slices, offenders, strict=True):
        if offender is not None and offender >= 0:
            return int(part.start) + offender
    return -1
