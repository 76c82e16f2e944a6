"""Step 4, the ProbCut model: the difference of shallow and deep searches of the same positions, and a smooth formula
for it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from othello_bot.cluster import Workers
from othello_bot.engine import fixed_depth
from othello_bot.evaluation import probcut
from othello_bot.kernel import Searcher
from othello_bot.training import boards
from othello_bot.training.boards import PositionStore
from othello_bot.training.games import weights_of
from othello_bot.training.progress import Unfinished, each_once, fingerprint

_CLOSE: Final = 40
"""Skip scores beyond this: both searches see the same won game."""

_FEWEST: Final = 12
"""Fewest pairs for a standard deviation."""

_POSITIONS_OF_A_TASK: Final = 16
"""Positions that one task searches."""

DepthScores = list[tuple[int, float]]
"""Scores of a position by depth of search."""


@dataclass(frozen=True)
class Group:
    """Positions with the same number of empties and the depths of their searches; a depth equal to the empties solves."""

    empties: int
    pairs: tuple[tuple[int, int], ...]
    depths: tuple[int, ...]


def _search(data: bytes | None, group: Group) -> list[DepthScores]:
    """Return the scores of each position at all depths (0: the static value), as sums before the scale."""
    weights = weights_of(data)

    def sum_of(value: int, empties: int) -> float:
        return value if weights is None else weights.sum_of(empties, value)

    searcher = Searcher(16)
    searcher.set_weights(weights)
    result = []
    for mover, opponent in group.pairs:
        searcher.clear()
        scores: DepthScores = [(0, sum_of(round(searcher.static_value(mover, opponent)), group.empties))]
        for depth in group.depths:
            score = fixed_depth(searcher, mover, opponent, depth)[0].score
            scores.append((depth, sum_of(score, group.empties - depth) if depth < group.empties else score))
        result.append(scores)
    return result


def measure(
    workers: Workers, data: bytes | None, groups: Sequence[Group], unfinished: Unfinished
) -> dict[tuple[int, int, int], tuple[float, int]]:
    """Return the root mean square difference in discs and the number of pairs, by (empties, depth, shallow depth).

    `unfinished`: the file that keeps finished searches for another run with the same arguments.
    """
    squares: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    parts = [
        replace(group, pairs=group.pairs[start : start + _POSITIONS_OF_A_TASK])
        for group in groups
        for start in range(0, len(group.pairs), _POSITIONS_OF_A_TASK)
    ]
    mark = fingerprint(parts, [np.frombuffer(data or b"", np.uint8)])
    found = each_once(workers, _search, [(data, part) for part in parts], "ProbCut pairs", unfinished, mark)
    for group, results in zip(parts, found, strict=True):
        for scores in results:
            for deep, deep_score in scores:
                for shallow, score in scores:
                    paired = shallow < deep and (shallow == 0 or (deep - shallow) % 2 == 0)
                    if paired and abs(score) <= _CLOSE:
                        squares[group.empties, deep, shallow].append((deep_score - score) ** 2)
    return {
        key: (math.sqrt(sum(values) / len(values)), len(values))
        for key, values in sorted(squares.items())
        if len(values) >= _FEWEST
    }


def fit(statistics: dict[tuple[int, int, int], tuple[float, int]]) -> tuple[list[float], list[float], float]:
    """Return the coefficients (midgame, endgame) and the root mean square error of ln sigma; least squares on ln sigma."""
    result = []
    squares = 0.0
    for solved in (False, True):
        keys = [key for key in statistics if (key[0] == key[1]) == solved]
        matrix = np.array([probcut.terms(*key) for key in keys])
        if solved:
            # Nothing is solved above 20 empties, and a parabola through so few points would be far off beyond.
            matrix[:, -1] = 0
        target = np.array([math.log(max(statistics[key][0], 0.5)) for key in keys])
        importance = np.sqrt([statistics[key][1] for key in keys])
        # A small ridge: depth equals empties in solved positions, so some terms are collinear.
        rows = np.vstack([matrix * importance[:, None], 0.3 * np.eye(probcut.COEFFICIENTS)])
        coefficients = np.linalg.lstsq(
            rows, np.concatenate([target * importance, np.zeros(probcut.COEFFICIENTS)]), rcond=None
        )[0]
        squares += float(((matrix @ coefficients - target) ** 2).sum())
        result.append([round(float(value), 5) for value in coefficients])
    return result[0], result[1], math.sqrt(squares / len(statistics))


_GROUPS: Final = (
    (10, (1, 2, 3, 4, 5, 6, 10), 300),
    (12, (1, 2, 3, 4, 5, 6, 7, 8, 12), 300),
    (14, (1, 2, 3, 4, 5, 6, 7, 8, 14), 300),
    (16, (1, 2, 3, 4, 5, 6, 7, 8, 16), 240),
    (18, (1, 2, 3, 4, 5, 6, 7, 8, 18), 120),
    (20, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20), 48),
    (24, (1, 2, 3, 4, 5, 6, 7, 8, 9), 120),
    (28, (1, 2, 3, 4, 5, 6, 7, 8, 9), 100),
    (34, (1, 2, 3, 4, 5, 6, 7, 8), 100),
    (40, (1, 2, 3, 4, 5, 6, 7, 8), 100),
    (46, (1, 2, 3, 4, 5, 6, 7, 8), 100),
    (52, (1, 2, 3, 4, 5, 6, 7), 100),
)
"""What to search: (empties, depths, positions). The deepest search of a group with up to 20 empties solves."""

_SHARDS: Final = 4
"""Number of shards from which positions are drawn: the last ones of the collection."""


def make(
    store: PositionStore,
    workers: Workers,
    data: bytes | None,
    name: str,
    scale: float,
    seed: int,
    unfinished: Unfinished,
) -> dict[str, Any]:
    """Return a new model in the form of its file, from positions of a collection; `scale` times _GROUPS of them."""
    records = np.concatenate([store.read(path) for path in store.shards(name)[-_SHARDS:]])
    present = boards.empties(records["mover"], records["opponent"])
    rng = np.random.default_rng(seed)
    groups = []
    for empties, depths, number in _GROUPS:
        places = np.flatnonzero(present == empties)
        places = rng.choice(places, min(len(places), int(number * scale)), replace=False)
        movers, opponents = records["mover"][places].tolist(), records["opponent"][places].tolist()
        groups.append(Group(empties, tuple(zip(movers, opponents, strict=True)), depths))
    statistics = measure(workers, data, groups, unfinished)
    midgame, endgame, error = fit(statistics)
    return {
        "formula": "exp(c0 + c1 x + c2 y + c3 x y + c4 n + c5 n^2), x, y and n as in othello_bot/evaluation/probcut.py",
        "midgame": midgame,
        "endgame": endgame,
        "ln_sigma_rms_error": round(error, 4),
        "pairs": sum(number for _, number in statistics.values()),
        "made": f"fit-probcut --name {name} --scale {scale:g} --seed {seed}",
    }
