"""A separate cache folder for the tests of the strategies, and random positions."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from othello_bot.strategies import edge_table
from othello_bot.strategies.board import Board, Player, empties
from othello_bot.strategies.referee import random_opening


@pytest.fixture(scope="session", autouse=True)
def shared_edge_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, ...]]:
    """Generate the edge table once for all tests, in a temporary folder."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    edge_table.forget()
    yield edge_table.edge_table()
    edge_table.forget()
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


def random_positions(count: int, seed: int, first_move: int = 4, last_move: int = 50) -> list[tuple[Player, Board]]:
    """Return positions from random games with a player who has a move, after a number of moves within limits."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        board, player = random_opening(rng.randint(first_move, last_move), rng)
        found.append((player, board))
    assert len({empties(board) for _, board in found}) > count // 4
    return found
