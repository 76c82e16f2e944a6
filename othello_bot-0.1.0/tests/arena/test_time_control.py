"""The clock that the arena keeps; how it runs is tested with the clocks."""

from __future__ import annotations

import pytest

from othello_bot.arena.config import PlayLimits
from othello_bot.base.clocks import ClockState, PlayerClock, TimeControl, TimeSettings, TimeSystem


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        (PlayLimits(TimeControl(60)), TimeSettings(TimeSystem.ABSOLUTE, 60)),
        (PlayLimits(TimeControl(60, 0.5)), TimeSettings(TimeSystem.FISCHER, 60, 0.5)),
        (PlayLimits(TimeControl(0.1, 0, 5)), TimeSettings(TimeSystem.CANADIAN, 0, 0.1, 5, carries_over=True)),
        (PlayLimits(move_time_s=0.1), TimeSettings(TimeSystem.CANADIAN, 0, 0.1, 1)),
        (PlayLimits(TimeControl(1), 0.5), TimeSettings(TimeSystem.ABSOLUTE, 1, per_move_s=0.5)),
        (PlayLimits(nodes=100), None),
    ],
)
def test_how_protocols_are_told_and_which_clock_runs(limits: PlayLimits, settings: TimeSettings | None) -> None:
    assert limits.settings == settings
    assert limits.clock == PlayerClock.start(settings or TimeSettings())


def test_a_clock_and_a_time_for_each_move_both_limit() -> None:
    clock = PlayLimits(TimeControl(1), 0.5).clock
    assert (clock.state, clock.spent(0.75).state) == (ClockState(1, cap_s=0.5), ClockState(0.25, cap_s=0.5))
