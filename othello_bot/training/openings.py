"""Where the games of step 1 begin: the start of the game, all lines of a few plies, or the book's."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from othello_bot import kernel
from othello_bot.training import boards

Pair = tuple[int, int]
"""A position: the mover's discs, the opponent's discs."""

START: Final = (0x0000000810000000, 0x0000001008000000)
"""Black (to move) and white at the start of a game."""

LINE_PLIES: Final = 7
"""Length of the lines in plies. They lead to 10 649 positions, counting symmetric ones once; lines of six plies to 1
773.
"""


def squares(bits: int) -> list[int]:
    """Return the squares of a bitboard, in order."""
    return [square for square in range(64) if bits >> square & 1]


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
        following = [after(*pair, square) for pair in positions for square in squares(kernel.legal_moves(*pair))]
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
