"""Parts of one computation side by side in threads: NumPy and SciPy let others at the interpreter in their loops.

Who divides a computation makes the parts such that the result does not depend on how many threads there are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Threads:
    """As many threads as there are cores, or `count`. As a context manager: they end with the block."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.count)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def start(self, task: Callable[[], Result]) -> Future[Result]:
        """Begin a task."""
        return self._pool.submit(task)

    def all(self, tasks: Iterable[Callable[[], Result]]) -> list[Result]:
        """Return the results of all tasks, in their order, when they are there; raise the first error."""
        return [each.result() for each in [self.start(task) for task in tasks]]


def spans(length: int, size: int) -> list[slice]:
    """Return slices of at most `size` that cover range(length) in order."""
    return [slice(start, min(start + size, length)) for start in range(0, length, size)]
