"""The shared table: a torn entry of two threads is never used; earlier searches age."""

from __future__ import annotations

import random

import pytest

from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search, fixed_depth
from othello_bot.engine.limits import Limits
from othello_bot.evaluation import shipped
from othello_bot.kernel import Searcher
from othello_bot.rules import Position
from tests.kernel.positions import START, empties_of, played
from tests.kernel.searches import searcher_of

FULL_WIDTH = 5


def best_of(searcher: Searcher, position: tuple[int, int]) -> tuple[int, int]:
    """Return the best move and its exact score."""
    (best,) = fixed_depth(searcher, *position, 60)
    return best.move, best.score


@pytest.mark.slow
def test_threads_crowding_a_single_bucket() -> None:
    """A table of one bucket: four threads write the same four entries all the time, and every score is still right.

    A torn entry, if used, would apply the bounds of one position to another.
    """
    rng = random.Random(1)
    alone, crowd = Searcher(16), Searcher(0, 4)
    for searcher in (alone, crowd):
        searcher.set_weights(shipped())
    for _ in range(12):
        position = played(rng, 15)
        expected = best_of(alone, position)[1]
        for _ in range(4):
            crowd.begin(*position)
            assert crowd.iterate(empties_of(*position), FULL_WIDTH)
            assert crowd.lines(1)[0][1] == expected


@pytest.mark.slow
def test_threads_sharing_a_small_table_that_is_never_cleared() -> None:
    rng = random.Random(2)
    alone, crowd = Searcher(16), Searcher(1, 3)
    for searcher in (alone, crowd):
        searcher.set_weights(shipped())
    for _ in range(15):
        position = played(rng, 14)
        expected = {line.move: line.score for line in fixed_depth(alone, *position, 60, count=64)}
        assert {line.move: line.score for line in fixed_depth(crowd, *position, 60, count=64)} == expected


def test_what_was_searched_is_remembered_until_it_is_cleared() -> None:
    search = Search(16)
    limits = Limits(depth=60, selectivity=100)
    position = played(random.Random(3), 16)
    first = search.answer(SearchRequest(Position(*position), limits))
    again = search.answer(SearchRequest(Position(*position), limits))
    assert again.nodes < first.nodes // 2
    assert (again.move, again.score) == (first.move, first.score)
    search.clear()
    assert search.answer(SearchRequest(Position(*position), limits)).nodes == first.nodes


def test_a_part_of_the_tables_that_is_not_crowded_changes_nothing() -> None:
    searcher = Searcher(1)
    searcher.set_weights(shipped())
    crowded = set()
    for empties in (4, 9, 12, 16):
        position = played(random.Random(empties), empties)
        found = []
        for part in (1, 4, 64):
            searcher.clear(part)
            assert not searcher.crowded
            best = best_of(searcher, position)
            crowded.add((part, searcher.crowded))
            if not searcher.crowded or part == 1:
                found.append((best, searcher.nodes))
        assert len(set(found)) == 1
    assert crowded >= {(1, False), (64, False), (64, True)}
    with pytest.raises(ValueError, match="part 0"):
        searcher.clear(0)


def test_entries_of_earlier_searches_give_way() -> None:
    """Entries of the search before give way to those of this one, however much work they hold."""
    late, middle, nodes = played(random.Random(4), 18), played(random.Random(54), 40), []
    for before in ((), (late,)):
        searcher = searcher_of(1)
        searcher.clear(64)  # 16 KiB of the table
        for position in before:
            fixed_depth(searcher, *position, 60)
        fixed_depth(searcher, *middle, 12, 0)
        nodes.append(searcher.nodes)
    assert nodes[1] < 1.02 * nodes[0]  # with the old entries in the way, it would be an eighth more


def test_age_wraps_around() -> None:
    """There are 256 ages; a table that has seen more searches works as before."""
    searcher = Searcher(0)
    searcher.set_weights(shipped())
    position = played(random.Random(5), 12)
    expected = best_of(searcher, position)
    for _ in range(600):
        searcher.begin(*START)
        searcher.iterate(2, 0)
    assert best_of(searcher, position) == expected
