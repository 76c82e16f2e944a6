"""Step 2, labels: exact scores where they are cheap, else scores of searches that use the stages fitted before.

The step labels only what has no label yet, so it can be killed and started again at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.cluster import Workers
from othello_bot.engine import FULL_WIDTH, fixed_depth
from othello_bot.evaluation import probcut
from othello_bot.kernel import Searcher, Weights
from othello_bot.training import boards
from othello_bot.training.boards import EXACT, UNLABELLED, PositionStore, Records
from othello_bot.training.games import weights_of
from othello_bot.training.progress import shown

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

    They are exact, or, with a depth, those of searches of so many plies at 73 %.
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
