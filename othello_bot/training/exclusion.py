"""Keys of the measuring positions, which every fit excludes under all symmetries."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_bot.training import boards, measuring


def excluded_keys(files: Iterable[Path]) -> NDArray[np.uint64]:
    """Return the sorted keys of all positions of the OBF files, as Store.labelled takes them.

    Raise FormatError as read() does.
    """
    pairs = [pair for path in files for pair in measuring.read(path).positions]
    movers = np.array([mover for mover, _ in pairs], np.uint64)
    opponents = np.array([opponent for _, opponent in pairs], np.uint64)
    return np.unique(boards.keys(movers, opponents))
