"""Bugs that the kernel once had, one test each."""

from __future__ import annotations

import random

import pytest

from othello_bot.base.evaluated import Bound
from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.evaluation import shipped
from othello_bot.kernel import Searcher, legal_moves, stable_discs
from othello_bot.rules.position import Position
from tests.kernel.positions import minimax, played


def test_both_corners_of_a_file() -> None:
    """Spreading a row over a file, the highest bit met the carry of the lowest."""
    assert stable_discs(1 | 1 << 8 | 1 << 56, 0) == 1 | 1 << 8 | 1 << 56
    assert stable_discs(0x0101010101010101, 0) == 0x0101010101010101


def test_static_value_does_not_disturb_the_root() -> None:
    """It used the root's pattern indices."""
    mover, opponent = 0x0000000810000000, 0x0000001008000000
    undisturbed, disturbed = Searcher(1), Searcher(1)
    for searcher in (undisturbed, disturbed):
        searcher.set_weights(shipped())
        searcher.begin(mover, opponent)
    disturbed.static_value(0x00003C3C3C000000, 0x0000000000FF0000)
    undisturbed.iterate(1, 5)
    disturbed.iterate(1, 5)
    assert undisturbed.lines(1) == disturbed.lines(1)


def test_board_with_fewer_than_four_discs() -> None:
    """The tables by number of empties ended at 60."""
    position = Position(1 << 27, 1 << 28)
    assert -64 <= Searcher(1).static_value(position.mover, position.opponent) <= 64
    result = Search(1).answer(SearchRequest(position, Limits(depth=6)))
    assert result.score == 64 and result.exact  # a wipe-out, which is proven however few plies are searched
    result = Search(1).answer(SearchRequest(position, Limits(level=60, nodes=5000)))
    assert result.score == 64 and result.exact


@pytest.mark.slow
def test_upper_bound_of_the_position() -> None:
    """Where all moves failed low, the first one's bound was reported, which may lie below the true score."""
    rng = random.Random(1)
    search = Search(1)
    for _ in range(200):
        position = played(rng, 6)
        truth = minimax(*position, {})
        if truth < 55 and legal_moves(*position).bit_count() > 1:
            search.clear()
            search.arm()
            result = search.answer(
                SearchRequest(Position(*position), Limits(depth=60, selectivity=100, alpha=truth + 3, beta=truth + 9))
            )
            assert result.best.bound == Bound.UPPER and result.score >= truth
