"""Time commands and the clocks they keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.clocks import LONGEST_S, Clocks, ClockState, TimeControl, TimeLeft, TimeSettings, TimeSystem
from othello_bot.base.notation import Color, NotationError
from othello_bot.protocol.gtp import GtpError
from othello_bot.protocol.time_commands import (
    KGS_TIME_SYSTEMS,
    format_kata_time_settings,
    format_time_left,
    format_time_settings,
    parse_kata_time_settings,
    parse_time_left,
    parse_time_settings,
)

B, W = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", TimeControl(60)),
        ("60+1", TimeControl(60, 1)),
        ("60 + 1", TimeControl(60, 1)),
        ("60 1", TimeControl(60, 1)),
        ("5/0.1", TimeControl(0.1, 0, 5)),
        ("40/60+1.5", TimeControl(60, 1.5, 40)),
        ("2:30", TimeControl(150)),
        ("1:00.5+0.25", TimeControl(60.5, 0.25)),
        ("0+0.1", TimeControl(0, 0.1)),
        ("5m|3s", TimeControl(300, 3)),
        ("1234567.5", TimeControl(1234567.5)),
        ("inf", None),
        ("None", None),
    ],
)
def test_the_notation_of_chess_arenas(text: str, control: TimeControl | None) -> None:
    assert TimeControl.parse(text) == control
    if control is not None:
        assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5", TimeControl(300)),
        ("5 3", TimeControl(300, 3)),
        ("5+3", TimeControl(300, 3)),
        ("1+0.01", TimeControl(60, 0.01)),
        ("1:00", TimeControl(60)),
        ("1:30 2", TimeControl(90, 2)),
        ("90s", TimeControl(90)),
        ("1m", TimeControl(60)),
        ("5 minutes", TimeControl(300)),
        ("5 Min + 3 Sec", TimeControl(300, 3)),
        ("2 min 30 s", TimeControl(150)),
        ("1h30m+10", TimeControl(5400, 10)),
        ("0.5", TimeControl(30)),
        ("off", None),
    ],
)
def test_people_count_minutes(text: str, control: TimeControl | None) -> None:
    assert TimeControl.parse(text, "minutes") == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "60+",
        "x",
        "0/60",
        "60++1",
        "1e3",
        "\u0663",
        "1 2 3",
        "5 m 3 2",
        "1:30:",
        "1_0",
        "5" * 9999,
        "9" * 9,
    ],
)
@pytest.mark.parametrize("unit", ["minutes", "seconds"])
def test_other_notations_are_refused(text: str, unit: str) -> None:
    with pytest.raises(NotationError):
        TimeControl.parse(text, unit)


@pytest.mark.parametrize(("text", "meant"), [("of", "off"), ("5 minuets", "minutes"), ("5 sceonds", "seconds")])
def test_a_mistyped_word_of_a_control_is_told(text: str, meant: str) -> None:
    with pytest.raises(NotationError, match=f"1:30.*, did you mean {meant}[?], got '{text}'"):
        TimeControl.parse(text, "minutes")


def test_a_clock_without_main_time_begins_with_an_increment() -> None:
    control = TimeControl.parse("0+3")
    assert control is not None
    clocks = Clocks.start(control.settings)
    assert (clocks.state(B), clocks.spent(B, 1).state(B)) == (ClockState(3, 3), ClockState(5, 3))


NONE, ABSOLUTE, CANADIAN, BYOYOMI, FISCHER, CAPPED, UNDECIDED = TimeSystem


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ("300 0 0", TimeSettings(ABSOLUTE, 300)),
        ("300", TimeSettings(ABSOLUTE, 300)),
        ("300 0", TimeSettings(ABSOLUTE, 300)),
        ("0.5 0 0", TimeSettings(ABSOLUTE, 0.5)),
        ("0 1 0", TimeSettings(UNDECIDED, 0, 1)),
        ("0 10 0", TimeSettings(UNDECIDED, 0, 10)),
        ("300 5 0", TimeSettings(UNDECIDED, 300, 5)),
        ("300 5", TimeSettings(UNDECIDED, 300, 5)),
        ("300 30 5", TimeSettings(CANADIAN, 300, 30, 5)),
        ("0 5 1", TimeSettings(CANADIAN, 0, 5, 1)),
        ("0 0 0", TimeSettings()),
        ("0 0 5", TimeSettings()),
        ("300 0 5", TimeSettings(ABSOLUTE, 300)),
        ("-5 0 0", TimeSettings()),
        ("300 -5 -1", TimeSettings(ABSOLUTE, 300)),
        ("1e17 0 0", TimeSettings(ABSOLUTE, LONGEST_S)),
    ],
)
def test_time_settings(arguments: str, settings: TimeSettings) -> None:
    assert parse_time_settings(arguments.split()) == settings


@pytest.mark.parametrize("arguments", ["", "a b c", "nan 0 0", "300 0 0 0", "300 0 1.5", "inf 0 0"])
def test_time_settings_that_mean_nothing(arguments: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: "):
        parse_time_settings(arguments.split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("b 12 0", TimeLeft(B, 12)),
        ("white 12", TimeLeft(W, 12)),
        ("W 0.25 3", TimeLeft(W, 0.25, 3)),
        ("b -3 0", TimeLeft(B, 0)),
        ("b 0 0", TimeLeft(B, 0)),
        ("b 5 -1", TimeLeft(B, 5)),
    ],
)
def test_time_left(arguments: str, told: TimeLeft) -> None:
    assert parse_time_left(arguments.split()) == told


@pytest.mark.parametrize("arguments", ["", "b", "12 b 0", "b x 0", "b 12 0 0", "b 12 1.5"])
def test_time_left_that_means_nothing(arguments: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: "):
        parse_time_left(arguments.split())


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ("none", TimeSettings()),
        ("absolute 60", TimeSettings(ABSOLUTE, 60)),
        ("canadian 60 30 5", TimeSettings(CANADIAN, 60, 30, 5)),
        ("byoyomi 60 10 3", TimeSettings(BYOYOMI, 60, 10, 3)),
        ("byoyomi 60 0 3", TimeSettings(ABSOLUTE, 60)),
        ("fischer 60 0.1", TimeSettings(FISCHER, 60, 0.1)),
        ("Fischer 60 1", TimeSettings(FISCHER, 60, 1)),
        ("fischer-capped 60 1 120 30", TimeSettings(CAPPED, 60, 1, 0, 120, 30)),
        ("fischer-capped 60 1 -1 -1", TimeSettings(CAPPED, 60, 1)),
    ],
)
def test_kata_time_settings(arguments: str, settings: TimeSettings) -> None:
    assert parse_kata_time_settings(arguments.split()) == settings


@pytest.mark.parametrize("arguments", ["", "sudden 60", "none 1", "absolute", "fischer 60", "canadian 60 30 0"])
def test_kata_time_settings_that_mean_nothing(arguments: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: |^expected an integer of at least 1"):
        parse_kata_time_settings(arguments.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [("fischer 60", "fischer takes 2 numbers, got 1"), ("absolute 60 1 2", "absolute takes 1 numbers, got 3")],
)
def test_a_wrong_count_of_numbers_is_told(arguments: str, message: str) -> None:
    with pytest.raises(GtpError, match=f"^syntax error: {message}$"):
        parse_kata_time_settings(arguments.split())


def test_kgs_knows_no_fischer() -> None:
    assert parse_kata_time_settings(["canadian", "60", "30", "5"], KGS_TIME_SYSTEMS).stones == 5
    with pytest.raises(GtpError, match="expected one of none absolute byoyomi canadian, got 'fischer'"):
        parse_kata_time_settings(["fischer", "60", "1"], KGS_TIME_SYSTEMS)


def test_an_overtime_must_say_how_much() -> None:
    for system in (CANADIAN, BYOYOMI):
        for period_s, stones in ((0, 5), (-1, 5), (30, 0), (30, -1)):
            with pytest.raises(NotationError, match="above 0"):
                TimeSettings(system, 60, period_s, stones)
        assert TimeSettings(system, 60, 0.001, 1).stones == 1


STONES = st.integers(1, 10**8)
TIMES = st.integers(0, 10**8).map(lambda time_ms: time_ms / 1000)
PARTS = STONES.map(lambda time_ms: time_ms / 1000)
SETTINGS = st.one_of(
    st.just(TimeSettings()),
    st.builds(lambda main: TimeSettings(ABSOLUTE, main), PARTS),
    st.builds(lambda main, period, stones: TimeSettings(CANADIAN, main, period, stones), TIMES, PARTS, STONES),
    st.builds(lambda main, period: TimeSettings(UNDECIDED, main, period), TIMES, PARTS),
)
KATA_SETTINGS = st.one_of(
    SETTINGS.filter(lambda settings: settings.system is not UNDECIDED),
    st.builds(lambda main, period, stones: TimeSettings(BYOYOMI, main, period, stones), TIMES, PARTS, STONES),
    st.builds(lambda main, period: TimeSettings(FISCHER, main, period), TIMES, TIMES),
    st.builds(
        lambda main, period, limit, move: TimeSettings(CAPPED, main, period, 0, limit, move),
        TIMES,
        TIMES,
        st.none() | TIMES,
        st.none() | TIMES,
    ),
)


@given(SETTINGS.filter(lambda settings: settings.system is not NONE))
def test_time_settings_read_back(settings: TimeSettings) -> None:
    verb, *arguments = format_time_settings(settings).split()
    assert verb == "time_settings"
    assert parse_time_settings(arguments) == settings


def test_no_limit_is_said_as_gogui_says_it() -> None:
    assert format_time_settings(TimeSettings()) == "time_settings 0 1 0"
    assert format_time_settings(TimeSettings(FISCHER, 60, 1.5)) == "time_settings 60 1.5 0"
    assert format_time_settings(TimeSettings(BYOYOMI, 60, 10, 3)) == "time_settings 60 10 1"
    assert format_kata_time_settings(TimeSettings(UNDECIDED, 60, 0.1)) == "kata-time_settings fischer 60 0.1"


@given(KATA_SETTINGS)
def test_kata_time_settings_read_back(settings: TimeSettings) -> None:
    verb, *arguments = format_kata_time_settings(settings).split()
    assert verb == "kata-time_settings"
    assert parse_kata_time_settings(arguments) == settings


@given(st.sampled_from(Color), TIMES, st.integers(0, 100))
def test_time_left_reads_back(color: Color, left_s: float, stones: int) -> None:
    told = TimeLeft(color, left_s, stones)
    assert parse_time_left(format_time_left(told).split()[1:]) == told


def test_times_have_three_decimals() -> None:
    assert parse_time_left(["b", "0.12349"]).left_s == 0.123
    written = [format_time_left(TimeLeft(B, left_s)) for left_s in (0.0004, 0.0005, 2.9996, 1.25, 10)]
    assert written == [f"time_left b {left} 0" for left in ("0", "0.001", "3", "1.25", "10")]


def start(arguments: str) -> Clocks:
    return Clocks.start(parse_time_settings(arguments.split()))


def kata(arguments: str) -> Clocks:
    return Clocks.start(parse_kata_time_settings(arguments.split()))


@pytest.mark.parametrize(
    ("clocks", "state"),
    [
        (Clocks(), None),
        (start("0 1 0"), None),
        (start("300 5 0"), None),
        (start("0 0 0"), None),
        (start("300 0 0"), ClockState(300)),
        (start("300 30 5"), ClockState(300, 6)),
        (start("0 30 5"), ClockState(30, 0, 5)),
        (start("0 5 1"), ClockState(5, 0, 1)),
        (kata("fischer 60 0.1"), ClockState(60, 0.1)),
        (kata("fischer-capped 60 1 -1 30"), ClockState(60, 1, None, 30)),
        (kata("byoyomi 60 10 3"), ClockState(60, 10)),
        (kata("byoyomi 0 10 3"), ClockState(10, 0, 1)),
        (kata("absolute 0"), ClockState(0, 0, 1)),
    ],
)
def test_what_may_be_used_at_the_start(clocks: Clocks, state: ClockState | None) -> None:
    assert clocks.state(B) == state
    assert clocks.state(W) == state


@pytest.mark.parametrize(
    ("clocks", "told", "state"),
    [
        # M B 0, decided by what follows: a per-move allowance without main time, a clock with increment with it.
        (start("0 10 0"), TimeLeft(B, 10), ClockState(10, 0, 1)),
        (start("0 10 0"), TimeLeft(B, 7), ClockState(7, 0, 1)),
        (start("60 1 0"), TimeLeft(B, 42), ClockState(42, 1)),
        (start("60 1 0"), TimeLeft(B, 0), ClockState(0, 1)),
        (start("0 10 0"), TimeLeft(B, 0), ClockState(0, 0, 1)),
        (start("60 0 0"), TimeLeft(B, 0), ClockState(0, 0, 1)),
        (start("60 0 0"), TimeLeft(B, 12.345), ClockState(12.345)),
        # No settings at all, or "no limit": what is told is a clock all the same.
        (Clocks(), TimeLeft(B, 30), ClockState(30)),
        (start("0 0 0"), TimeLeft(B, 0), ClockState(0, 0, 1)),
        # Main time that is cut to 0 is followed by the overtime.
        (start("60 30 5"), TimeLeft(B, 0), ClockState(30, 0, 5)),
        (start("60 30 5"), TimeLeft(B, 12, 3), ClockState(12, 0, 3)),
        (start("60 30 5"), TimeLeft(B, 0, 3), ClockState(0, 0, 3)),
        (kata("byoyomi 60 10 3"), TimeLeft(B, 8, 2), ClockState(8, 0, 1)),
        (kata("fischer 60 1"), TimeLeft(B, 1.5), ClockState(1.5, 1)),
        (start("60 0 0"), TimeLeft(B, 10, 4), ClockState(10, 0, 4)),
    ],
)
def test_what_may_be_used_after_time_left(clocks: Clocks, told: TimeLeft, state: ClockState) -> None:
    assert clocks.time_left(told).state(B) == state


def test_a_time_left_for_one_side_decides_for_both() -> None:
    clocks = start("60 1 0").time_left(TimeLeft(W, 50))
    assert clocks.state(W) == ClockState(50, 1)
    assert clocks.state(B) == ClockState(60, 1)
    assert start("0 5 0").time_left(TimeLeft(W, 5)).state(B) == ClockState(5, 0, 1)


def test_a_time_left_is_about_one_side_otherwise() -> None:
    clocks = start("60 0 0").time_left(TimeLeft(W, 5))
    assert (clocks.state(W), clocks.state(B)) == (ClockState(5), ClockState(60))


@pytest.mark.parametrize(
    ("clocks", "used_s", "states"),
    [
        (start("10 0 0"), (3, 4, 5), (ClockState(7), ClockState(3), ClockState(0, 0, 1))),
        (kata("fischer 10 1"), (3, 9), (ClockState(8, 1), ClockState(1, 1))),
        (
            kata("fischer-capped 10 5 12 8"),
            (1, 4),
            (ClockState(12, 5, None, 8), ClockState(12, 5, None, 8)),
        ),
        # Canadian: three moves in ten seconds once main time is over, the move that ends it being the first.
        (
            start("5 10 3"),
            (2, 5, 3, 1, 1),
            (
                ClockState(3, 10 / 3),
                ClockState(8, 0, 2),
                ClockState(5, 0, 1),
                ClockState(10, 0, 3),
                ClockState(9, 0, 2),
            ),
        ),
        (kata("byoyomi 5 10 3"), (6, 9), (ClockState(10, 0, 1), ClockState(10, 0, 1))),
        (start("0 5 1"), (3, 4), (ClockState(5, 0, 1), ClockState(5, 0, 1))),
        (start("0 5 0").time_left(TimeLeft(B, 4)), (3,), (ClockState(5, 0, 1),)),
        (
            start("60 1 0").time_left(TimeLeft(B, 4)),
            (3, 5),
            (ClockState(2, 1), ClockState(1, 1)),
        ),
        (start("0 1 0"), (3,), (None,)),
        # Stones where the control has none: they count down to one, and only the controller knows what follows.
        (
            start("60 0 0").time_left(TimeLeft(B, 10, 2)),
            (3, 4),
            (ClockState(7, 0, 1), ClockState(3, 0, 1)),
        ),
        (start("10 0 0"), (-5,), (ClockState(10),)),
    ],
)
def test_what_is_left_after_moves(
    clocks: Clocks, used_s: tuple[int, ...], states: tuple[ClockState | None, ...]
) -> None:
    for used, state in zip(used_s, states, strict=True):
        clocks = clocks.spent(B, used)
        assert clocks.state(B) == state
    assert clocks.white.left_s != 0


def test_a_canadian_control_of_the_arena_keeps_what_is_left_and_adds_an_increment() -> None:
    settings = TimeSettings(CANADIAN, 0, 10, 2, per_move_s=8, increment_s=1, carries_over=True)
    clocks = Clocks.start(settings)
    assert clocks.state(B) == ClockState(10, 1, 2, 8)
    clocks = clocks.spent(B, 4)
    assert clocks.state(B) == ClockState(7, 1, 1, 8)
    assert clocks.spent(B, 3).state(B) == ClockState(15, 1, 2, 8)
    assert clocks.spent(B, 7.5).state(B) == ClockState(11, 1, 2, 8)


@pytest.mark.parametrize(
    ("state", "move_s"), [(ClockState(5), 5), (ClockState(5, 1, 2, 3), 3), (ClockState(2, 0, None, 3), 2)]
)
def test_what_the_next_move_may_take(state: ClockState, move_s: float) -> None:
    assert state.move_s == move_s


def test_japanese_periods_are_lost_one_by_one() -> None:
    clocks = kata("byoyomi 5 10 3")
    assert clocks.spent(B, 5 + 10.001).black.stones == 2
    assert clocks.spent(B, 5 + 25).black.stones == 1
    assert [kata("byoyomi 5 10 20").spent(B, 5 + used).black.stones for used in (10, 20, 25)] == [20, 19, 18]
    assert clocks.spent(B, 10**6).black.stones == 1


def test_overtime_begins_when_main_time_is_exceeded_by_less_than_a_second() -> None:
    assert start("10 30 5").spent(B, 10.5).state(B) == ClockState(29.5, 0, 4)


def test_no_period_is_gained_where_more_is_told_than_a_period_has() -> None:
    assert kata("byoyomi 5 10 3").time_left(TimeLeft(B, 100, 2)).spent(B, 5).black.stones == 2


def test_main_time_is_told_without_stones() -> None:
    assert start("60 30 5").black.time_left(40).stones == 0


def test_a_new_game_and_new_settings_forget_what_was_told() -> None:
    clocks = start("60 1 0").time_left(TimeLeft(B, 10)).spent(W, 0.5)
    assert clocks.restarted() == start("60 1 0")
    one_sided = Clocks(white=start("60 0 0").white.spent(20))
    assert one_sided.restarted() == Clocks(white=start("60 0 0").white)
    assert clocks.restarted().state(B) is None


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("spent"), st.sampled_from(Color), st.floats(-1e3, 1e4)),
        st.tuples(st.just("told"), st.sampled_from(Color), st.floats(-1e3, 1e4), st.integers(-3, 30)),
    )
)


@given(SETTINGS | KATA_SETTINGS, EVENTS)
def test_whatever_happens_the_state_makes_sense(settings: TimeSettings, events: list[tuple[object, ...]]) -> None:
    clocks = Clocks.start(settings)
    for kind, color, amount, *stones in events:
        assert isinstance(color, Color)
        assert isinstance(amount, float)
        if kind == "spent":
            clocks = clocks.spent(color, amount)
        else:
            clocks = clocks.time_left(TimeLeft(color, amount, int(str(stones[0]))))
        for side in Color:
            state = clocks.state(side)
            if state is not None:
                assert state.remaining_s >= 0
                assert state.increment_s >= 0
                assert state.moves_to_go is None or state.moves_to_go >= 1
    told = any(kind == "told" for kind, *_ in events)
    if settings.system is NONE and not told:
        assert clocks.state(B) is None
