"""Step 1, positions: games of self-play that visit good, bad and unusual positions.

A game begins at the start, after one of all lines of a few plies, or where a line of the book ends, followed by some
random moves. Then both sides choose by a shallow search, each at its own depth, and occasionally move at random; the
share of random moves is drawn for every game. So the collection contains the positions of strong play and those that a
search meets behind weak moves, including won and lost ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from othello_bot import kernel
from othello_bot.cluster import Workers
from othello_bot.engine import fixed_depth
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import Searcher, Weights
from othello_bot.rules import squares_of
from othello_bot.training import boards
from othello_bot.training.boards import RECORD, UNLABELLED, PositionStore, Records
from othello_bot.training.progress import shown

Pair = tuple[int, int]
"""A position: the mover's discs, the opponent's discs."""

START: Final = (0x0000000810000000, 0x0000001008000000)
"""Black (to move) and white at the start of a game."""

LINE_PLIES: Final = 7
"""Length of the lines in plies. They lead to 10 649 positions, counting symmetric ones once; lines of six plies to 1
773.
"""


def after(mover: int, opponent: int, square: int) -> Pair:
    """Return the position after a legal move on a square."""
    flips = kernel.flips(mover, opponent, square)
    return opponent ^ flips, mover | flips | 1 << square


@lru_cache(maxsize=2)
def all_lines(plies: int = LINE_PLIES) -> tuple[Pair, ...]:
    """Return the positions that legal play reaches in `plies` plies, one of each set of symmetric images.

    No pass is possible within the first eight plies.
    """
    positions = [START]
    for _ in range(plies):
        following = [after(*pair, square) for pair in positions for square in squares_of(kernel.legal_moves(*pair))]
        movers, opponents = (np.array(side, np.uint64) for side in zip(*following, strict=True))
        positions = [following[place] for place in boards.first_of_each(boards.keys(movers, opponents))]
    return tuple(positions)


@lru_cache(maxsize=1)
def book_lines() -> tuple[Pair, ...]:
    """Return the final positions of the named openings' lines: those that no other line continues."""
    from othello_bot.book import named_lines

    lines = sorted(line.moves for line in named_lines())
    continued = {moves[:length] for moves in lines for length in range(len(moves))}
    positions = []
    for moves in lines:
        if moves not in continued:
            pair = START
            for square in moves:
                pair = after(*pair, square)
            positions.append(pair)
    return tuple(positions)


SOURCES: Final[dict[str, Callable[[], tuple[Pair, ...]]]] = {
    "start": lambda: (START,),
    "lines": all_lines,
    "book": book_lines,
}
"""The sets of positions from which games can begin, by name."""


@dataclass(frozen=True)
class SelfPlay:
    """How the games of a shard are played.

    `openings`: where they begin, one of openings.SOURCES; then follow `fewest_random` to `most_random` random moves.
    `random_share`: possible shares of random moves, one drawn for each side and game.
    """

    games: int = 1000
    openings: str = "start"
    fewest_random: int = 4
    most_random: int = 24
    depths: tuple[int, ...] = (1, 2, 3, 4)
    random_share: tuple[float, ...] = (0.0, 0.0, 0.02, 0.05, 0.15)


def play_game(searcher: Searcher, play: SelfPlay, rng: random.Random, start: Pair = START) -> list[Pair]:
    """Play one game; return the positions (mover, opponent) in which the mover had a move, the last one first."""
    opening = rng.randint(play.fewest_random, play.most_random)
    depth = (rng.choice(play.depths), rng.choice(play.depths))
    share = (rng.choice(play.random_share), rng.choice(play.random_share))
    mover, opponent = start
    side = 0
    positions = []
    while True:
        moves = kernel.legal_moves(mover, opponent)
        if not moves:
            mover, opponent, side = opponent, mover, 1 - side
            moves = kernel.legal_moves(mover, opponent)
            if not moves:
                break
        positions.append((mover, opponent))
        if len(positions) <= opening or rng.random() < share[side]:
            square = rng.choice(list(squares_of(moves)))
        else:
            square = fixed_depth(searcher, mover, opponent, depth[side])[0].move
        (mover, opponent), side = after(mover, opponent, square), 1 - side
    return positions[::-1]


def make_shard(weights: Weights | None, play: SelfPlay, seed: str) -> Records:
    """Play the games of one shard and return their positions, unlabelled and without repetitions.

    The same weights, play and seed always produce the same shard.
    """
    rng = random.Random(seed)
    searcher = Searcher(1)
    searcher.set_weights(weights)
    starts = SOURCES[play.openings]()
    positions = []
    for _ in range(play.games):
        searcher.clear()
        positions += play_game(searcher, play, rng, starts[0] if len(starts) == 1 else rng.choice(starts))
    records = np.zeros(len(positions), RECORD)
    records["mover"] = [mover for mover, _ in positions]
    records["opponent"] = [opponent for _, opponent in positions]
    records["depth"] = UNLABELLED
    result: Records = records[boards.first_of_each(boards.keys(records["mover"], records["opponent"]))]
    return result


@lru_cache(maxsize=2)
def weights_of(data: bytes | None) -> Weights | None:
    """Return the weights of a file's content, cached for the process; None (the hand-made evaluation) for None."""
    return None if data is None else weights_file.from_bytes(data)


def _make(data: bytes | None, play: SelfPlay, seed: str, path: Path) -> Records:
    return make_shard(weights_of(data), play, seed)


def make_positions(
    store: PositionStore,
    workers: Workers,
    name: str,
    shards: Sequence[int],
    play: SelfPlay,
    data: bytes | None,
    seed: int,
) -> int:
    """Play the games of the `shards` that do not exist yet, with the weights in `data`.

    Return how many shards were made.
    """
    missing = [(data, play, f"{seed}/{name}/{shard}", store.path(name, shard)) for shard in shards]
    missing = [these for these in missing if not these[3].exists()]
    for (*_, path), records in shown(workers.each(_make, missing), len(missing), f"positions {name}"):
        store.write(path, records)
    return len(missing)
