"""The notation of time controls, and the clock that the arena keeps."""

from __future__ import annotations

import math

import pytest

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.time_control import PlayLimits, TimeControl, Timer
from othello_bot.engine.limits import ClockState
from protocol.clocks import GameClock, TimeSettings, TimeSystem


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", TimeControl(60)),
        ("60+1", TimeControl(60, 1)),
        ("5/0.1", TimeControl(0.1, 0, 5)),
        ("40/60+1.5", TimeControl(60, 1.5, 40)),
        ("2:30", TimeControl(150)),
        ("1:00.5+0.25", TimeControl(60.5, 0.25)),
        ("0+0.1", TimeControl(0, 0.1)),
        ("inf", None),
    ],
)
def test_the_notation_of_chess_arenas(text, control):
    assert TimeControl.parse(text) == control
    if control is not None:
        assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["", "0", "-1", "60+", "x", "0/60", "60++1", "1e3", "60 + 1", "٣"])
def test_other_notations_are_refused(text):
    with pytest.raises(ConfigError, match="time control"):
        TimeControl.parse(text)


def test_a_clock_with_increment():
    timer = Timer.start(PlayLimits(TimeControl(60, 1)))
    assert timer.allowed_s == 60
    timer = timer.after(10)
    assert timer.left_s == 51
    assert timer.told == GameClock(51_000, 1000, 0)
    assert timer.state == ClockState(51, 1, None)
    # Within its margin a player may overstep; the next move then has the increment alone.
    assert timer.after(51.05).left_s == 1


def test_a_clock_that_is_refilled_after_a_number_of_moves():
    timer = Timer.start(PlayLimits(TimeControl(10, 0, 2))).after(4)
    assert (timer.left_s, timer.moves_left) == (6, 1)
    assert timer.told == GameClock(6000, 0, 1)
    timer = timer.after(1)
    assert (timer.left_s, timer.moves_left) == (15, 2)


def test_time_for_each_move():
    timer = Timer.start(PlayLimits(move_time_s=0.5))
    assert timer.after(0.4) == timer
    assert timer.allowed_s == 0.5
    assert timer.told == GameClock(500, 0, 1)
    assert timer.state is None


def test_a_clock_and_a_time_for_each_move_both_limit():
    timer = Timer.start(PlayLimits(TimeControl(1), 0.5))
    assert timer.allowed_s == 0.5
    assert timer.after(0.75).allowed_s == 0.25


def test_no_clock():
    timer = Timer.start(PlayLimits(depth=3))
    assert timer.allowed_s == math.inf
    assert not timer.runs


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        (PlayLimits(TimeControl(60)), TimeSettings(TimeSystem.ABSOLUTE, 60_000)),
        (PlayLimits(TimeControl(60, 0.5)), TimeSettings(TimeSystem.FISCHER, 60_000, 500)),
        (PlayLimits(TimeControl(0.1, 0, 5)), TimeSettings(TimeSystem.CANADIAN, 0, 100, 5)),
        (PlayLimits(move_time_s=0.1), TimeSettings(TimeSystem.CANADIAN, 0, 100, 1)),
        (PlayLimits(nodes=100), None),
    ],
)
def test_how_protocols_are_told(limits, settings):
    assert limits.settings == settings
