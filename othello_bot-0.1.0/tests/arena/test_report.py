"""The numbers of a report, from results that are put together here."""

from __future__ import annotations

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.report import crosstable, results_of, signed, standings
from othello_bot.arena.tally import Tally
from tests.arena.builders import engines, met

NAMES = ("one", "two", "three")


@pytest.fixture
def tally() -> Tally:
    """Return the results of three engines, of which the third has met the first alone."""
    found = Tally(3)
    found.meetings[0, 1] = met(5, 4, 3, [1, 1, 1, 2, 1])
    found.meetings[2, 0] = met(1, 2, 7, [3, 1, 1, 0, 0])
    found.engines[0].seconds, found.engines[0].moves = 3.0, 400
    for detail in ("refused 'play w pass' after 3 ms", "refused 'play w pass' after 4 ms"):
        found.engines[1].fail(Ending.REFUSAL, detail)
    found.engines[1].fail(Ending.TIME, "0.2 s late")
    return found


def test_points_count_a_draw_as_half(tally: Tally) -> None:
    assert tally.meetings[0, 1].points == 7 and tally.meetings[0, 1].games == 12


def test_results_against_all_others_are_added(tally: Tally) -> None:
    assert results_of(0, tally.meetings) == (12, 6, 4)
    assert results_of(1, tally.meetings) == (3, 4, 5)
    assert results_of(2, tally.meetings) == (1, 2, 7)


@pytest.mark.parametrize("slot", [0, 1])
def test_the_same_results_twice_are_twice_as_many(slot: int) -> None:
    meetings = {(slot, 2): met(1, 3, 7, []), (slot, 3): met(1, 3, 7, []), (4, slot): met(7, 3, 1, [])}
    assert results_of(slot, meetings) == (3, 9, 21)


def test_the_standings_have_a_row_for_each_engine(tally: Tally) -> None:
    rows = {row[0]: row[3:] for row in standings(NAMES, tally).rows}
    assert rows["one"] == ("22", "12", "6", "4", "68.2 %", "7.50", "0", "none")
    failures = f"2 {Ending.REFUSAL.value}, 1 {Ending.TIME.value}"
    assert rows["two"] == ("12", "3", "4", "5", "41.7 %", "-", "1", failures)
    assert [row[0] for row in standings(NAMES, tally).rows] == ["one", "two", "three"]


def test_the_crosstable_shows_points_from_both_sides(tally: Tally) -> None:
    assert crosstable(NAMES, tally).rows == (
        ("one", "-", "7/12", "8/10"),
        ("two", "5/12", "-", "-"),
        ("three", "2/10", "-", "-"),
    )


@pytest.mark.parametrize(("text", "threads"), [("4", 4), ("many", 1), ("٣", 1)])
def test_threads_of_another_engine_are_read_where_they_are_a_number(text: str, threads: int) -> None:
    (engine,) = engines(f"cmd=engine proto=gtp st=1 option.threads={text}")
    assert engine.threads == threads


@pytest.mark.parametrize(("value", "text"), [(-1e-9, "+0.0"), (-0.04, "+0.0"), (-0.06, "-0.1"), (12.34, "+12.3")])
def test_a_zero_has_no_minus(value: float, text: str) -> None:
    assert signed(value) == text
