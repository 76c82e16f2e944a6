"""The evaluation cache: what comes from it is what the evaluation says, whatever was searched before."""

from __future__ import annotations

import random
from array import array

import pytest

from othello_bot import kernel
from othello_bot.evaluation import shipped
from othello_bot.kernel import Searcher, patterns
from tests.kernel.evaluations import FULL_WIDTH, one_stage, whole_discs
from tests.kernel.positions import BitboardPair, after, played, squares_of


def positions() -> list[BitboardPair]:
    rng = random.Random(21)
    return [played(rng, empties) for empties in range(12, 56, 2)]


def children(position: BitboardPair) -> dict[int, BitboardPair]:
    moves = squares_of(kernel.legal_moves(*position))
    return {square: child for square in moves if (child := after(*position, square))[0]}


def root_scores(searcher: Searcher, position: BitboardPair) -> dict[int, int]:
    """Return the static values that the search gives the root moves, the mover's view, without wipe-outs."""
    searcher.begin(*position)
    known = children(position)
    return {line.move: line.score for line in searcher.lines(64) if line.move in known}


def expected(weights: kernel.Weights, position: BitboardPair) -> dict[int, int]:
    return {square: -whole_discs(weights.evaluate(*child)) for square, child in children(position).items()}


def random_weights(seed: int, largest: int) -> kernel.Weights:
    rng = random.Random(seed)
    return one_stage(array("h", (rng.randrange(-largest, largest + 1) for _ in range(patterns.TABLE_SIZE))))


def test_values_are_the_same_before_and_after_searches() -> None:
    searcher = Searcher(1)
    searcher.set_weights(shipped())
    for position in positions():
        assert root_scores(searcher, position) == expected(shipped(), position)
        searcher.iterate(5, FULL_WIDTH)
    for position in positions():
        assert root_scores(searcher, position) == expected(shipped(), position)


@pytest.mark.slow
def test_values_of_other_weights_are_forgotten() -> None:
    searcher = Searcher(1)
    for weights in (random_weights(1, 60), random_weights(2, 60), shipped()):
        searcher.set_weights(weights)
        for position in positions():
            assert root_scores(searcher, position) == expected(weights, position)


def test_a_value_that_fits_into_no_entry_is_right_when_it_is_asked_for_again() -> None:
    weights = random_weights(3, 32_000)
    values = [weights.evaluate(*child) for position in positions() for child in children(position).values()]
    assert min(values) < -256 and max(values) > 256  # beyond 16 bits of 1/128 disc
    searcher = Searcher(1)
    searcher.set_weights(weights)
    for position in [*positions(), *positions()]:
        assert root_scores(searcher, position) == expected(weights, position)


@pytest.mark.parametrize("part", [1, 2])
def test_a_cleared_searcher_visits_the_nodes_of_a_new_one(part: int) -> None:
    position = played(random.Random(7), 30)
    nodes = []
    searcher = Searcher(1)
    searcher.set_weights(shipped())
    for _ in range(2):
        searcher.clear(part)
        searcher.begin(*position)
        for depth in range(1, 8):
            searcher.iterate(depth, FULL_WIDTH)
        nodes.append(searcher.nodes)
    assert nodes[0] == nodes[1]
