"""The clock: a table of situations, and the properties that keep a game from being lost on time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.clock import allocate, solve_empties
from othello_bot.limits import ClockState, LimitError

# remaining_s, increment_s, moves_to_go, empties, overhead_ms -> bounds of optimum (lowest, highest), of maximum
TABLE = [
    ((-1.0, 0.0, None, 60, 30), (0, 0), (0, 0)),
    ((0.0, 0.0, None, 60, 30), (0, 0), (0, 0)),
    ((0.03, 0.0, None, 60, 30), (0, 0), (0, 0)),
    ((0.02, 5.0, None, 30, 30), (0, 0), (0, 0)),  # an increment that comes after the move cannot be spent on it
    ((1.0, 0.0, None, 60, 30), (0.01, 0.05), (0.03, 0.15)),
    ((0.1, 0.02, None, 60, 30), (0.005, 0.03), (0.01, 0.05)),
    ((300.0, 0.0, None, 60, 30), (5.0, 15.0), (15.0, 45.0)),
    ((300.0, 0.0, None, 24, 30), (100.0, 200.0), (150.0, 210.0)),  # the all-out solve
    ((1.0, 0.0, None, 25, 30), (0.01, 0.1), (0.03, 0.3)),  # with one second, 25 empties are still midgame
    ((1.0, 0.0, None, 18, 30), (0.3, 0.6), (0.5, 0.7)),
    ((1.0, 0.0, None, 1, 30), (0.97, 0.97), (0.97, 0.97)),  # the last own move may have everything
    ((5.0, 0.0, 1, 60, 30), (4.97, 4.97), (4.97, 4.97)),  # a time for each move: what is not used is lost
    ((10.0, 0.0, 5, 60, 0), (2.0, 2.0), (6.0, 6.0)),  # five moves in ten seconds
    ((10.0, 5.0, None, 40, 30), (3.0, 7.0), (3.0, 7.0)),  # a large increment is spent, yet never beyond the clock
]


@pytest.mark.parametrize(("situation", "optimum", "maximum"), TABLE)
def test_table(
    situation: tuple[float, float, int | None, int, int],
    optimum: tuple[float, float],
    maximum: tuple[float, float],
) -> None:
    remaining_s, increment_s, moves_to_go, empties, overhead_ms = situation
    budget = allocate(ClockState(remaining_s, increment_s, moves_to_go), empties, overhead_ms)
    assert optimum[0] <= budget.optimum_s <= optimum[1] + 1e-9
    assert maximum[0] <= budget.maximum_s <= maximum[1] + 1e-9


remaining = st.floats(-10, 20_000)
increments = st.one_of(st.just(0.0), st.floats(0, 60))
moves_to_go = st.one_of(st.none(), st.integers(1, 40))
empties = st.integers(0, 60)
overheads = st.integers(0, 10_000)


@given(remaining, increments, moves_to_go, empties, overheads)
def test_bounds(left: float, increment: float, to_go: int | None, empty: int, overhead: int) -> None:
    budget = allocate(ClockState(left, increment, to_go), empty, overhead)
    assert 0 <= budget.optimum_s <= budget.maximum_s <= max(0.0, left - overhead / 1000) + 1e-9


@given(remaining, remaining, increments, moves_to_go, empties, overheads)
def test_more_time_left_never_means_less_for_the_move(
    first: float, second: float, increment: float, to_go: int | None, empty: int, overhead: int
) -> None:
    poor, rich = sorted((first, second))
    less = allocate(ClockState(poor, increment, to_go), empty, overhead)
    more = allocate(ClockState(rich, increment, to_go), empty, overhead)
    assert less.optimum_s <= more.optimum_s + 1e-9
    assert less.maximum_s <= more.maximum_s + 1e-9


@pytest.mark.parametrize(("base_s", "increment_s"), [(1.0, 0.0), (0.1, 0.02), (60.0, 0.0), (3.0, 1.0), (0.05, 0.0)])
@pytest.mark.parametrize("delay_s", [0.0, 0.002])
def test_a_whole_game_that_always_uses_the_maximum_keeps_its_flag(
    base_s: float, increment_s: float, delay_s: float
) -> None:
    left = base_s
    for empty in range(60, 0, -2):
        left -= allocate(ClockState(left, increment_s), empty, 30).maximum_s + delay_s / (2 if base_s < 0.1 else 1)
        assert left > 0, f"flag at {empty} empties"
        left += increment_s


def test_midgame_saves_for_the_endgame() -> None:
    left = 300.0
    for empty in range(60, 26, -2):
        left -= allocate(ClockState(left), empty, 30).optimum_s
    assert left > 0.3 * 300


def test_solve_depth_grows_with_time_and_stays_sensible() -> None:
    depths = [solve_empties(seconds) for seconds in (0, 0.001, 0.05, 1, 20, 300, 1e6)]
    assert depths == sorted(depths)
    assert depths[0] == 14 and 22 <= depths[4] <= 26 and depths[-1] == 26


@pytest.mark.parametrize("clock", [(float("nan"), 0, None), (float("inf"), 0, None), (1, -1, None), (1, 0, 0)])
def test_senseless_clocks_are_refused(clock: tuple[float, float, int | None]) -> None:
    with pytest.raises(LimitError):
        ClockState(*clock)
