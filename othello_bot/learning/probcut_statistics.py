"""Step 4, the ProbCut model: how shallow and deep searches of the same positions differ, and a smooth formula through it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from othello_bot import probcut
from othello_bot.kernel.searcher import Searcher
from othello_bot.learning.progress import shown
from othello_bot.learning.steps import weights_of
from othello_bot.learning.workers import Workers

#: Scores further out than this say little: both searches see the same won game.
_CLOSE: Final = 40

#: Pairs that a standard deviation must rest on.
_FEWEST: Final = 12

Scores = dict[int, int]


@dataclass(frozen=True)
class Group:
    """Positions with the same number of empties and the depths that they are searched at; the number of empties solves."""

    empties: int
    pairs: tuple[tuple[int, int], ...]
    depths: tuple[int, ...]


def _search(data: bytes | None, group: Group) -> list[Scores]:
    searcher = Searcher(16)
    searcher.set_weights(weights_of(data))
    result = []
    for mover, opponent in group.pairs:
        searcher.clear()
        scores = {0: round(searcher.static_value(mover, opponent))}
        for depth in group.depths:
            scores[depth] = searcher.score(mover, opponent, depth, 5)[0]
        result.append(scores)
    return result


def measure(workers: Workers, data: bytes | None, groups: Sequence[Group]) -> dict[tuple[int, int, int], tuple[float, int]]:
    """Return the root mean square difference in discs, and from how many pairs, by (empties, depth, shallow depth)."""
    squares: dict[tuple[int, int, int], list[int]] = defaultdict(list)

    def arguments() -> Iterator[tuple[Any, ...]]:
        for group in groups:
            for start in range(0, len(group.pairs), 16):
                yield data, Group(group.empties, group.pairs[start : start + 16], group.depths)

    total = sum(-(-len(group.pairs) // 16) for group in groups)
    for (_, group), results in shown(workers.each(_search, arguments()), total, "ProbCut pairs"):
        for scores in results:
            for deep, deep_score in scores.items():
                for shallow, score in scores.items():
                    if shallow < deep and (deep - shallow) % 2 == 0 or shallow == 0 < deep:
                        if abs(score) <= _CLOSE:
                            squares[group.empties, deep, shallow].append((deep_score - score) ** 2)
    return {
        key: (math.sqrt(sum(values) / len(values)), len(values)) for key, values in sorted(squares.items()) if len(values) >= _FEWEST
    }


def fit(statistics: dict[tuple[int, int, int], tuple[float, int]]) -> tuple[list[float], list[float], float]:
    """Return the coefficients (midgame, endgame) and the root mean square error of ln sigma: least squares on ln sigma."""
    result = []
    squares = 0.0
    for solved in (False, True):
        keys = [key for key in statistics if (key[0] == key[1]) == solved]
        matrix = np.array([probcut.terms(*key) for key in keys])
        target = np.array([math.log(max(statistics[key][0], 0.5)) for key in keys])
        importance = np.sqrt([statistics[key][1] for key in keys])
        # A little ridge: depth and empties are the same number in solved positions, so that some terms overlap.
        rows = np.vstack([matrix * importance[:, None], 0.3 * np.eye(probcut.COEFFICIENTS)])
        coefficients = np.linalg.lstsq(rows, np.concatenate([target * importance, np.zeros(probcut.COEFFICIENTS)]), rcond=None)[0]
        squares += float(((matrix @ coefficients - target) ** 2).sum())
        result.append([round(float(value), 5) for value in coefficients])
    return result[0], result[1], math.sqrt(squares / len(statistics))
