"""Whether the labels that searches gave are too small, measured on positions that were solved afterwards.

A function fitted to minimise absolute errors gives values a little too near to zero, and so do the labels that lean
on it, those of every earlier stage a little more. So labels of searches are stretched by what solved positions of the
store say; where none can be solved in reasonable time, by what the nearest numbers of empties say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from othello_bot.kernel.searcher import Searcher
from othello_bot.learning import boards
from othello_bot.learning.labels import FULL_WIDTH
from othello_bot.learning.progress import shown
from othello_bot.learning.steps import weights_of
from othello_bot.learning.store import EXACT, UNLABELLED, Records, Store, write_atomically
from othello_bot.learning.workers import Workers

#: Positions that are solved, by number of empties.
_SOLVED: Final = {14: 1200, 16: 1200, 18: 600, 20: 300, 22: 80}

#: Labels further out than this are left out: there the end of the scale presses the scores together.
_LARGEST: Final = 40

#: Shards that the positions are drawn from, the last ones of the store.
_SHARDS: Final = 12

_FILE: Final = "calibration.json"


def _solve(data: bytes | None, records: Records) -> list[int]:
    searcher = Searcher(32)
    searcher.set_weights(weights_of(data))
    pairs = zip(records["mover"].tolist(), records["opponent"].tolist(), strict=True)
    return [searcher.score(mover, opponent, EXACT, FULL_WIDTH)[0] for mover, opponent in pairs]


def measure(store: Store, workers: Workers, data: bytes | None, seed: int, scale: float = 1.0) -> dict[int, float]:
    """Return by what labels of searches have to be multiplied, by number of empties, and note it in the store's folder.

    The factor is the slope of the regression of exact scores on labels, through the origin. `scale` times the usual
    number of positions are solved.
    """
    records = np.concatenate([store.read(path) for path in store.shards()[-_SHARDS:]])
    searched = (records["depth"] != EXACT) & (records["depth"] != UNLABELLED) & (np.abs(records["score"]) <= _LARGEST)
    records = records[searched]
    present = boards.empties(records["mover"], records["opponent"])
    rng = np.random.default_rng(seed)

    def arguments() -> Iterator[tuple[Any, ...]]:
        for count, number in _SOLVED.items():
            places = np.flatnonzero(present == count)
            places = rng.choice(places, min(len(places), int(number * scale)), replace=False)
            for start in range(0, len(places), 20):
                yield data, records[places[start : start + 20]]

    products = dict.fromkeys(_SOLVED, 0.0)
    squares = dict.fromkeys(_SOLVED, 0.0)
    total = sum(-(-int(number * scale) // 20) for number in _SOLVED.values())
    for (_, part), scores in shown(workers.each(_solve, arguments()), total, "calibration"):
        count = int(boards.empties(part["mover"][:1], part["opponent"][:1])[0])
        labels = part["score"].astype(np.float64)
        products[count] += float(labels @ np.array(scores, np.float64))
        squares[count] += float(labels @ labels)
    factors = {count: round(products[count] / squares[count], 4) for count in _SOLVED if squares[count]}
    write_atomically(store.folder / _FILE, (json.dumps(factors) + "\n").encode())
    return factors


def read(folder: Path) -> dict[int, float]:
    """Return the factors noted in a store's folder; none where nothing was measured."""
    path = folder / _FILE
    return (
        {int(count): float(factor) for count, factor in json.loads(path.read_bytes()).items()} if path.exists() else {}
    )


def stretched(records: Records, factors: Mapping[int, float]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the labels in discs; those of searches multiplied by the factor of their number of empties."""
    scores = records["score"].astype(np.float32)
    if factors:
        present = boards.empties(records["mover"], records["opponent"])
        factor = np.interp(present, sorted(factors), [factors[count] for count in sorted(factors)])
        scores = np.where(records["depth"] == EXACT, scores, scores * factor.astype(np.float32))
    return np.clip(scores, -64, 64)
