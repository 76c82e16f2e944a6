"""Levels as a table: depths, the number of empties from which play is perfect, and the iterations before the goal."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from othello_bot.engine import levels
from othello_bot.engine.levels import (
    FULL_WIDTH,
    Iteration,
    decided_nodes,
    exact_empties,
    goal,
    ladder,
    sufficient_level,
)
from othello_bot.engine.limits import MAXIMUM_LEVEL, SELECTIVITIES, Limits

ALL_LEVELS = range(MAXIMUM_LEVEL + 1)


def test_full_width_is_100_percent() -> None:
    assert SELECTIVITIES[FULL_WIDTH] == 100
    assert len(levels.SELECTIVE_LEAD) == len(SELECTIVITIES)
    assert levels.SELECTIVE_LEAD[FULL_WIDTH] == 0
    assert list(levels.SELECTIVE_LEAD) == sorted(levels.SELECTIVE_LEAD, reverse=True)


@pytest.mark.parametrize(
    ("level", "empties"),
    [
        *((0, 0), (1, 2), (5, 10), (10, 20), (11, 20), (12, 20), (13, 21), (15, 21), (21, 24), (23, 25), (30, 32)),
        *((40, 41), (50, 50), (60, 60)),
    ],
)
def test_empties_from_which_a_level_is_perfect(level: int, empties: int) -> None:
    assert exact_empties(level) == empties


def test_higher_levels_are_perfect_earlier() -> None:
    exact = [exact_empties(level) for level in ALL_LEVELS]
    assert exact == sorted(exact) and exact[-1] == 60


@pytest.mark.parametrize(
    ("level", "empties", "expected"),
    [
        (0, 60, Iteration(1, FULL_WIDTH)),
        (1, 60, Iteration(1, FULL_WIDTH)),
        (1, 2, Iteration(2, FULL_WIDTH)),
        (6, 40, Iteration(6, FULL_WIDTH)),
        (6, 13, Iteration(6, FULL_WIDTH)),
        (10, 21, Iteration(10, FULL_WIDTH)),
        (10, 20, Iteration(20, FULL_WIDTH)),
        (11, 22, Iteration(22, 4)),
        (21, 60, Iteration(21, 0)),
        (21, 31, Iteration(21, 0)),
        (21, 30, Iteration(30, 0)),
        (21, 29, Iteration(29, 1)),
        (21, 28, Iteration(28, 2)),
        (21, 27, Iteration(27, 3)),
        (21, 26, Iteration(26, 4)),
        (21, 24, Iteration(24, FULL_WIDTH)),
        (60, 60, Iteration(60, FULL_WIDTH)),
    ],
)
def test_goal(level: int, empties: int, expected: Iteration) -> None:
    assert goal(level, empties) == expected


@pytest.mark.parametrize("level", ALL_LEVELS)
def test_goals_are_within_the_game_and_never_get_weaker(level: int) -> None:
    for empties in range(1, 61):
        step = goal(level, empties)
        assert 1 <= step.depth <= empties and 0 <= step.selectivity_index <= FULL_WIDTH
        if empties <= exact_empties(level):
            assert step == Iteration(empties, FULL_WIDTH)
        if step.depth < empties:
            assert step.depth == max(1, min(level, empties))
        if level > 11:
            assert goal(level - 1, empties) <= step
    # Once a level searches to the end of the game it never falls back to a shorter search.
    to_the_end = [goal(level, empties).depth == empties for empties in range(1, 61)]
    assert to_the_end == sorted(to_the_end, reverse=True)


@pytest.mark.parametrize("level", ALL_LEVELS)
def test_ladder_climbs_to_its_goal(level: int) -> None:
    for empties in range(1, 61):
        last = goal(level, empties)
        steps = list(ladder(empties, last))
        assert steps[-1] == last and len(set(steps)) == len(steps)
        assert [step.depth for step in steps] == sorted(step.depth for step in steps)
        for before, after in itertools.pairwise(steps):
            assert after.depth == before.depth + 1 or after.depth == empties
            assert after.depth > before.depth or after.selectivity_index > before.selectivity_index


@pytest.mark.parametrize(
    ("empties", "last", "expected"),
    [
        (60, Iteration(3, FULL_WIDTH), [(1, 5), (2, 5), (3, 5)]),
        (60, Iteration(3, 0), [(1, 0), (2, 0), (3, 0)]),
        (5, Iteration(5, FULL_WIDTH), [(5, 5)]),
        (8, Iteration(8, FULL_WIDTH), [(8, 5)]),
        (10, Iteration(10, FULL_WIDTH), [(1, 0), (2, 0), (10, 0), (10, 3), (10, 5)]),
        (11, Iteration(11, FULL_WIDTH), [(1, 0), (2, 0), (3, 0), (11, 0), (11, 3), (11, 5)]),
        (10, Iteration(10, 2), [(1, 0), (2, 0), (10, 0), (10, 2)]),
        (10, Iteration(10, 0), [(1, 0), (2, 0), (10, 0)]),
    ],
)
def test_ladder(empties: int, last: Iteration, expected: list[tuple[int, int]]) -> None:
    assert list(ladder(empties, last)) == [Iteration(*step) for step in expected]


def test_a_ladder_that_may_be_cut_short_is_fine() -> None:
    assert list(ladder(10, Iteration(10, FULL_WIDTH), fine=True)) == [
        Iteration(1, 0),
        Iteration(2, 0),
        *(Iteration(10, s) for s in range(6)),
    ]


@pytest.mark.parametrize(
    ("last", "stride", "depths"),
    [
        (6, 2, [2, 4, 6]),
        (16, 4, [4, 8, 12, 16]),
        (15, 4, [3, 7, 11, 15]),
        (4, 4, [4]),
        (5, 4, [1, 5]),
        (3, 4, [3]),
        (3, 1, [1, 2, 3]),
    ],
)
def test_a_wider_stride_keeps_the_last_depth(last: int, stride: int, depths: list[int]) -> None:
    assert [step.depth for step in levels.sparse_ladder(40, Iteration(last, 0), stride)] == depths
    assert [step.depth for step in levels.iterations(Limits(depth=last, stride=stride), 40, False)] == depths


@pytest.mark.parametrize(
    ("empties", "last", "depths"),
    [
        (40, Iteration(6, 2), [2, 4, 6]),
        (40, Iteration(7, FULL_WIDTH), [1, 3, 5, 7]),
        (40, Iteration(1, 0), [1]),
        (40, Iteration(5, 0), [1, 3, 5]),
        (40, Iteration(8, 0), [2, 4, 6, 8]),
        (9, Iteration(9, FULL_WIDTH), [9]),
        (10, Iteration(10, FULL_WIDTH), [10]),
        (13, Iteration(13, FULL_WIDTH), [1, 3, 13]),
        (14, Iteration(14, FULL_WIDTH), [2, 4, 14]),
        (15, Iteration(15, FULL_WIDTH), [1, 3, 5, 15, 15]),
        (20, Iteration(20, FULL_WIDTH), [2, 4, 6, 8, 10, 20, 20]),
    ],
)
def test_the_ladder_of_a_search_of_one_depth(empties: int, last: Iteration, depths: list[int]) -> None:
    steps = list(levels.sparse_ladder(empties, last))
    assert [step.depth for step in steps] == depths
    assert steps[-1] == last
    on_the_way = {step.selectivity_index for step in steps[:-1]}
    assert on_the_way <= {last.selectivity_index if last.depth < empties else 0}


@pytest.mark.parametrize(
    ("empties", "score", "limited"), [(24, 42, True), (24, -42, True), (22, 64, True), (24, 40, False), (19, 62, False)]
)
@pytest.mark.parametrize("selectivity_index", range(FULL_WIDTH + 1))
def test_the_nodes_of_a_decided_game_are_few(empties: int, score: int, limited: bool, selectivity_index: int) -> None:
    nodes = levels.PROOF_NODES if selectivity_index == FULL_WIDTH else levels.DECIDED_NODES
    to_the_end = Iteration(empties, selectivity_index)
    assert decided_nodes(21, empties, score, to_the_end) == (nodes if limited else 0)
    assert decided_nodes(21, empties, score, Iteration(empties - 1, selectivity_index)) == 0
    assert decided_nodes(None, empties, score, to_the_end) == 0
    assert decided_nodes(60, empties, score, to_the_end) == 0


@pytest.mark.parametrize(
    ("asked", "level"),
    [
        (Limits(), 21),
        (Limits(level=30), 30),
        (Limits(depth=60), None),
        (Limits(nodes=10**9), None),
    ],
)
def test_the_level_of_a_search_is_enough_where_the_game_is_decided(asked: Limits, level: int | None) -> None:
    assert sufficient_level(asked, timed=False, longest_s=math.inf) == level


@pytest.mark.parametrize("asked", [Limits(), Limits(nodes=10**9), Limits(depth=60), Limits(level=30)])
def test_the_default_level_is_enough_where_there_is_time_for_more(asked: Limits) -> None:
    assert sufficient_level(asked, timed=True, longest_s=100.0) == 21
    assert sufficient_level(asked, timed=True, longest_s=0.5) == asked.level
    assert sufficient_level(replace(asked, level=10), timed=True, longest_s=100.0) == 10


@pytest.mark.parametrize(
    "asked",
    [
        Limits(level=21, multi_pv=2),
        Limits(level=21, stride=2),
        Limits(level=21, infinite=True),
        Limits(level=21, selectivity=100),
        Limits(depth=60, selectivity=100),
        Limits(level=21, alpha=0),
        Limits(level=21, wld=True),
    ],
)
@pytest.mark.parametrize("timed", [True, False])
def test_no_level_is_enough_for_an_analysis(asked: Limits, timed: bool) -> None:
    assert sufficient_level(asked, timed, longest_s=100.0) is None
