"""Step 1, positions: games of self-play that visit good, bad and unusual positions.

A game begins at the start, after one of all lines of a few plies, or where a line of the book ends, followed by some
random moves. Then both sides choose by a shallow search, each at its own depth, and occasionally move at random; the
share of random moves is drawn for every game. So the collection contains the positions of strong play and those that a
search meets behind weak moves, including won and lost ones.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from othello_bot import kernel
from othello_bot.engine import fixed_depth
from othello_bot.kernel import Searcher, Weights
from othello_bot.training import boards, openings
from othello_bot.training.openings import START, Pair, after, squares
from othello_bot.training.store import RECORD, UNLABELLED, Records


@dataclass(frozen=True)
class Play:
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


def play_game(searcher: Searcher, play: Play, rng: random.Random, start: Pair = START) -> list[Pair]:
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
            square = rng.choice(squares(moves))
        else:
            square = fixed_depth(searcher, mover, opponent, depth[side])[0].move
        (mover, opponent), side = after(mover, opponent, square), 1 - side
    return positions[::-1]


def make_shard(weights: Weights | None, play: Play, seed: str) -> Records:
    """Play the games of one shard and return their positions, unlabelled and without repetitions.

    The same weights, play and seed always produce the same shard.
    """
    rng = random.Random(seed)
    searcher = Searcher(1)
    searcher.set_weights(weights)
    starts = openings.SOURCES[play.openings]()
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
