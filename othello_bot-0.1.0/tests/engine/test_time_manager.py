"""The clock: a table of situations, and the properties that keep a game from being lost on time."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.clocks import ClockState
from othello_bot.engine.time_manager import (
    EARLY_EMPTIES,
    EARLY_WEIGHT,
    ENDGAME_DECAY,
    ENDGAME_SHARE,
    ENDGAME_WEIGHT,
    FEWEST_SOLVE_EMPTIES,
    INCREMENT_SHARE,
    LATE_EMPTIES,
    SHORT_CLOCK_S,
    SHORT_CLOCK_WEIGHT,
    UNLIMITED,
    TimeBudget,
    after_thinking_ahead,
    allocate,
    in_doubt,
    is_enough,
    may_be_easy,
    midgame_weight,
    solve_empties,
)

# remaining_s, increment_s, moves_to_go, empties, overhead_ms -> bounds of optimum (lowest, highest), of maximum
TABLE = [
    ((-1.0, 0.0, None, 60, 30), (0, 0), (0, 0)),
    ((0.0, 0.0, None, 60, 30), (0, 0), (0, 0)),
    ((0.03, 0.0, None, 60, 30), (0.0004, 0.001), (0.0004, 0.001)),  # nothing to spare for a move in doubt
    ((0.02, 5.0, None, 30, 30), (0.012, 0.014), (0.012, 0.014)),  # an increment after the move cannot be spent on it
    ((1.0, 0.0, None, 60, 30), (0.01, 0.05), (0.03, 0.15)),
    ((0.1, 0.02, None, 60, 30), (0.005, 0.03), (0.01, 0.05)),
    ((300.0, 0.0, None, 60, 30), (5.0, 15.0), (15.0, 45.0)),
    ((300.0, 0.0, None, 24, 30), (100.0, 200.0), (150.0, 210.0)),  # the all-out solve
    ((1.0, 0.0, None, 25, 30), (0.01, 0.2), (0.03, 0.55)),  # with one second, 25 empties are still midgame
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
    budget = allocate(ClockState(remaining_s, increment_s, moves_to_go), empties, overhead_ms / 1000)
    assert optimum[0] <= budget.optimum_s <= optimum[1] + 1e-9
    assert maximum[0] <= budget.maximum_s <= maximum[1] + 1e-9


remaining = st.floats(-10, 20_000)
increments = st.one_of(st.just(0.0), st.floats(0, 60))
moves_to_go = st.one_of(st.none(), st.integers(1, 40))
empties = st.integers(0, 60)
overheads = st.integers(0, 10_000)


@given(remaining, increments, moves_to_go, empties, overheads)
def test_bounds(left: float, increment: float, to_go: int | None, empty: int, overhead: int) -> None:
    budget = allocate(ClockState(left, increment, to_go), empty, overhead / 1000)
    kept_s = min(overhead / 1000, 0.1 * budget.maximum_s)
    assert 0 <= budget.optimum_s <= budget.maximum_s <= max(0.0, left - kept_s) + 1e-9


@given(remaining, increments, moves_to_go, empties, overheads, st.none() | st.floats(0, 100))
def test_the_overhead_takes_at_most_a_tenth_of_what_a_move_has(
    left: float, increment: float, to_go: int | None, empty: int, overhead: int, cap_s: float | None
) -> None:
    clock = ClockState(left, increment, to_go)
    with_overhead, without = allocate(clock, empty, overhead / 1000, cap_s), allocate(clock, empty, 0, cap_s)
    assert 0.9 * without.optimum_s - 1e-9 <= with_overhead.optimum_s <= without.optimum_s
    assert with_overhead.optimum_s <= with_overhead.maximum_s <= without.maximum_s


@pytest.mark.parametrize("move_s", [0.02, 0.05, 0.1, 0.2, 1.0, 10.0])
def test_whoever_gives_the_time_of_a_move_it_is_worth_the_same(move_s: float) -> None:
    by_clock = allocate(ClockState(move_s, 0.0, 1), 40, 0.1)
    by_cap = allocate(None, 40, 0.1, move_s)
    by_both = allocate(ClockState(1000.0), 40, 0.1, move_s)
    by_the_last_seconds = allocate(ClockState(move_s), 2, 0.1)
    usable_s = pytest.approx(max(0.9 * move_s, move_s - 0.1))
    assert by_clock.maximum_s == by_cap.maximum_s == by_both.maximum_s == by_the_last_seconds.maximum_s == usable_s
    assert by_clock.optimum_s == by_cap.optimum_s == by_the_last_seconds.optimum_s == usable_s


def test_time_that_is_lost_after_the_move_is_not_saved() -> None:
    assert not allocate(ClockState(5.0, 0.0, 1), 40, 0.1).keeps_rest
    assert not allocate(None, 40, 0.1, 5.0).keeps_rest
    assert allocate(ClockState(5.0, 0.0, 2), 40, 0.1).keeps_rest
    assert allocate(ClockState(5.0), 40, 0.1).keeps_rest
    assert allocate(ClockState(5.0), 40, 0.1, 0.01).keeps_rest


def test_without_clock_and_cap_nothing_limits_the_time() -> None:
    assert allocate(None, 40, 0.1) == UNLIMITED


@given(remaining, remaining, increments, moves_to_go, empties, overheads)
def test_more_time_left_never_means_less_for_the_move(
    first: float, second: float, increment: float, to_go: int | None, empty: int, overhead: int
) -> None:
    poor, rich = sorted((first, second))
    less = allocate(ClockState(poor, increment, to_go), empty, overhead / 1000)
    more = allocate(ClockState(rich, increment, to_go), empty, overhead / 1000)
    assert less.optimum_s <= more.optimum_s + 1e-9
    assert less.maximum_s <= more.maximum_s + 1e-9


@pytest.mark.parametrize(("base_s", "increment_s"), [(1.0, 0.0), (0.1, 0.02), (60.0, 0.0), (3.0, 1.0), (0.05, 0.0)])
@pytest.mark.parametrize("delay_s", [0.0, 0.002])
def test_a_whole_game_that_always_uses_the_maximum_keeps_its_flag(
    base_s: float, increment_s: float, delay_s: float
) -> None:
    """Where the solver cannot be had for next to nothing; and no delay is more than the overhead may cover."""
    left = base_s
    delay_s = min(delay_s, 0.1 * (base_s / 30 + increment_s))
    for empty in range(60, 0, -2):
        maximum_s = allocate(ClockState(left, increment_s), empty, 0.1).maximum_s
        solved_s = 0.01 * 0.4 ** ((FEWEST_SOLVE_EMPTIES - empty) / 2)
        left -= (min(maximum_s, solved_s) if empty <= FEWEST_SOLVE_EMPTIES else maximum_s) + delay_s
        assert left > 0, f"flag at {empty} empties"
        left += increment_s


@pytest.mark.parametrize(("thinks_ahead", "least", "most"), [(False, 0.15, 0.22), (True, 0.08, 0.14)])
def test_midgame_saves_for_the_endgame(thinks_ahead: bool, least: float, most: float) -> None:
    left = 300.0
    for empty in range(60, 26, -2):
        left -= allocate(ClockState(left), empty, 0.03, thinks_ahead=thinks_ahead).optimum_s
    assert least * 300 < left < most * 300


def test_increments_to_come_are_not_spent_by_the_first_moves() -> None:
    left, optima = 10.0, {}
    for empty in range(60, 30, -2):
        optima[empty] = allocate(ClockState(left, 1.0), empty, 0.03).optimum_s
        left += 1.0 - optima[empty]
    assert optima[36] > 1.3 * optima[60]


@pytest.mark.parametrize(
    ("empties", "weight"),
    [
        (60, EARLY_WEIGHT),
        (EARLY_EMPTIES, EARLY_WEIGHT),
        ((EARLY_EMPTIES + LATE_EMPTIES) // 2, (EARLY_WEIGHT + 1) / 2),
        (LATE_EMPTIES, 1.0),
        (LATE_EMPTIES - 2, 1.0),
    ],
)
def test_late_midgame_moves_weigh_more_than_early_ones(empties: int, weight: float) -> None:
    """On a clock of a second, the endgame begins after all of these."""
    clock = ClockState(1.0)
    share = allocate(clock, empties, 0).optimum_s
    following = allocate(ClockState(1.0 - share), empties - 2, 0).optimum_s
    own, next_one = midgame_weight(empties), midgame_weight(empties - 2)
    assert own == pytest.approx(weight)
    # What is left has a little more endgame in it, because the plan counts on a shorter clock.
    assert following / share == pytest.approx(next_one / own, rel=0.05)


@pytest.mark.parametrize("empty", [FEWEST_SOLVE_EMPTIES, 8, 2])
def test_a_player_who_thinks_ahead_spends_the_endgame_alike(empty: int) -> None:
    clock = ClockState(1.0)
    assert allocate(clock, empty, 0, thinks_ahead=True) == allocate(clock, empty, 0)


@pytest.mark.parametrize("first", [FEWEST_SOLVE_EMPTIES, FEWEST_SOLVE_EMPTIES - 1])
def test_endgame_moves_get_ever_less_and_together_everything(first: int) -> None:
    left_s = 0.01
    budgets_s = []
    for empty in range(first, 0, -2):
        budgets_s.append(allocate(ClockState(left_s), empty, 0).optimum_s)
        left_s -= budgets_s[-1]
    assert left_s == pytest.approx(0)
    for earlier_s, later_s in itertools.pairwise(budgets_s):
        assert later_s == pytest.approx(ENDGAME_DECAY * earlier_s)


@pytest.mark.parametrize("empty", [7, 8])
def test_three_more_increments_are_planned_with_before_the_fourth_move_from_the_end(empty: int) -> None:
    with_increment = allocate(ClockState(10, 0.5), empty, 0).optimum_s
    ratio = with_increment / allocate(ClockState(10), empty, 0).optimum_s
    assert ratio == pytest.approx((10 + 3 * 0.5 * INCREMENT_SHARE) / 10)


def test_a_move_in_doubt_leaves_a_tenth_of_the_overhead_for_each_later_move() -> None:
    assert allocate(ClockState(10), 8, 3).maximum_s == pytest.approx(10 - 3 - 3 * 0.3)


def test_a_refill_after_the_end_of_the_game_means_nothing() -> None:
    assert allocate(ClockState(10, 0, 40), 8, 0.1) == allocate(ClockState(10), 8, 0.1)


def test_solve_depth_grows_with_time_and_stays_sensible() -> None:
    depths = [solve_empties(seconds) for seconds in (0, 0.001, 0.05, 1, 20, 300, 1e6)]
    assert depths == sorted(depths)
    assert depths[0] == 14 and 22 <= depths[4] <= 26 and depths[-1] == 26
    assert [solve_empties(seconds) for seconds in (-1.0, 0.01, 1.0, 100.0)] == [14, 16, 22, 26]


@pytest.mark.parametrize(
    ("pondered_s", "expected_s", "optimum_s"),
    [
        (0.0, 0.0, 1.0),
        (0.0, 0.5, 1.5),  # a miss, where a hit would have been worth half a move
        (0.5, 0.5, 1.0),  # as much as on average
        (0.75, 0.5, 0.75),
        (9.0, 0.5, 0.25),  # enough for an iteration that is almost done
        (0.0, 9.0, 2.0),  # at most as much again as the clock gives
    ],
)
def test_free_time_is_shared_by_all_moves(pondered_s: float, expected_s: float, optimum_s: float) -> None:
    assert after_thinking_ahead(TimeBudget(1.0, 3.0), pondered_s, expected_s) == TimeBudget(optimum_s, 3.0)


def test_free_time_never_moves_the_maximum() -> None:
    assert after_thinking_ahead(TimeBudget(1.0, 1.2), 0.0, 1.0) == TimeBudget(1.2, 1.2)


def test_time_for_one_move_alone_is_used_whatever_was_thought_ahead() -> None:
    budget = TimeBudget(1.0, 1.0, keeps_rest=False)
    assert after_thinking_ahead(budget, 5.0, 1.0) == budget


@pytest.mark.parametrize(
    ("previous", "now", "doubtful"),
    [
        (None, (19, -60), False),  # the first iteration
        ((19, 2), (19, 2), False),
        ((19, 2), (26, 2), True),  # another move
        ((19, 2), (26, 9), True),
        ((19, 2), (19, 0), False),
        ((19, 2), (19, -1), True),  # three discs less
        ((19, 2), (19, -2), True),
        ((19, 2), (19, 40), False),
    ],
)
def test_a_best_move_is_in_doubt_if_it_changed_or_lost_three_discs(
    previous: tuple[int, int] | None, now: tuple[int, int], doubtful: bool
) -> None:
    assert in_doubt(previous, now) is doubtful


@pytest.mark.parametrize(("elapsed_s", "early"), [(0.29, False), (0.3, True), (0.99, True), (1.0, False)])
def test_an_easy_move_is_looked_for_between_three_tenths_and_all_of_the_optimum(elapsed_s: float, early: bool) -> None:
    assert may_be_easy(TimeBudget(1.0, 3.0), elapsed_s) is early


@pytest.mark.parametrize(
    ("elapsed_s", "next_s", "enough"),
    [(0.5, 0.99, False), (0.5, 1.0, True), (0.5, 1.01, True), (1.0, 0.0, True), (0.99, 0.0, False)],
)
def test_an_iteration_begins_if_half_of_it_fits_into_the_optimum(elapsed_s: float, next_s: float, enough: bool) -> None:
    assert is_enough(TimeBudget(1.0, 3.0), elapsed_s, next_s, doubtful=False) is enough
    assert not is_enough(TimeBudget(1.0, 3.0), elapsed_s, next_s, doubtful=True)


def test_with_nothing_on_the_clock_every_iteration_is_enough() -> None:
    assert is_enough(TimeBudget(0.0, 0.0), 0.0, 0.0, doubtful=False)


@pytest.mark.parametrize("empties", [40, 41])
@pytest.mark.parametrize(
    ("left_s", "added"),
    [(0.01, SHORT_CLOCK_WEIGHT), (SHORT_CLOCK_S, SHORT_CLOCK_WEIGHT), (2 * SHORT_CLOCK_S, SHORT_CLOCK_WEIGHT / 2)],
)
def test_a_short_clock_keeps_more_for_the_endgame(empties: int, left_s: float, added: float) -> None:
    """Below the shortest clock nothing more, above it in proportion."""
    share = allocate(ClockState(left_s), empties, 0).optimum_s / left_s
    midgame = range(empties, solve_empties(ENDGAME_SHARE * left_s), -2)
    endgame_moves = {40: 20, 41: 21}[empties] - len(midgame)
    weight = midgame_weight(empties) / share - sum(map(midgame_weight, midgame))
    assert weight / (1 - ENDGAME_DECAY**endgame_moves) == pytest.approx(ENDGAME_WEIGHT + added)
