"""Time commands and the clocks they keep (protocols.md 1.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.clocks import (
    KGS_TIME_SYSTEMS,
    LONGEST_MS,
    Allowance,
    Clocks,
    TimeLeft,
    TimeSettings,
    TimeSystem,
    format_kata_time_settings,
    format_time_left,
    format_time_settings,
    parse_kata_time_settings,
    parse_time_left,
    parse_time_settings,
)
from protocol.gtp import GtpError
from protocol.notation import Color, NotationError

B, W = Color.BLACK, Color.WHITE
NONE, ABSOLUTE, CANADIAN, BYOYOMI, FISCHER, CAPPED, UNDECIDED = TimeSystem


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ("300 0 0", TimeSettings(ABSOLUTE, 300_000)),
        ("300", TimeSettings(ABSOLUTE, 300_000)),
        ("300 0", TimeSettings(ABSOLUTE, 300_000)),
        ("0.5 0 0", TimeSettings(ABSOLUTE, 500)),
        ("0 1 0", TimeSettings(UNDECIDED, 0, 1_000)),
        ("0 10 0", TimeSettings(UNDECIDED, 0, 10_000)),
        ("300 5 0", TimeSettings(UNDECIDED, 300_000, 5_000)),
        ("300 5", TimeSettings(UNDECIDED, 300_000, 5_000)),
        ("300 30 5", TimeSettings(CANADIAN, 300_000, 30_000, 5)),
        ("0 5 1", TimeSettings(CANADIAN, 0, 5_000, 1)),
        ("0 0 0", TimeSettings()),
        ("0 0 5", TimeSettings()),
        ("300 0 5", TimeSettings(ABSOLUTE, 300_000)),
        ("-5 0 0", TimeSettings()),
        ("300 -5 -1", TimeSettings(ABSOLUTE, 300_000)),
        ("1e17 0 0", TimeSettings(ABSOLUTE, LONGEST_MS)),
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
        ("b 12 0", TimeLeft(B, 12_000)),
        ("white 12", TimeLeft(W, 12_000)),
        ("W 0.25 3", TimeLeft(W, 250, 3)),
        ("b -3 0", TimeLeft(B, 0)),
        ("b 0 0", TimeLeft(B, 0)),
        ("b 5 -1", TimeLeft(B, 5_000)),
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
        ("absolute 60", TimeSettings(ABSOLUTE, 60_000)),
        ("canadian 60 30 5", TimeSettings(CANADIAN, 60_000, 30_000, 5)),
        ("byoyomi 60 10 3", TimeSettings(BYOYOMI, 60_000, 10_000, 3)),
        ("byoyomi 60 0 3", TimeSettings(ABSOLUTE, 60_000)),
        ("fischer 60 0.1", TimeSettings(FISCHER, 60_000, 100)),
        ("Fischer 60 1", TimeSettings(FISCHER, 60_000, 1_000)),
        ("fischer-capped 60 1 120 30", TimeSettings(CAPPED, 60_000, 1_000, 0, 120_000, 30_000)),
        ("fischer-capped 60 1 -1 -1", TimeSettings(CAPPED, 60_000, 1_000)),
    ],
)
def test_kata_time_settings(arguments: str, settings: TimeSettings) -> None:
    assert parse_kata_time_settings(arguments.split()) == settings


@pytest.mark.parametrize("arguments", ["", "sudden 60", "none 1", "absolute", "fischer 60", "canadian 60 30 0"])
def test_kata_time_settings_that_mean_nothing(arguments: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: |^expected an integer of at least 1"):
        parse_kata_time_settings(arguments.split())


def test_kgs_knows_no_fischer() -> None:
    assert parse_kata_time_settings(["canadian", "60", "30", "5"], KGS_TIME_SYSTEMS).stones == 5
    with pytest.raises(GtpError, match="expected one of none absolute byoyomi canadian, got 'fischer'"):
        parse_kata_time_settings(["fischer", "60", "1"], KGS_TIME_SYSTEMS)


def test_an_overtime_must_say_how_much() -> None:
    with pytest.raises(NotationError, match="more than nothing"):
        TimeSettings(CANADIAN, 60_000, 0, 5)


TIMES = st.integers(0, 10**8)
PARTS = st.integers(1, 10**8)
SETTINGS = st.one_of(
    st.just(TimeSettings()),
    st.builds(lambda main: TimeSettings(ABSOLUTE, main), PARTS),
    st.builds(lambda main, period, stones: TimeSettings(CANADIAN, main, period, stones), TIMES, PARTS, PARTS),
    st.builds(lambda main, period: TimeSettings(UNDECIDED, main, period), TIMES, PARTS),
)
KATA_SETTINGS = st.one_of(
    SETTINGS.filter(lambda settings: settings.system is not UNDECIDED),
    st.builds(lambda main, period, stones: TimeSettings(BYOYOMI, main, period, stones), TIMES, PARTS, PARTS),
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
    assert format_time_settings(TimeSettings(FISCHER, 60_000, 1_500)) == "time_settings 60 1.5 0"
    assert format_time_settings(TimeSettings(BYOYOMI, 60_000, 10_000, 3)) == "time_settings 60 10 1"
    assert format_kata_time_settings(TimeSettings(UNDECIDED, 60_000, 100)) == "kata-time_settings fischer 60 0.1"


@given(KATA_SETTINGS)
def test_kata_time_settings_read_back(settings: TimeSettings) -> None:
    verb, *arguments = format_kata_time_settings(settings).split()
    assert verb == "kata-time_settings"
    assert parse_kata_time_settings(arguments) == settings


@given(st.sampled_from(Color), TIMES, st.integers(0, 100))
def test_time_left_reads_back(color: Color, left_ms: int, stones: int) -> None:
    told = TimeLeft(color, left_ms, stones)
    assert parse_time_left(format_time_left(told).split()[1:]) == told


def start(arguments: str) -> Clocks:
    return Clocks.start(parse_time_settings(arguments.split()))


def kata(arguments: str) -> Clocks:
    return Clocks.start(parse_kata_time_settings(arguments.split()))


@pytest.mark.parametrize(
    ("clocks", "allowance"),
    [
        (Clocks(), None),
        (start("0 1 0"), None),
        (start("300 5 0"), None),
        (start("0 0 0"), None),
        (start("300 0 0"), Allowance(300_000)),
        (start("300 30 5"), Allowance(300_000, 6_000)),
        (start("0 30 5"), Allowance(30_000, 0, 5)),
        (start("0 5 1"), Allowance(5_000, 0, 1)),
        (kata("fischer 60 0.1"), Allowance(60_000, 100)),
        (kata("fischer-capped 60 1 -1 30"), Allowance(60_000, 1_000, None, 30_000)),
        (kata("byoyomi 60 10 3"), Allowance(60_000, 10_000)),
        (kata("byoyomi 0 10 3"), Allowance(10_000, 0, 1)),
        (kata("absolute 0"), Allowance(0, 0, 1)),
    ],
)
def test_what_may_be_used_at_the_start(clocks: Clocks, allowance: Allowance | None) -> None:
    assert clocks.allowance(B) == allowance
    assert clocks.allowance(W) == allowance


@pytest.mark.parametrize(
    ("clocks", "told", "allowance"),
    [
        # M B 0, decided by what follows: a per-move allowance without main time, a clock with increment with it.
        (start("0 10 0"), TimeLeft(B, 10_000), Allowance(10_000, 0, 1)),
        (start("0 10 0"), TimeLeft(B, 7_000), Allowance(7_000, 0, 1)),
        (start("60 1 0"), TimeLeft(B, 42_000), Allowance(42_000, 1_000)),
        (start("60 1 0"), TimeLeft(B, 0), Allowance(0, 1_000)),
        (start("0 10 0"), TimeLeft(B, 0), Allowance(0, 0, 1)),
        (start("60 0 0"), TimeLeft(B, 0), Allowance(0, 0, 1)),
        (start("60 0 0"), TimeLeft(B, 12_345), Allowance(12_345)),
        # No settings at all, or "no limit": what is told is a clock all the same.
        (Clocks(), TimeLeft(B, 30_000), Allowance(30_000)),
        (start("0 0 0"), TimeLeft(B, 0), Allowance(0, 0, 1)),
        # Main time that is cut to 0 is followed by the overtime.
        (start("60 30 5"), TimeLeft(B, 0), Allowance(30_000, 0, 5)),
        (start("60 30 5"), TimeLeft(B, 12_000, 3), Allowance(12_000, 0, 3)),
        (start("60 30 5"), TimeLeft(B, 0, 3), Allowance(0, 0, 3)),
        (kata("byoyomi 60 10 3"), TimeLeft(B, 8_000, 2), Allowance(8_000, 0, 1)),
        (kata("fischer 60 1"), TimeLeft(B, 1_500), Allowance(1_500, 1_000)),
        (start("60 0 0"), TimeLeft(B, 10_000, 4), Allowance(10_000, 0, 4)),
    ],
)
def test_what_may_be_used_after_time_left(clocks: Clocks, told: TimeLeft, allowance: Allowance) -> None:
    assert clocks.time_left(told).allowance(B) == allowance


def test_a_time_left_for_one_side_decides_for_both() -> None:
    clocks = start("60 1 0").time_left(TimeLeft(W, 50_000))
    assert clocks.allowance(W) == Allowance(50_000, 1_000)
    assert clocks.allowance(B) == Allowance(60_000, 1_000)
    assert start("0 5 0").time_left(TimeLeft(W, 5_000)).allowance(B) == Allowance(5_000, 0, 1)


def test_a_time_left_is_about_one_side_otherwise() -> None:
    clocks = start("60 0 0").time_left(TimeLeft(W, 5_000))
    assert (clocks.allowance(W), clocks.allowance(B)) == (Allowance(5_000), Allowance(60_000))


@pytest.mark.parametrize(
    ("clocks", "used_ms", "allowances"),
    [
        (start("10 0 0"), (3_000, 4_000, 5_000), (Allowance(7_000), Allowance(3_000), Allowance(0, 0, 1))),
        (kata("fischer 10 1"), (3_000, 9_000), (Allowance(8_000, 1_000), Allowance(1_000, 1_000))),
        (
            kata("fischer-capped 10 5 12 8"),
            (1_000, 4_000),
            (Allowance(12_000, 5_000, None, 8_000), Allowance(12_000, 5_000, None, 8_000)),
        ),
        # Canadian: three moves in ten seconds once main time is over, the move that ends it being the first.
        (
            start("5 10 3"),
            (2_000, 5_000, 3_000, 1_000, 1_000),
            (
                Allowance(3_000, 3_333),
                Allowance(8_000, 0, 2),
                Allowance(5_000, 0, 1),
                Allowance(10_000, 0, 3),
                Allowance(9_000, 0, 2),
            ),
        ),
        (kata("byoyomi 5 10 3"), (6_000, 9_000), (Allowance(10_000, 0, 1), Allowance(10_000, 0, 1))),
        (start("0 5 1"), (3_000, 4_000), (Allowance(5_000, 0, 1), Allowance(5_000, 0, 1))),
        (start("0 5 0").time_left(TimeLeft(B, 4_000)), (3_000,), (Allowance(5_000, 0, 1),)),
        (
            start("60 1 0").time_left(TimeLeft(B, 4_000)),
            (3_000, 5_000),
            (Allowance(2_000, 1_000), Allowance(1_000, 1_000)),
        ),
        (start("0 1 0"), (3_000,), (None,)),
        # Stones where the control has none: they count down to one, and only the controller knows what follows.
        (
            start("60 0 0").time_left(TimeLeft(B, 10_000, 2)),
            (3_000, 4_000),
            (Allowance(7_000, 0, 1), Allowance(3_000, 0, 1)),
        ),
        (start("10 0 0"), (-5_000,), (Allowance(10_000),)),
    ],
)
def test_what_is_left_after_moves(
    clocks: Clocks, used_ms: tuple[int, ...], allowances: tuple[Allowance | None, ...]
) -> None:
    for used, allowance in zip(used_ms, allowances, strict=True):
        clocks = clocks.spent(B, used)
        assert clocks.allowance(B) == allowance
    assert clocks.white.left_ms != 0


def test_japanese_periods_are_lost_one_by_one() -> None:
    clocks = kata("byoyomi 5 10 3")
    assert clocks.spent(B, 5_000 + 10_001).black.stones == 2
    assert clocks.spent(B, 5_000 + 25_000).black.stones == 1
    assert clocks.spent(B, 10**9).black.stones == 1


def test_a_new_game_and_new_settings_forget_what_was_told() -> None:
    clocks = start("60 1 0").time_left(TimeLeft(B, 10_000)).spent(W, 500)
    assert clocks.restarted() == start("60 1 0")
    assert clocks.restarted().allowance(B) is None
    assert clocks.settings == TimeSettings(UNDECIDED, 60_000, 1_000)


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("spent"), st.sampled_from(Color), st.integers(-(10**6), 10**7)),
        st.tuples(st.just("told"), st.sampled_from(Color), st.integers(-(10**6), 10**7), st.integers(-3, 30)),
    )
)


@given(SETTINGS | KATA_SETTINGS, EVENTS)
def test_whatever_happens_the_allowance_makes_sense(settings: TimeSettings, events: list[tuple[object, ...]]) -> None:
    clocks = Clocks.start(settings)
    for kind, color, amount, *stones in events:
        assert isinstance(color, Color)
        assert isinstance(amount, int)
        if kind == "spent":
            clocks = clocks.spent(color, amount)
        else:
            clocks = clocks.time_left(TimeLeft(color, amount, int(str(stones[0]))))
        for side in Color:
            allowance = clocks.allowance(side)
            if allowance is not None:
                assert allowance.remaining_ms >= 0
                assert allowance.increment_ms >= 0
                assert allowance.moves_to_go is None or allowance.moves_to_go >= 1
    told = any(kind == "told" for kind, *_ in events)
    if settings.system is NONE and not told:
        assert clocks.allowance(B) is None
