"""Scores at the ends of the scale: a search that finds them has proven them."""

from __future__ import annotations

import pytest

from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.rules.position import Position


@pytest.mark.parametrize(
    ("board", "score"),
    [
        ("X" * 62 + "O- X", 64),
        ("X" * 61 + "O-- X", 64),
        ("O" * 56 + "-XOOOOOO X", -64),
    ],
)
def test_a_wipe_out_is_exact(board: str, score: int) -> None:
    position = Position.parse(board)
    result = Search(hash_mib=1).run(position.mover, position.opponent, Limits())
    assert (result.score, result.best.bound, result.exact) == (score, "exact", True)
