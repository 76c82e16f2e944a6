"""Random positions."""

from __future__ import annotations

import random

from othello_bot.strategies.board import Board, Player, empties
from othello_bot.strategies.referee import random_opening


def random_positions(count: int, seed: int, first_move: int = 4, last_move: int = 50) -> list[tuple[Player, Board]]:
    """Return positions from random games with a player who has a move, after a number of moves within limits."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        board, player = random_opening(rng.randint(first_move, last_move), rng)
        found.append((player, board))
    assert len({empties(board) for _, board in found}) > count // 4
    return found
