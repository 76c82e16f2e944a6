"""Positions of held-out games with their scores, as a file for measuring a function or fitting its output scale.

A few hundred measuring positions cannot distinguish two functions that differ by a percent, nor tell whether 96 percent
of winners are right, because the standard error is another percent. The games that every fit holds out provide as many
more as there is time to solve, of the same kind as the training positions.
New games provide them where there is no store. Where solving takes too long, deep searches score them, which are right
on average.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole
from othello_bot.base.notation import Color
from othello_bot.cluster import Workers
from othello_bot.formats import obf
from othello_bot.kernel import Searcher
from othello_bot.rules import Position, empties_of
from othello_bot.training import factors, measuring
from othello_bot.training.boards import EXACT, RECORD, PositionStore, Records
from othello_bot.training.games import SelfPlay, play_game, weights_of
from othello_bot.training.labels import solve, tasks, tasks_for
from othello_bot.training.progress import shown


def drawn(store: PositionStore, empties: int, count: int, excluded: NDArray[np.uint64], seed: int) -> Records:
    """Return `count` positions of held-out games with `empties` empties that no fit was given.

    A larger count only appends positions. Raise InputError if there are fewer.
    """
    _, held = factors.parted(store, range(empties, empties + 1), excluded)
    if count > len(held):
        raise InputError("--count", count, f"at most {len(held)}: no more are held out in {store.folder}")
    result: Records = held[np.random.default_rng(seed).permutation(len(held))[:count]]
    return result


def _play_one(data: bytes | None, empties: int, seed: str) -> list[tuple[int, int]]:
    """Return the position of a game with that many empties in which the mover has a move; none where it lacks one."""
    searcher = Searcher(1)
    searcher.set_weights(weights_of(data))
    game = play_game(searcher, SelfPlay(most_random=18), random.Random(seed))
    return [pair for pair in game if empties_of(*pair) == empties]


def played(workers: Workers, data: bytes | None, empties: int, count: int, seed: int) -> Records:
    """Return `count` positions with `empties` empties, each of another game, which is played for it.

    Symmetric images count once. A larger count only appends positions, and the number of processes changes nothing.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    games = 0
    while len(found) < count:
        batch = range(games, games + count - len(found))
        games = batch.stop
        seeds = [f"{seed}/measured/{empties}/{number}" for number in batch]
        tasks = ((data, empties, name) for name in seeds)
        done = {
            arguments[2]: pairs
            for arguments, pairs in shown(workers.each(_play_one, tasks), len(seeds), f"games for {empties} empties")
        }
        for name in seeds:
            for pair in done[name]:
                canonical, _ = Position(*pair, Color.BLACK).canonical()
                found.setdefault((canonical.mover, canonical.opponent), pair)
    result = np.zeros(count, RECORD)
    chosen = list(found.values())[:count]
    result["mover"] = [mover for mover, _ in chosen]
    result["opponent"] = [opponent for _, opponent in chosen]
    return result


def write_solved(workers: Workers, data: bytes | None, records: Records, path: Path, depth_plies: int = EXACT) -> None:
    """Write the positions with their scores as OBF; keep the scores that are already in the file.

    The scores are exact, or, with a depth, those of searches of this many plies. The file grows while the positions are
    solved, so the run can be killed and started again. Raise InputError if the file holds other positions or scores of
    another depth, FormatError if it is not an OBF file.
    """
    head = _head(depth_plies)
    pairs = list(zip(records["mover"].tolist(), records["opponent"].tolist(), strict=True))
    scores: dict[tuple[int, int], int] = {}
    if path.exists():
        there = measuring.read(path)
        scores = dict(zip(there.positions, there.scores, strict=True))
        if not scores.keys() <= set(pairs):
            raise InputError("--output", str(path), "a new file, or one with exactly these positions")
        if not path.read_bytes().startswith(head.encode()):
            raise InputError("--output", str(path), f"a new file, or one that begins with {head.strip()!r}")
    missing = records[[number for number, pair in enumerate(pairs) if pair not in scores]]
    solved = workers.each(solve, tasks(data, missing, depth_plies))
    for (_, part, _), found in shown(solved, tasks_for(missing, depth_plies), f"solved {path.name}"):
        scores |= zip(zip(part["mover"].tolist(), part["opponent"].tolist(), strict=True), found, strict=True)
        write_whole(path, (head + _lines(pairs, scores)).encode())


def _head(depth_plies: int) -> str:
    kind = "exact scores" if depth_plies == EXACT else f"scores of searches of {depth_plies} plies at 73 %"
    return f"% positions of this engine's games that no fit has seen; {kind} from the mover's view\n"


def _lines(pairs: list[tuple[int, int]], scores: dict[tuple[int, int], int]) -> str:
    problems = (obf.Problem(Position(*pair, Color.BLACK), stated_best=scores[pair]) for pair in pairs if pair in scores)
    return "".join(f"{obf.format_line(problem)}\n" for problem in problems)
