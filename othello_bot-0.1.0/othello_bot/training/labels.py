"""Step 2, labels: exact scores where they are cheap, else scores of searches that use the stages fitted before.

The step labels only what has no label yet, so it can be killed and started again at any time.

Calibration measures whether the labels from searches are too small, on positions that are solved afterwards. A function
fitted to minimise absolute errors returns values slightly too close to zero. Labels from searches that use it inherit
the error, and it grows with every earlier stage. So they are stretched by a factor that solved positions of the store
give. Where none can be solved in reasonable time, the factors of the nearest numbers of empties apply. Every round of
labels has its own factors, because each used a different function.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.files import write_whole
from othello_bot.cluster import Workers
from othello_bot.engine import FULL_WIDTH, fixed_depth
from othello_bot.evaluation import probcut
from othello_bot.kernel import Searcher, Weights
from othello_bot.training import boards
from othello_bot.training.boards import EXACT, UNLABELLED, PositionStore, Records
from othello_bot.training.games import weights_of
from othello_bot.training.progress import Unfinished, each_once, fingerprint, shown

_POSITIONS_OF_A_TASK: Final = 20

_LONG_EMPTIES: Final = 26
"""From this many empties on, a task is one position: solving it takes half a minute, and a killed run loses its tasks.
"""

_HASH_MIB: Final = 32


def tasks(
    data: bytes | None, records: Records, depth_plies: int = EXACT
) -> Iterator[tuple[bytes | None, Records, int]]:
    """Yield the arguments of solve() that together solve the records, in order."""
    size = _positions_of_a_task(records, depth_plies)
    for start in range(0, len(records), size):
        yield data, records[start : start + size], depth_plies


def tasks_for(records: Records, depth_plies: int = EXACT) -> int:
    """Return the number of tasks that solve the records."""
    return -(-len(records) // _positions_of_a_task(records, depth_plies))


def _positions_of_a_task(records: Records, depth_plies: int) -> int:
    if depth_plies != EXACT or not len(records):
        return _POSITIONS_OF_A_TASK
    is_long = boards.empties(records["mover"], records["opponent"]).max() >= _LONG_EMPTIES
    return 1 if is_long else _POSITIONS_OF_A_TASK


def solve(data: bytes | None, records: Records, depth_plies: int = EXACT) -> list[int]:
    """Return the scores of the records in discs, mover's view, found with the weights in `data`.

    They are exact, or, with a depth, those of searches of this many plies at 73 %.
    """
    searcher = Searcher(_HASH_MIB)
    searcher.set_weights(weights_of(data))
    if data is not None:
        searcher.set_error_model(probcut.shipped())  # for the iterations before the last, which put moves in order
    pairs = zip(records["mover"].tolist(), records["opponent"].tolist(), strict=True)
    index = FULL_WIDTH if depth_plies == EXACT else 0
    return [fixed_depth(searcher, mover, opponent, depth_plies, index)[0].score for mover, opponent in pairs]


@dataclass(frozen=True)
class Band:
    """How to label positions with `lowest` to `highest` empties.

    `depth`: that of the search, or EXACT to solve them. `selectivity_index`: in SELECTIVITIES. `refresh`:
    also label positions again that searches of earlier rounds labelled (never solved ones). `share`: label one record
    in this many, because neighbouring positions of a game are much alike.

    Every other unsolved position is searched one ply deeper. So the values of odd and even numbers of empties depend on
    each other, and no difference between them can build up from stage to stage.
    """

    lowest: int
    highest: int
    depth: int
    selectivity_index: int = FULL_WIDTH
    refresh: bool = False
    share: int = 1


def _wanted(records: Records, count: NDArray[np.uint8], band: Band, number: int) -> NDArray[np.bool_]:
    inside = (count >= band.lowest) & (count <= band.highest) & (np.arange(len(records)) % band.share == 0)
    older = (records["round"] < number) & band.refresh
    weaker = (records["depth"] < band.depth) & (records["round"] <= number) & (band.depth == EXACT)
    result: NDArray[np.bool_] = inside & (
        (records["depth"] == UNLABELLED) | ((records["depth"] != EXACT) & (older | weaker))
    )
    return result


def wanted(records: Records, bands: tuple[Band, ...], number: int) -> NDArray[np.bool_]:
    """Return for each record whether one of the bands requires a (new) label in round `number`."""
    count = boards.empties(records["mover"], records["opponent"])
    result: NDArray[np.bool_] = np.logical_or.reduce([_wanted(records, count, band, number) for band in bands])
    return result


def label_records(
    weights: Weights | None, records: Records, bands: tuple[Band, ...], number: int, hash_mib: int = 4
) -> int:
    """Label in place the records that fall into a band and need it; `number` is the round. Return how many were
    labelled.

    Searches with `weights` prune by the shipped ProbCut model; those of the hand-made evaluation do not prune.
    """
    searcher = Searcher(hash_mib)
    searcher.set_weights(weights)
    if weights is not None:
        searcher.set_error_model(probcut.shipped())
    count = boards.empties(records["mover"], records["opponent"])
    done = 0
    for band in bands:
        places = _wanted(records, count, band, number).nonzero()[0]
        movers, opponents = records["mover"][places].tolist(), records["opponent"][places].tolist()
        searcher.clear()
        depths = np.full(len(places), band.depth, np.uint8)
        if band.depth != EXACT:
            depths[1::2] += 1
        records["score"][places] = [
            fixed_depth(searcher, mover, opponent, depth, band.selectivity_index)[0].score
            for mover, opponent, depth in zip(movers, opponents, depths.tolist(), strict=True)
        ]
        records["depth"][places] = depths
        records["round"][places] = number
        done += len(places)
    return done


def _label(
    data: bytes | None, records: Records, bands: tuple[Band, ...], number: int, path: Path
) -> tuple[int, Records]:
    return label_records(weights_of(data), records, bands, number), records


def label(
    store: PositionStore,
    workers: Workers,
    paths: Sequence[Path],
    bands: tuple[Band, ...],
    data: bytes | None,
    number: int,
) -> int:
    """Label the positions of the shards `paths` that fall into the bands; return how many were labelled."""

    def arguments() -> Iterator[tuple[bytes | None, Records, tuple[Band, ...], int, Path]]:
        for path in paths:
            records = store.read(path)
            if wanted(records, bands, number).any():
                yield data, records, bands, number, path

    done = 0
    title = f"labels {bands[0].lowest}-{bands[-1].highest}"
    for (*_, path), (count, records) in shown(workers.each(_label, arguments()), len(paths), title):
        if count:
            store.write(path, records)
            done += count
    return done


_SOLVED: Final = {14: 1200, 16: 1200, 18: 600, 20: 300, 22: 80}
"""How many positions to solve, by number of empties."""

_LARGEST: Final = 40
"""Skip labels beyond this: scores are compressed there by the end of the scale."""

_SHARDS: Final = 12
"""Number of shards from which positions are drawn: the last ones in the store with labels from searches."""

_FILE: Final = "calibration.json"

LabelFactors = Mapping[int, Mapping[int, float]]
"""Factors of the labels from searches: by round, then by number of empties."""


def _searched(store: PositionStore, number: int) -> Iterator[Records]:
    """Yield the records of each shard that a round's searches labelled, the last shards first; skip shards without any."""
    for path in reversed(store.shards()):
        records = store.read(path)
        searched = (records["depth"] != EXACT) & (records["depth"] != UNLABELLED) & (records["round"] == number)
        if searched.any():
            yield records[searched & (np.abs(records["score"]) <= _LARGEST)]


def calibrate(
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
        noted = calibrated(store.folder) | {number: factors}
        write_whole(store.folder / _FILE, (json.dumps(noted) + "\n").encode())
    unfinished.remove()
    return factors


def calibrated(folder: Path) -> dict[int, dict[int, float]]:
    """Return the factors stored in a store's folder; an empty mapping where nothing was measured."""
    path = folder / _FILE
    if not path.exists():
        return {}
    return {
        int(number): {int(count): float(factor) for count, factor in factors.items()}
        for number, factors in json.loads(path.read_bytes()).items()
    }


def stretched(records: Records, factors: LabelFactors) -> np.ndarray[Any, np.dtype[np.float32]]:
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
