"""The ProbCut error model: the expected difference between a shallow and a deep search.

The coefficients of a weights file are in a file beside it (data/evaluation.probcut.json for the shipped one).
othello-bot train fit-probcut (othello_bot/training/probcut_statistics.py) measures and fits them after M. Buro,
"Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello" (1997). The model takes the
difference between two searches of one position, as sums before their scales, as normally distributed; its standard
deviation in discs is

    exp(c0 + c1 x + c2 y + c3 x y + c4 n + c5 n^2)    with x = ln(depth + 1), y = ln(shallow + 1), n = empties / 60

with one set of coefficients for searches that do not reach the end of the game, and one for those that solve (depth =
empties).
"""

from __future__ import annotations

import functools
import json
import math
from array import array
from pathlib import Path
from typing import Final

from othello_bot.base.errors import UserError
from othello_bot.base.files import DATA_FOLDER, read_regular
from othello_bot.kernel import ErrorModel


def beside(weights_file: Path) -> Path:
    """Return the path of the model of a weights file: new.probcut.json for new.weights."""
    return weights_file.with_suffix(".probcut.json")


DEFAULT_FILE: Final = DATA_FOLDER / "evaluation.probcut.json"

COEFFICIENTS: Final = 6

_LARGEST_FILE_BYTES: Final = 1 << 16


class ProbCutError(UserError):
    """A file without a usable model; the message says what is wrong with it."""


def terms(empties: int, depth: int, shallow: int) -> tuple[float, ...]:
    """Return the terms that the coefficients multiply."""
    x, y, n = math.log(depth + 1), math.log(shallow + 1), empties / 60
    return (1.0, x, y, x * y, n, n * n)


def read_coefficients(path: Path = DEFAULT_FILE) -> tuple[list[float], list[float]]:
    """Return the coefficients (midgame, endgame) of a file. Raise ProbCutError if it is damaged, OSError if it cannot
    be read.
    """
    try:
        content = json.loads(read_regular(path, _LARGEST_FILE_BYTES))
        sets = [[float(value) for value in content[name]] for name in ("midgame", "endgame")]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ProbCutError(f"{path}: not a ProbCut model ({error})") from error
    if any(len(values) != COEFFICIENTS or not all(map(math.isfinite, values)) for values in sets):
        raise ProbCutError(f"{path}: expected {COEFFICIENTS} finite numbers in each of midgame and endgame")
    return sets[0], sets[1]


def serving(weights_file: Path) -> Path:
    """Return the file of the model for a weights file: the one beside it, or else the shipped one."""
    return beside(weights_file) if beside(weights_file).exists() else DEFAULT_FILE


def load(path: Path = DEFAULT_FILE) -> ErrorModel:
    """Return a file's model, in the form that a Searcher takes. Raise ProbCutError if it is damaged, OSError if it
    cannot be read.
    """
    return ErrorModel(*(array("d", values) for values in read_coefficients(path)))


@functools.cache
def shipped() -> ErrorModel:
    """Return the shipped model, cached for the process."""
    return load()
