"""Step 2, labels: exact scores where they are cheap, else scores of searches that use the stages fitted before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.engine import fixed_depth
from othello_bot.evaluation import probcut
from othello_bot.kernel import Searcher, Weights
from othello_bot.training import boards
from othello_bot.training.store import EXACT, UNLABELLED, Records

FULL_WIDTH: Final = 5
"""The kernel's selectivity index of a full-width search; the indices below stand for 73, 87, 95, 98 and 99 percent."""


@dataclass(frozen=True)
class Band:
    """How to label positions with `lowest` to `highest` empties.

    `depth`: that of the search, or EXACT to solve them. `selectivity`: the kernel's index (see FULL_WIDTH). `refresh`:
    also label positions again that searches of earlier rounds labelled (never solved ones). `share`: label one record
    in this many, because neighbouring positions of a game are much alike.

    Every other unsolved position is searched one ply deeper. So the values of odd and even numbers of empties depend on
    each other, and no difference between them can build up from stage to stage.
    """

    lowest: int
    highest: int
    depth: int
    selectivity: int = FULL_WIDTH
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


def label(weights: Weights | None, records: Records, bands: tuple[Band, ...], number: int, hash_mib: int = 4) -> int:
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
            fixed_depth(searcher, mover, opponent, depth, band.selectivity)[0].score
            for mover, opponent, depth in zip(movers, opponents, depths.tolist(), strict=True)
        ]
        records["depth"][places] = depths
        records["round"][places] = number
        done += len(places)
    return done
