"""The positions that measure an evaluation: read from OBF files, and kept out of every fit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_bot.formats import obf
from othello_bot.learning import boards


@dataclass(frozen=True)
class Measured:
    """Positions with their exact scores in discs, mover's view."""

    movers: NDArray[np.uint64]
    opponents: NDArray[np.uint64]
    scores: NDArray[np.int16]


def read(path: Path) -> Measured:
    """Return the positions of an OBF file that have an exact score. Raise FormatError for a line that is no OBF."""
    with open(path, encoding="ascii") as file:
        problems = [problem for problem in obf.read(file) if problem.best_score is not None]
    return Measured(
        np.array([problem.position.mover for problem in problems], np.uint64),
        np.array([problem.position.opponent for problem in problems], np.uint64),
        np.array([problem.best_score for problem in problems], np.int16),
    )


def excluded_keys(files: Iterable[Path]) -> NDArray[np.uint64]:
    """Return the sorted keys of all positions of the files and of their symmetric images, for Store.labelled."""
    names = [boards.keys(measured.movers, measured.opponents) for measured in map(read, files)]
    return np.unique(np.concatenate(names)) if names else np.zeros(0, np.uint64)


def default_files(root: Path) -> list[Path]:
    """Return the measuring files beside the checkout at `root`; none where the folder is absent."""
    return sorted((root.parent / "shared" / "data").glob("*.obf"))
