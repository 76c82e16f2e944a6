"""The teacher: exact or searched scores of many positions, with the scores of all moves on request.

Positions are divided into shards. One thread searches a shard, with a table of its own that is empty at first, so a
result depends neither on the number of workers nor on their order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, number_of
from othello_bot.batch.arrays import Bitboards, accepts, checked_integer, checked_positions
from othello_bot.batch.positions import empties_each
from othello_bot.cluster import Workers, split
from othello_bot.engine import FULL_WIDTH, MAXIMUM_DEPTH, MAXIMUM_LEVEL, fixed_depth, goal
from othello_bot.evaluation import probcut, shipped
from othello_bot.kernel import RootLine, Searcher, final_score, legal_moves, most_empty_squares
from othello_bot.rules import empties_of

SHARD: Final = 1000
"""Positions of a shard."""

HASH_MIB: Final = 16
"""The table of a shard."""

NEAR_END: Final = 12
"""Most empty squares of a shard whose table has 1 MiB: a larger one would not help, and takes longer to clear."""

FEW: Final = 4
"""Up to this many positions count as few: clearing whole tables would take most of their time."""

PARTS: Final = {10: 64, 11: 16}
"""Few positions use one in this many of the entries of the tables, by the most plies of a search to the end of the
game. A search that crowds its part, as 2 in 100 do, is repeated with whole tables.
"""

MIDGAME_PLIES: Final = 5
"""A search that does not reach the end of the game costs as much as one that does and is this many plies deeper."""

MOST_EMPTIES: Final = 24
"""Default of the most empty squares of exact labels: some seconds a position, and twice as many with each square more.
"""

UNSCORED: Final = -128
"""The score of a square that is not a legal move."""

OVER: Final = 255
"""The best move of a finished game."""


MOST_PROCESSES: Final = 1024

Told = Callable[[int, int], None]
"""Receives the number of positions that are labelled, and of all."""


class Labels(NamedTuple):
    """What the teacher says of each position, from the view of the player to move.

    `score` counts discs, the empty squares of a finished game for the winner; `wld` is 1 for a win, 0 for a draw and -1
    for a loss. `best` is the best move: a square, 64 for a pass, 255 where the game is over. `move_scores` is int8
    [positions, 64], -128 elsewhere, and `best_moves` the bitboard of all moves with the highest score; both are None
    unless all moves were asked for. `policy`, float32 [positions, 65], has the probability of each action, a pass last,
    for networks to learn; a row adds up to 1, and is 0 where the game is over. None unless asked for.
    """

    score: npt.NDArray[np.int8]
    wld: npt.NDArray[np.int8]
    best: npt.NDArray[np.uint8]
    move_scores: npt.NDArray[np.int8] | None = None
    best_moves: Bitboards | None = None
    policy: npt.NDArray[np.float32] | None = None


class LabelSettings(NamedTuple):
    """What is asked of the teacher: the level (None: exact), all moves or not, the temperature of the policy."""

    level: int | None = None
    moves: bool = False
    policy: float | None = None

    def checked(self) -> LabelSettings:
        """Return the settings as they are sent to workers; raise InputError for invalid ones."""
        level = None if self.level is None else checked_integer("level", self.level, 1, MAXIMUM_LEVEL)
        if not isinstance(self.moves, bool):
            raise InputError("moves", self.moves, "True or False")
        if self.policy is None:
            return LabelSettings(level, self.moves)
        policy = number_of(self.policy, 0, 64)
        if policy is None:
            raise InputError("policy", self.policy, "a temperature from 0 to 64 discs, or None for no policy")
        return LabelSettings(level, True, policy)


def label(
    mover: Bitboards,
    opponent: Bitboards,
    *,
    level: int | None = None,
    moves: bool = False,
    policy: float | None = None,
    most_empties: int = MOST_EMPTIES,
    processes: int = 1,
    cluster: str | None = None,
    told: Told | None = None,
) -> Labels:
    """Return the labels of positions: exact ones, or those of a search at `level`, which is exact near the end.

    `moves` asks for the scores of all moves. `policy` asks for them and for a policy of this temperature in discs: a
    move is exp(-d / policy) times as likely as a best one that scores d discs more; with 0, the best moves share it.
    Positions with more than `most_empties` empty squares are refused where labels are exact: they may take days.
    `processes` of this machine share the shards, or the Dask cluster at the address `cluster`. `told` is called with
    the progress; `progress_bar()` returns one that draws a bar. Raise InputError for invalid arguments, and what the
    cluster raises.
    """
    movers, opponents = checked_positions(mover, opponent)
    settings = LabelSettings(level, moves, policy).checked()
    check_empties(movers, opponents, settings, most_empties)
    check_work(cluster, told)
    shards = shard_count(len(movers))
    labels = None if shards == 1 else empty(len(movers), settings)
    done = 0
    if told is not None:
        told(done, len(movers))
    with Workers(checked_integer("processes", processes, 1, MOST_PROCESSES), cluster) as workers:
        for index, shard in labelled_shards(workers, movers, opponents, range(shards), settings):
            if labels is None:
                labels = shard
            else:
                fill(labels, index, shard)
            done += len(shard.score)
            if told is not None:
                told(done, len(movers))
    assert labels is not None
    return labels


def check_empties(movers: Bitboards, opponents: Bitboards, settings: LabelSettings, most_empties: object) -> None:
    """Raise InputError for positions that would take too long."""
    allowed = checked_integer("most_empties", most_empties, 0, 60)
    if settings.level is None and most_empty_squares(movers, opponents) > allowed:
        empties = empties_each(movers, opponents)
        index = int((empties > allowed).argmax())
        raise InputError(
            f"index {index}: empty squares",
            int(empties[index]),
            f"at most {allowed} for exact labels; a level, or a higher limit if you have the time, allows more",
        )


def check_work(cluster: object, told: object) -> None:
    """Raise InputError for an invalid address, and for a `told` that cannot be called with two numbers."""
    if cluster is not None:
        if not isinstance(cluster, str):
            raise InputError("cluster", cluster, "the address of a Dask scheduler, like tcp://127.0.0.1:8786, or None")
        split(cluster)
    if told is not None and not accepts(told, 0, 0):
        raise InputError("told", told, "a function of two numbers, done and total, or None")


def shard_count(positions: int) -> int:
    """Return how many shards this many positions have."""
    return -(-positions // SHARD)


def labelled_shards(
    workers: Workers, movers: Bitboards, opponents: Bitboards, shards: range | list[int], settings: LabelSettings
) -> Iterator[tuple[int, Labels]]:
    """Yield the labels of these shards of the positions, in the order in which they are done."""
    parts = (slice(index * SHARD, (index + 1) * SHARD) for index in shards)
    tasks = ((part.start // SHARD, movers[part], opponents[part], settings) for part in parts)
    for (index, *_), labels in workers.each(_label_shard, tasks):
        yield index, labels


def empty(count: int, settings: LabelSettings) -> Labels:
    """Return labels to be filled in: those of finished games, but for the scores."""
    best = np.empty(count, np.uint8)
    best.fill(OVER)
    return Labels(
        np.zeros(count, np.int8),
        np.zeros(count, np.int8),
        best,
        np.full((count, 64), UNSCORED, np.int8) if settings.moves else None,
        np.zeros(count, np.uint64) if settings.moves else None,
        np.zeros((count, PASS + 1), np.float32) if settings.policy is not None else None,
    )


def fill(labels: Labels, index: int, shard: Labels) -> None:
    """Put the labels of a shard in their place."""
    for whole, part in zip(labels, shard, strict=True):
        if whole is not None and part is not None:
            whole[index * SHARD : index * SHARD + len(part)] = part


def _label_shard(shard: int, movers: Bitboards, opponents: Bitboards, settings: LabelSettings) -> Labels:
    """Return the labels of one shard; a task of the workers."""
    boards = list(zip(movers.tolist(), opponents.tolist(), strict=True))
    if len(boards) <= FEW:
        # All moves cost as much as another ply, and so do several positions.
        plies = max([_reach(settings.level, *board) for board in boards], default=0)
        plies += settings.moves + (len(boards) > 1)
        part = next((part for most, part in PARTS.items() if plies <= most), 0)
        if part:
            labels = _searched(searcher := _fresh_searcher(1, part), boards, settings)
            if not searcher.crowded:
                return labels
    hash_mib = 1 if most_empty_squares(movers, opponents) <= NEAR_END else HASH_MIB
    return _searched(_fresh_searcher(hash_mib), boards, settings)


def _searched(searcher: Searcher, boards: list[tuple[int, int]], settings: LabelSettings) -> Labels:
    """Return the labels of positions, which are searched one after the other."""
    labels = empty(len(boards), settings)
    for index, (mover, opponent) in enumerate(boards):
        sign, passed = 1, None
        count = legal_moves(mover, opponent).bit_count()
        if not count:
            if not legal_moves(opponent, mover):
                labels.score[index] = final_score(mover, opponent)
                continue
            sign, passed = -1, PASS
            mover, opponent = opponent, mover
        lines = _search(searcher, mover, opponent, settings.level, count if settings.moves and count else 1)
        labels.score[index] = sign * lines[0].score
        labels.best[index] = lines[0].move if passed is None else passed
        if labels.move_scores is not None and passed is None:
            labels.move_scores[index, [line.move for line in lines]] = [line.score for line in lines]
    np.sign(labels.score, out=labels.wld)
    if labels.move_scores is not None and labels.best_moves is not None:
        is_best = (labels.move_scores == labels.score[:, None]) & (labels.move_scores != UNSCORED)
        octets = np.packbits(is_best, axis=1, bitorder="little")
        labels.best_moves[:] = octets.view("<u8").reshape(-1)
        if labels.policy is not None and settings.policy is not None:
            labels.policy[:, :PASS] = _likelihoods(labels.move_scores, is_best, settings.policy)
            labels.policy[:, PASS] = labels.best == PASS
    return labels


_kept = threading.local()


def _fresh_searcher(hash_mib: int, part: int = 1) -> Searcher:
    """Return a searcher with empty tables, of which it uses a part; a thread keeps a small one, which is costly to make."""
    searcher: Searcher | None = getattr(_kept, "searcher", None)
    if searcher is not None and hash_mib == searcher.hash_mib:
        searcher.clear(part)
        return searcher
    searcher = Searcher(hash_mib, 1)
    searcher.set_weights(shipped())
    searcher.set_error_model(probcut.shipped())
    if hash_mib < HASH_MIB:
        _kept.searcher = searcher
        searcher.clear(part)
    return searcher


def _likelihoods(
    move_scores: npt.NDArray[np.int8], is_best: npt.NDArray[np.bool_], temperature: float
) -> npt.NDArray[np.float32]:
    """Return the probabilities of the moves; rows of 0 without a legal move."""
    if temperature:
        worse = move_scores.max(axis=1, keepdims=True).astype(np.float64) - move_scores
        likely = np.where(move_scores == UNSCORED, 0.0, np.exp(-worse / temperature))
    else:
        likely = is_best.astype(np.float64)
    sums = likely.sum(axis=1, keepdims=True)
    likely /= np.maximum(sums, 1)  # a best move alone makes 1
    return likely.astype(np.float32)


def _search(searcher: Searcher, mover: int, opponent: int, level: int | None, count: int) -> list[RootLine]:
    """Return the `count` best moves of a position that has one, best first."""
    return fixed_depth(searcher, mover, opponent, *_goal(level, mover, opponent), count)


def _goal(level: int | None, mover: int, opponent: int) -> tuple[int, int]:
    """Return the depth of the search of a position, in plies, and its selectivity index."""
    empties = min(empties_of(mover, opponent), MAXIMUM_DEPTH)
    return (empties, FULL_WIDTH) if level is None else goal(level, empties)


def _reach(level: int | None, mover: int, opponent: int) -> int:
    """Return the depth of a search to the end of the game that costs as much as the search of a position."""
    empties = empties_of(mover, opponent)
    if level is None or (depth := goal(level, empties).depth) == empties:
        return empties
    return depth + MIDGAME_PLIES
