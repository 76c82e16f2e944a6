"""The teacher: exact or searched scores of many positions, with the scores of all moves where they are asked for.

Positions are divided into shards. One thread searches a shard, with a table of its own that is empty at first, so a
result depends neither on the number of workers nor on their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from othello_bot.base.notation import PASS
from othello_bot.batch.arrays import Bitboards, checked_integer, checked_positions
from othello_bot.cluster import Workers
from othello_bot.engine import FULL_WIDTH, MAXIMUM_DEPTH, MAXIMUM_LEVEL, fixed_depth, goal
from othello_bot.evaluation import probcut, shipped
from othello_bot.kernel import RootLine, Searcher, final_score, legal_moves
from othello_bot.rules import empties_of

SHARD: Final = 1000
"""Positions of a shard."""

HASH_MIB: Final = 16
"""The table of a shard."""

UNSCORED: Final = -128
"""The score of a square that is no legal move."""

OVER: Final = 255
"""The best move of a finished game."""


class Labels(NamedTuple):
    """What the teacher says of each position, from the view of the player to move.

    `score` counts discs, the empty squares of a finished game for the winner; `wld` is 1 for a win, 0 for a draw and -1
    for a loss. `best` is the best move: a square, 64 for a pass, 255 where the game is over. `move_scores` is int8
    [positions, 64], -128 for squares that are no move, and `best_moves` the bitboard of all moves with the highest
    score; both are None unless all moves were asked for.
    """

    score: npt.NDArray[np.int8]
    wld: npt.NDArray[np.int8]
    best: npt.NDArray[np.uint8]
    move_scores: npt.NDArray[np.int8] | None = None
    best_moves: Bitboards | None = None


def label(
    mover: Bitboards,
    opponent: Bitboards,
    *,
    level: int | None = None,
    moves: bool = False,
    processes: int = 1,
    cluster: str | None = None,
) -> Labels:
    """Return the labels of positions: exact ones, or those of a search at `level`, which is exact near the end.

    `moves` asks for the scores of all moves. `processes` of this machine share the shards, or the Dask cluster at the
    address `cluster`. Raise InputError for invalid arguments, and what the cluster raises.
    """
    movers, opponents = checked_positions(mover, opponent)
    checked_level(level)
    with Workers(checked_integer("processes", processes, 1, 1024), cluster) as workers:
        shards = dict(labelled_shards(workers, movers, opponents, range(shard_count(len(movers))), level, moves))
    return joined([shards[index] for index in range(len(shards))], moves)


def checked_level(level: int | None) -> int | None:
    """Return the level, None for exact scores; raise InputError for anything else."""
    return None if level is None else checked_integer("level", level, 1, MAXIMUM_LEVEL)


def shard_count(positions: int) -> int:
    """Return how many shards so many positions have."""
    return -(-positions // SHARD)


def labelled_shards(
    workers: Workers, movers: Bitboards, opponents: Bitboards, shards: range | list[int], level: int | None, moves: bool
) -> Iterator[tuple[int, Labels]]:
    """Yield the labels of these shards of the positions, in the order in which they are done."""
    parts = (slice(index * SHARD, (index + 1) * SHARD) for index in shards)
    tasks = ((part.start // SHARD, movers[part], opponents[part], level, moves) for part in parts)
    for (index, *_), labels in workers.each(_label_shard, tasks):
        yield index, labels


def joined(shards: list[Labels], moves: bool) -> Labels:
    """Return the labels of shards as one."""
    shards = [_empty(0, moves), *shards]
    return Labels._make(None if arrays[0] is None else np.concatenate(arrays) for arrays in zip(*shards, strict=True))


def _empty(count: int, moves: bool) -> Labels:
    return Labels(
        np.zeros(count, np.int8),
        np.zeros(count, np.int8),
        np.full(count, OVER, np.uint8),
        np.full((count, 64), UNSCORED, np.int8) if moves else None,
        np.zeros(count, np.uint64) if moves else None,
    )


def _label_shard(shard: int, movers: Bitboards, opponents: Bitboards, level: int | None, moves: bool) -> Labels:
    """Return the labels of one shard; a task of the workers."""
    searcher = Searcher(HASH_MIB, 1)
    searcher.set_weights(shipped())
    searcher.set_error_model(probcut.shipped())
    labels = _empty(len(movers), moves)
    for index, (mover, opponent) in enumerate(zip(movers.tolist(), opponents.tolist(), strict=True)):
        labels.score[index], labels.best[index] = _label_one(searcher, mover, opponent, level, labels, index)
    np.sign(labels.score, out=labels.wld)
    if labels.move_scores is not None and labels.best_moves is not None:
        is_best = (labels.move_scores == labels.score[:, None]) & (labels.move_scores != UNSCORED)
        octets = np.packbits(is_best, axis=1, bitorder="little")
        labels.best_moves[:] = octets.view("<u8").reshape(-1)
    return labels


def _label_one(
    searcher: Searcher, mover: int, opponent: int, level: int | None, labels: Labels, index: int
) -> tuple[int, int]:
    """Return score and best move of a position, and store the scores of its moves where they are asked for."""
    legal = legal_moves(mover, opponent)
    if not legal:
        if not legal_moves(opponent, mover):
            return final_score(mover, opponent), OVER
        return -_search(searcher, opponent, mover, level, 1)[0].score, PASS
    all_scores = labels.move_scores
    lines = _search(searcher, mover, opponent, level, 1 if all_scores is None else legal.bit_count())
    if all_scores is not None:
        for line in lines:
            all_scores[index, line.move] = line.score
    return lines[0].score, lines[0].move


def _search(searcher: Searcher, mover: int, opponent: int, level: int | None, count: int) -> list[RootLine]:
    """Return the `count` best moves of a position that has one, best first."""
    if level is None:
        return fixed_depth(searcher, mover, opponent, MAXIMUM_DEPTH, FULL_WIDTH, count)
    step = goal(level, empties_of(mover, opponent))
    return fixed_depth(searcher, mover, opponent, step.depth, step.selectivity, count)
