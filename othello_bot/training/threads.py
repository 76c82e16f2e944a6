"""Parts of one computation in parallel threads: NumPy and SciPy release the interpreter's lock in their loops.

The caller divides the computation so that the result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Threads:
    """A pool of as many threads as there are cores, or of `count`. As a context manager it ends with the block."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.count)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def start(self, task: Callable[[], Result]) -> Future[Result]:
        """Start a task."""
        return self._pool.submit(task)

    def all(self, tasks: Iterable[Callable[[], Result]]) -> list[Result]:
        """Wait for all tasks and return their results in order; raise the first error."""
        return [each.result() for each in [self.start(task) for task in tasks]]


def spans(length: int, size: int) -> list[slice]:
    """Return slices of at most `size` elements that cover range(length) in order."""
    return [slice(start, min(start + size, length)) for start in range(0, length, size)]
