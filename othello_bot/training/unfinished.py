"""The saved state of a long computation, in a file beside its output, so that a killed computation can continue."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.files import whole_file

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
