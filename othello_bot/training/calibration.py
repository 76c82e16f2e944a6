"""Calibration: whether the labels from searches are too small, measured on positions that are solved afterwards.

A function fitted to minimise absolute errors returns values slightly too close to zero. Labels from searches that use
it inherit the error, and it grows with every earlier stage. So labels from searches are stretched by a factor that
solved positions of the store give. Where none can be solved in reasonable time, the factors of the nearest numbers of
empties apply. Every round of labels has its own factors, because each used a different function.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from othello_bot.base.files import write_whole
from othello_bot.cluster import Workers
from othello_bot.training import boards
from othello_bot.training.boards import EXACT, UNLABELLED, PositionStore, Records
from othello_bot.training.labels import solve, tasks
from othello_bot.training.progress import Unfinished, each_once, fingerprint

_SOLVED: Final = {14: 1200, 16: 1200, 18: 600, 20: 300, 22: 80}
"""How many positions to solve, by number of empties."""

_LARGEST: Final = 40
"""Skip labels beyond this: scores are compressed there by the end of the scale."""

_SHARDS: Final = 12
"""Number of shards from which positions are drawn: the last ones in the store with labels from searches."""

_FILE: Final = "calibration.json"

Factors = Mapping[int, Mapping[int, float]]
"""Factors of the labels from searches: by round, then by number of empties."""


def _searched(store: PositionStore, number: int) -> Iterator[Records]:
    """Yield the records of each shard that a round's searches labelled, the last shards first; skip shards without any."""
    for path in reversed(store.shards()):
        records = store.read(path)
        searched = (records["depth"] != EXACT) & (records["depth"] != UNLABELLED) & (records["round"] == number)
        if searched.any():
            yield records[searched & (np.abs(records["score"]) <= _LARGEST)]


def measure(
    store: PositionStore, workers: Workers, data: bytes | None, seed: int, number: int, scale: float = 1.0
) -> dict[int, float]:
    """Return the factors of a round's labels from searches, by number of empties, and store them in the folder.

    The factor is the slope of the regression of exact scores on labels, through the origin. `scale` multiplies the
    usual number of positions to solve. Return an empty mapping if the round has no labels from searches that can be
    solved.
    """
    parts = list(islice(_searched(store, number), _SHARDS))
    if not parts:
        return {}
    records = np.concatenate(parts)
    present = boards.empties(records["mover"], records["opponent"])
    rng = np.random.default_rng(seed)

    arguments: list[tuple[bytes | None, Records, int]] = []
    for count, wanted in _SOLVED.items():
        places = np.flatnonzero(present == count)
        places = rng.choice(places, min(len(places), int(wanted * scale)), replace=False)
        arguments += tasks(data, records[places])

    unfinished = Unfinished(store.folder / "calibration.unfinished")
    mark = fingerprint((), [np.frombuffer(data or b"", np.uint8), *(part for _, part, _ in arguments)])
    products = dict.fromkeys(_SOLVED, 0.0)
    squares = dict.fromkeys(_SOLVED, 0.0)
    solved = each_once(workers, solve, arguments, "calibration", unfinished, mark)
    for (_, part, _), scores in zip(arguments, solved, strict=True):
        count = int(boards.empties(part["mover"][:1], part["opponent"][:1])[0])
        labels = part["score"].astype(np.float64)
        products[count] += float(labels @ np.array(scores, np.float64))
        squares[count] += float(labels @ labels)
    factors = {count: round(products[count] / squares[count], 4) for count in _SOLVED if squares[count]}
    if factors:
        noted = read(store.folder) | {number: factors}
        write_whole(store.folder / _FILE, (json.dumps(noted) + "\n").encode())
    unfinished.remove()
    return factors


def read(folder: Path) -> dict[int, dict[int, float]]:
    """Return the factors stored in a store's folder; an empty mapping where nothing was measured."""
    path = folder / _FILE
    if not path.exists():
        return {}
    return {
        int(number): {int(count): float(factor) for count, factor in factors.items()}
        for number, factors in json.loads(path.read_bytes()).items()
    }


def stretched(records: Records, factors: Factors) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the labels in discs; those from searches multiplied by the factor of their round and number of empties.

    Factors between the measured numbers of empties are interpolated. A round without factors of its own uses those of
    the nearest round that has some.
    """
    scores = records["score"].astype(np.float32)
    present = boards.empties(records["mover"], records["opponent"])
    searched = records["depth"] != EXACT
    for number in np.unique(records["round"]) if factors else ():
        of_round = factors[min(factors, key=lambda known: (abs(known - int(number)), -known))]
        here = searched & (records["round"] == number)
        factor = np.interp(present[here], sorted(of_round), [of_round[count] for count in sorted(of_round)])
        scores[here] *= factor.astype(np.float32)
    return np.clip(scores, -64, 64)
