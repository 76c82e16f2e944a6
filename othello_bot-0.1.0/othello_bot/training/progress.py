"""Long computations: their threads, their progress bars, and the state from which a killed one continues.

NumPy and SciPy release the interpreter's lock in their loops, so threads compute at the same time. The caller divides a
computation so that its result does not depend on their number.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.files import whole_file
from othello_bot.base.output import ProgressLine, write_to_stderr
from othello_bot.cluster import Arguments, Workers

ResultT = TypeVar("ResultT")


class Threads:
    """A pool of as many threads as there are cores, or of `count`. As a context manager it ends with the block."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.count)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def start(self, task: Callable[[], ResultT]) -> Future[ResultT]:
        """Start a task."""
        return self._pool.submit(task)

    def all(self, tasks: Iterable[Callable[[], ResultT]]) -> list[ResultT]:
        """Wait for all tasks and return their results in order; raise the first error."""
        return [each.result() for each in [self.start(task) for task in tasks]]


def spans(length: int, size: int) -> list[slice]:
    """Return slices of at most `size` elements that cover range(length) in order."""
    return [slice(start, min(start + size, length)) for start in range(0, length, size)]


Item = TypeVar("Item")


def shown(items: Iterable[Item], total: int, title: str, done: int = 0) -> Iterator[Item]:
    """Yield the items and show on stderr how many of `total` have come, `done` of them before.

    If stderr is a file, write a single line at the end.
    """
    count = done
    with ProgressLine(sys.stderr, unit=title) as progress:
        for item in items:
            count += 1
            progress.told(count, total)
            yield item
    if not sys.stderr.isatty():
        write_to_stderr(f"{title}: {count} of {total}\n")


State = dict[str, NDArray[Any]]

_MARK: Final = "mark"


def fingerprint(words: Iterable[object], arrays: Iterable[NDArray[Any]]) -> str:
    """Return a fingerprint of a computation on these `arrays` with the options in `words`."""
    result = hashlib.sha256(repr(list(words)).encode())
    for array in arrays:
        result.update(f"{array.dtype} {array.shape}".encode())
        result.update(np.ascontiguousarray(array).view(np.uint8).data)
    return result.hexdigest()


class Unfinished:
    """The file at `path`. `say` is told when a computation continues, or why it cannot."""

    def __init__(self, path: Path, say: Callable[[str], None] | None = None) -> None:
        self.path = path
        self._say = say

    @classmethod
    def of(cls, output: Path, say: Callable[[str], None] | None = None) -> Unfinished:
        """Return the file for the `output` of a computation: new.unfinished for new.weights."""
        return cls(output.with_suffix(".unfinished"), say)

    def load(self, mark: str) -> State | None:
        """Return the last saved state of the computation with that fingerprint; None if there is none."""
        try:
            with np.load(self.path, allow_pickle=False) as file:
                if str(file[_MARK]) == mark:
                    state = {name: file[name] for name in file.files if name != _MARK}
                    self._tell("continuing where an earlier run stopped")
                    return state
            self._tell("belongs to another computation and is discarded; starting from the beginning")
        except FileNotFoundError:
            pass
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            self._tell(f"cannot be read ({error}); starting from the beginning")
        return None

    def save(self, mark: str, state: State) -> None:
        """Save the state of the computation with that fingerprint, replacing the one before."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(self.path) as file:
            np.savez(file, allow_pickle=False, **state, **{_MARK: np.array(mark)})

    def remove(self) -> None:
        """Remove the file, because the computation is done."""
        self.path.unlink(missing_ok=True)

    def _tell(self, text: str) -> None:
        if self._say is not None:
            self._say(f"{self.path}: {text}")


def _numbered(number: int, task: Callable[..., Any], these: Arguments) -> Any:
    return task(*these)


def each_once(
    workers: Workers,
    task: Callable[..., Any],
    arguments: Sequence[Arguments],
    title: str,
    unfinished: Unfinished,
    mark: str,
) -> list[Any]:
    """Return the results of `task` for each of the arguments, in order, as JSON returns them.

    Save every result as it comes, and reuse those of an `unfinished` run with the same `mark` (see fingerprint()). The
    caller removes the file once what it makes of the results is safe.
    """
    state = unfinished.load(mark)
    results: dict[str, Any] = {} if state is None else json.loads(str(state["results"]))
    missing = [(number, task, these) for number, these in enumerate(arguments) if str(number) not in results]
    ended = workers.each(_numbered, missing)
    for (number, *_), result in shown(ended, len(arguments), title, len(results)):
        results[str(number)] = result
        unfinished.save(mark, {"results": np.array(json.dumps(results))})
    return [results[str(number)] for number in range(len(arguments))]
