"""ProbCut and reduced late moves, by what the error model says: a cheaper search decides, or nothing is pruned."""

from __future__ import annotations

import math
from array import array

import pytest

from othello_bot.evaluation import probcut
from othello_bot.kernel import ErrorModel, Searcher
from tests.kernel.positions import BitboardPair
from tests.kernel.searches import POSITIONS, searcher_of

CERTAIN, CLUELESS = -10.0, 10.0
"""Logarithms of a standard deviation far below and far above that of any search; the model limits them."""

OUT_OF_REACH = 50
"""Discs that no move of the positions reaches in the search's eyes."""


def nodes(position: BitboardPair, log_sigma: float, depth: int, selectivity_index: int = 0) -> int:
    """Return the cost of asking whether a position is worth more than OUT_OF_REACH."""
    searcher = searcher_of(1)
    coefficients = array("d", [log_sigma, 0, 0, 0, 0, 0])
    searcher.set_error_model(ErrorModel(coefficients, coefficients))
    searcher.begin(*position)
    assert searcher.iterate(depth, selectivity_index, OUT_OF_REACH, OUT_OF_REACH + 1)
    assert all(line.score <= OUT_OF_REACH for line in searcher.lines(64))
    return searcher.nodes


def quiet_positions() -> list[BitboardPair]:
    """Return positions of no more than 20 discs by every static value one move on."""
    found = []
    for position in POSITIONS:
        searcher = searcher_of(1)
        searcher.begin(*position)
        if all(abs(line.score) <= 20 for line in searcher.lines(64)):
            found.append(position)
    assert len(found) >= 5
    return found[:5]


@pytest.mark.parametrize("depth", [3, 4])
def test_a_model_without_a_clue_prunes_nothing(depth: int) -> None:
    for position in quiet_positions():
        assert nodes(position, CLUELESS, depth, selectivity_index=4) == nodes(
            position, CLUELESS, depth, selectivity_index=5
        )


@pytest.mark.parametrize("depth", [3, 8])
def test_a_model_that_is_certain_searches_less_than_full_width(depth: int) -> None:
    """Three plies are few enough for the static values after the root's moves to decide alone."""
    for position in quiet_positions():
        assert nodes(position, CERTAIN, depth) < nodes(position, CERTAIN, depth, selectivity_index=5)


def test_full_width_and_selective_without_a_model_find_the_same_scores() -> None:
    """Neither prunes, nor searches late moves less deep."""
    for position in POSITIONS[:20]:
        scores = []
        for model, selectivity_index in ((probcut.shipped(), 5), (None, 0)):
            searcher = searcher_of(1)
            searcher.set_error_model(model)
            searcher.begin(*position)
            assert searcher.iterate(7, selectivity_index)
            scores.append(searcher.lines(1)[0].score)
        assert scores[0] == scores[1]


def without_cuts() -> Searcher:
    """Return a searcher whose model lets no shallower search decide, but trusts static values enough to reduce moves."""
    searcher = searcher_of(1)
    coefficients = array("d", [math.log(50), 0, 10, 0, 0, 0])
    searcher.set_error_model(ErrorModel(coefficients, coefficients))
    return searcher


def test_a_late_move_that_a_shallower_search_likes_is_searched_again() -> None:
    """Of five plies, only the root's replies have late moves, each a refutation, which must hold at the full depth."""
    costs, scores = [], []
    for selectivity_index in (0, 5):
        searcher = without_cuts()
        cost, found = 0, []
        for position in POSITIONS:
            searcher.clear()
            searcher.begin(*position)
            assert searcher.iterate(5, selectivity_index)
            cost += searcher.nodes
            found.append(searcher.lines(1)[0].score)
        costs.append(cost)
        scores.append(found)
    assert costs[0] != costs[1]
    assert scores[0] == scores[1]
