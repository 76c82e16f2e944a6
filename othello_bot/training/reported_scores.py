"""Whether reported scores mean what they say: what a user sees beside the exact score, on positions of unseen games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from othello_bot.cluster import Workers
from othello_bot.engine import fixed_depth
from othello_bot.evaluation import probcut
from othello_bot.kernel import Searcher
from othello_bot.training.measuring import Measured
from othello_bot.training.progress import shown
from othello_bot.training.steps import weights_of

_POSITIONS_OF_A_TASK: Final = 50

_HASH_MIB: Final = 16


@dataclass(frozen=True)
class Way:
    """How a position gets its reported score: by a search of `depth` plies, 0 for the static value.

    `selectivity` is the kernel's index.
    """

    name: str
    depth: int
    selectivity: int


WAYS: Final = (Way("static", 0, 0), Way("depth 8", 8, 5), Way("depth 15 at 73 %", 15, 0))


def reported(data: bytes | None, way: Way, positions: tuple[tuple[int, int], ...]) -> list[float]:
    """Return the scores of positions in discs, mover's view, each by a search with an empty table."""
    weights = weights_of(data)
    searcher = Searcher(_HASH_MIB)
    searcher.set_weights(weights)
    searcher.set_error_model(None if weights is None else probcut.shipped())
    scores = []
    for mover, opponent in positions:
        if way.depth == 0:
            score = min(max(searcher.static_value(mover, opponent), -64.0), 64.0)
        else:
            searcher.clear()
            score = fixed_depth(searcher, mover, opponent, way.depth, way.selectivity)[0].score
        scores.append(score)
    return scores


def pairs(workers: Workers, data: bytes | None, way: Way, measured: Measured) -> list[tuple[float, float]]:
    """Return the reported and the exact score of every position, in discs, mover's view."""

    def tasks() -> Iterator[tuple[bytes | None, Way, tuple[tuple[int, int], ...]]]:
        for start in range(0, len(measured.positions), _POSITIONS_OF_A_TASK):
            yield data, way, measured.positions[start : start + _POSITIONS_OF_A_TASK]

    found: dict[tuple[int, int], float] = {}
    count = -(-len(measured.positions) // _POSITIONS_OF_A_TASK)
    for (_, _, part), scores in shown(workers.each(reported, tasks()), count, way.name):
        found |= zip(part, scores, strict=True)
    return [(found[pair], exact) for pair, exact in zip(measured.positions, measured.scores, strict=True)]
