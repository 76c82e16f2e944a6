"""The clock that the arena keeps."""

from __future__ import annotations

import pytest

from othello_bot.arena.config import PlayLimits
from othello_bot.base.clocks import ClockState, TimeControl, TimeSettings, TimeSystem


def test_a_clock_with_increment() -> None:
    clock = PlayLimits(TimeControl(60, 1)).clock
    assert clock.state is not None and clock.state.move_s == 60
    clock = clock.spent(10)
    assert clock.left_s == 51
    assert clock.state == ClockState(51, 1)
    assert clock.state == ClockState(51, 1, None)
    # Within its margin a player may overstep; the next move then has the increment alone.
    assert clock.spent(51.05).left_s == 1


def test_a_clock_that_is_refilled_after_a_number_of_moves() -> None:
    clock = PlayLimits(TimeControl(10, 0, 2)).clock.spent(4)
    assert (clock.left_s, clock.stones) == (6, 1)
    assert clock.state == ClockState(6, 0, 1)
    clock = clock.spent(1)
    assert (clock.left_s, clock.stones) == (15, 2)


def test_time_for_each_move() -> None:
    clock = PlayLimits(move_time_s=0.5).clock
    assert clock.spent(0.4) == clock
    assert clock.state is not None and clock.state.move_s == 0.5
    assert clock.state == ClockState(0.5, 0, 1)


def test_a_clock_and_a_time_for_each_move_both_limit() -> None:
    clock = PlayLimits(TimeControl(1), 0.5).clock
    later = clock.spent(0.75).state
    assert clock.state is not None and clock.state.move_s == 0.5
    assert later is not None and later.move_s == 0.25


def test_no_clock() -> None:
    clock = PlayLimits(depth=3).clock
    assert clock.state is None


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        (PlayLimits(TimeControl(60)), TimeSettings(TimeSystem.ABSOLUTE, 60)),
        (PlayLimits(TimeControl(60, 0.5)), TimeSettings(TimeSystem.FISCHER, 60, 0.5)),
        (PlayLimits(TimeControl(0.1, 0, 5)), TimeSettings(TimeSystem.CANADIAN, 0, 0.1, 5, carries_over=True)),
        (PlayLimits(move_time_s=0.1), TimeSettings(TimeSystem.CANADIAN, 0, 0.1, 1)),
        (PlayLimits(nodes=100), None),
    ],
)
def test_how_protocols_are_told(limits: PlayLimits, settings: TimeSettings | None) -> None:
    assert limits.settings == settings
