"""Which arrays are accepted, how errors name the first invalid entry, and how threads share the work on the others."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from othello_bot import kernel
from othello_bot.base.errors import InputError
from othello_bot.base.notation import integer_of

Bitboards = npt.NDArray[np.uint64]
"""Bitboards of many positions."""

LEAST_PART: Final = 4096
"""Fewest positions that are worth a thread of their own."""

MOST_THREADS: Final = 1024


def checked(name: str, given: object, dtype: type[np.generic], dimensions: int = 1) -> npt.NDArray[Any]:
    """Return an array as it is; raise InputError unless it is a contiguous one of this type and this many dimensions.

    A masked array is refused, because its mask would be ignored.
    """
    if (
        isinstance(given, np.ndarray)
        and not isinstance(given, np.ma.MaskedArray)
        and given.dtype == dtype
        and given.ndim == dimensions
    ):
        flags = given.flags
        if flags.c_contiguous and flags.aligned:
            return given
    wanted = f"a contiguous array of {np.dtype(dtype)} with {dimensions} dimension{'s' * (dimensions > 1)}"
    if not isinstance(given, np.ndarray):
        hint = f"; {name}.to_numpy() makes one of a table's column" if hasattr(given, "to_numpy") else ""
        raise InputError(name, type(given).__name__, wanted + hint)
    if isinstance(given, np.ma.MaskedArray):
        raise InputError(
            name, "a masked array", f"{wanted} without a mask; its methods compressed() and filled() make one"
        )
    if given.dtype == np.int64 and dtype is np.uint64:
        raise InputError(f"{name}, dtype", "int64", f"{wanted}; for bitboards kept as int64, {name}.view(numpy.uint64)")
    if given.dtype.kind == "f" and dtype is np.uint64:
        hint = "floats have lost discs: read the table again with uint64 as the column's type"
        raise InputError(f"{name}, dtype", str(given.dtype), f"{wanted}; {hint}")
    if given.dtype != dtype:
        raise InputError(f"{name}, dtype", str(given.dtype), wanted)
    if given.ndim != dimensions:
        raise InputError(f"{name}, shape", given.shape, wanted)
    if not given.flags.c_contiguous:
        raise InputError(f"{name}, strides", given.strides, f"{wanted}; numpy.ascontiguousarray makes one")
    raise InputError(f"{name}, address", given.ctypes.data, f"{wanted}, aligned; numpy.array makes a copy that is")


def checked_positions(mover: object, opponent: object) -> tuple[Bitboards, Bitboards]:
    """Return the arrays of positions; raise InputError for invalid ones, with the index of the first."""
    movers, opponents = checked("mover", mover, np.uint64), checked("opponent", opponent, np.uint64)
    same_length("opponent", opponents, len(movers))
    index = kernel.first_overlap(movers, opponents)
    if index >= 0:
        both = int(movers[index]), int(opponents[index])
        raise InputError(f"index {index}: bitboards", both, "no square with discs of both players")
    return movers, opponents


def same_length(name: str, given: npt.NDArray[Any], length: int) -> None:
    """Raise InputError unless the array has this length."""
    if len(given) != length:
        raise InputError(f"{name}, length", len(given), f"{length}, as many as the others")


def checked_integer(name: str, given: object, low: int, high: int) -> int:
    """Return the integer; raise InputError unless it is one within these limits, both inclusive."""
    if type(given) is int and low <= given <= high:
        return given
    number = integer_of(given, low, high)
    if number is None:
        raise InputError(name, given, f"a whole number from {low} to {high}")
    return number


def accepts(function: object, *arguments: object) -> bool:
    """Return whether this can be called with these arguments, as far as its signature tells."""
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # a built-in function without a signature
        return True
    return True


def in_parts(threads: int, count: int, work: Callable[[slice], int | None]) -> int:
    """Do the work for all `count` entries, in parts on this many threads; return the first offender's index, or -1.

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
