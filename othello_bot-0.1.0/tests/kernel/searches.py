"""What the tests of the search share: searchers and positions."""

from __future__ import annotations

import random

from othello_bot import kernel
from othello_bot.evaluation import probcut, shipped
from othello_bot.kernel import Searcher
from tests.kernel.positions import BitboardPair, empties_of, played, random_game


def hundred_positions() -> list[BitboardPair]:
    rng = random.Random(14)
    return [
        played(rng, empties) for empties, count in ((14, 60), (15, 30), (16, 7), (17, 2), (18, 1)) for _ in range(count)
    ]


POSITIONS = hundred_positions()


def searcher_of(hash_mib: int, threads: int = 1, learned: bool = True) -> Searcher:
    searcher = Searcher(hash_mib, threads)
    searcher.set_weights(shipped() if learned else None)
    searcher.set_error_model(probcut.shipped())
    return searcher


def passing_position(empties: int) -> BitboardPair:
    """Return a position of a random game in which the mover, but not the opponent, has no move."""
    rng = random.Random(empties)
    while True:
        for mover, opponent in random_game(rng):
            stuck = not kernel.legal_moves(mover, opponent) and kernel.legal_moves(opponent, mover)
            if stuck and empties_of(mover, opponent) == empties:
                return mover, opponent
