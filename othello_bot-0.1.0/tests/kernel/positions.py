"""Positions for the kernel's tests, the same in every run, and plain minimax as a reference for the solver."""

from __future__ import annotations

import random
from collections.abc import Iterator

from othello_bot import kernel

BitboardPair = tuple[int, int]
"""The mover's discs and the opponent's."""

START: BitboardPair = (0x0000000810000000, 0x0000001008000000)
ALL = (1 << 64) - 1


def squares_of(bits: int) -> list[int]:
    """Return the squares of a bitboard, lowest first."""
    return [square for square in range(64) if bits >> square & 1]


def empties_of(mover: int, opponent: int) -> int:
    """Return the number of empty squares."""
    return 64 - (mover | opponent).bit_count()


def after(mover: int, opponent: int, square: int) -> BitboardPair:
    """Return the position after a legal move, from the view of the next player to move."""
    flipped = kernel.flips(mover, opponent, square)
    assert flipped, f"square {square} is no legal move"
    return opponent ^ flipped, mover ^ flipped | 1 << square


def random_game(rng: random.Random) -> Iterator[BitboardPair]:
    """Yield the positions of a random game until it is over, each from the view of the player to move."""
    mover, opponent = START
    while True:
        yield mover, opponent
        moves = kernel.legal_moves(mover, opponent)
        if moves:
            mover, opponent = after(mover, opponent, rng.choice(squares_of(moves)))
        elif kernel.legal_moves(opponent, mover):
            mover, opponent = opponent, mover
        else:
            return


def played(rng: random.Random, empties: int) -> BitboardPair:
    """Return a position of a random game with this many empties, in which the mover has a move."""
    while True:
        for position in random_game(rng):
            if empties_of(*position) == empties and kernel.legal_moves(*position):
                return position


def filled(rng: random.Random, empties: int, share: float) -> BitboardPair:
    """Return a random filling of the board with this many empties, each disc the mover's with probability `share`.

    Far from 1/2, one side often has no move, and games often end early or with all discs of one colour.
    """
    holes = set(rng.sample(range(64), empties))
    mover = sum(1 << square for square in range(64) if square not in holes and rng.random() < share)
    return mover, ALL & ~mover & ~sum(1 << square for square in holes)


def minimax(mover: int, opponent: int, known: dict[BitboardPair, int]) -> int:
    """Return the final score with best play, mover's view; `known` caches the scores of positions."""
    score = known.get((mover, opponent))
    if score is None:
        moves = squares_of(kernel.legal_moves(mover, opponent))
        if moves:
            score = max(-minimax(*after(mover, opponent, square), known) for square in moves)
        elif kernel.legal_moves(opponent, mover):
            score = -minimax(opponent, mover, known)
        else:
            score = kernel.final_score(mover, opponent)
        known[mover, opponent] = score
    return score
