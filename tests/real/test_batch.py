"""Ten million plies of random games, compared with the rules in planes; tests/batch compares fewer."""

from __future__ import annotations

from othello_bot import batch
from tests.batch.comparison import compared_plies

PLIES = 10_000_000
GAMES = 20_000
"""Games of one comparison."""


def test_ten_million_plies() -> None:
    plies = seed = 0
    while plies < PLIES:
        plies += compared_plies(batch.random_games(GAMES, seed))
        seed += 1
    assert seed < 10
