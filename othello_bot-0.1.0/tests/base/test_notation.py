"""Colours, squares, transcripts and numbers as text."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.errors import brief, counted, shown
from othello_bot.base.notation import (
    PASS,
    START,
    Color,
    NotationError,
    OutOfRange,
    format_decimal,
    format_transcript,
    integer_of,
    is_move,
    move_name,
    number_of,
    parse_boolean,
    parse_color,
    parse_decimal,
    parse_duration,
    parse_integer,
    parse_move,
    parse_square,
    parse_transcript,
    seconds_of,
    square_name,
)
from othello_bot.base.visible import columns_of

F5, D6, C3, D3, C4, F4, F6 = (parse_square(name) for name in ("f5", "d6", "c3", "d3", "c4", "f4", "f6"))
MOVES = st.integers(0, PASS)


@pytest.mark.parametrize(
    ("text", "square"), [("a1", 0), ("b1", 1), ("h1", 7), ("A2", 8), ("f5", 37), (" f5", 37), ("F5 ", 37), ("h8", 63)]
)
def test_squares(text: str, square: int) -> None:
    assert parse_square(text) == square


@pytest.mark.parametrize("text", ["", "f", "f9", "f0", "i5", "5f", "f55", "pass", "f٥", "f²", "f5" * 99])
def test_what_is_no_square(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_square(text)
    assert caught.value.value == text
    assert "a1 to h8" in caught.value.expected


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass", "pa", "PA", "ps", "PS", "--", "@@@@", " pass "])
def test_passes(text: str) -> None:
    assert parse_move(text) == PASS
    assert is_move(text)


@given(MOVES)
def test_a_moves_name_names_it(move: int) -> None:
    assert parse_move(move_name(move)) == move
    assert parse_move(move_name(move).upper()) == move


def test_every_square_has_a_name() -> None:
    assert [parse_square(square_name(square)) for square in range(64)] == list(range(64))
    assert (square_name(0), square_name(1), square_name(8), square_name(63)) == ("a1", "b1", "a2", "h8")


@pytest.mark.parametrize("square", [-1, 64, 1000])
def test_numbers_that_are_no_square(square: int) -> None:
    with pytest.raises(NotationError, match=f"0 to 63.*{square}"):
        square_name(square)


@pytest.mark.parametrize("move", [-1, 65, 1000])
def test_what_has_no_name(move: int) -> None:
    with pytest.raises(NotationError):
        move_name(move)


@pytest.mark.parametrize(
    ("text", "color"),
    [("b", Color.BLACK), ("B", Color.BLACK), ("Black", Color.BLACK), ("w", Color.WHITE), ("WHITE", Color.WHITE)],
)
def test_colors(text: str, color: Color) -> None:
    assert parse_color(text) is color


def test_colors_know_each_other() -> None:
    assert Color.BLACK.opponent is Color.WHITE
    assert Color.WHITE.opponent is Color.BLACK
    assert [color.letter + color.disc for color in Color] == ["bX", "wO"]


@pytest.mark.parametrize("text", ["", "x", "bl", "blackwhite", "0"])
def test_what_is_no_color(text: str) -> None:
    with pytest.raises(NotationError):
        parse_color(text)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("f5d6c3\r\n", (F5, D6, C3)),
        ("F5D6C3", (F5, D6, C3)),
        ("F5d6C3", (F5, D6, C3)),
        ("f5 d6 c3", (F5, D6, C3)),
        ("F5-D6-C3", (F5, D6, C3)),
        ("+f5-d6+c3", (F5, D6, C3)),
        ("1. f5 d6 2. c3", (F5, D6, C3)),
        ("1.f5 d6 2.c3 10. d3", (F5, D6, C3, D3)),
        ("1) f5, d6; 2) c3", (F5, D6, C3)),
        ("1 f5 2 d6 3 c3", (F5, D6, C3)),
        ("F5 f4 2. F6 d6", (F5, F4, F6, D6)),
        ("f5pad6", (F5, PASS, D6)),
        ("f5 PASS d6 ps c3 --", (F5, PASS, D6, PASS, C3, PASS)),
        ("f5--d6", (F5, PASS, D6)),
        ("", ()),
        (" 1. ", ()),
    ],
)
def test_transcripts(text: str, moves: tuple[int, ...]) -> None:
    assert parse_transcript(text) == moves


@pytest.mark.parametrize(("text", "rest"), [("f5d9", "d9"), ("f5 hello", "hello"), ("f", "f"), ("f5 d6 x", "x")])
def test_what_is_no_transcript(text: str, rest: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_transcript(text)
    assert caught.value.value == rest


@given(st.lists(MOVES))
def test_a_transcript_reads_back(moves: list[int]) -> None:
    assert parse_transcript(format_transcript(moves)) == tuple(moves)
    assert parse_transcript(" ".join(map(move_name, moves))) == tuple(moves)


def test_passes_are_omitted_from_a_transcript_only_on_request() -> None:
    moves = (F5, PASS, D6)
    assert (format_transcript(moves), format_transcript(moves, passes=False)) == ("f5pad6", "f5d6")
    assert format_transcript(moves, separator=" ") == "f5 pa d6"


def test_the_longest_transcript() -> None:
    assert len(parse_transcript("f5" * 128)) == 128
    with pytest.raises(NotationError, match="at most 128 moves") as caught:
        parse_transcript("f5" * 128 + "c3")
    assert caught.value.value == "c3" and getattr(caught.value, "place", None) == 256


def test_the_start() -> None:
    named = {name: START.cells[parse_square(name)] for name in ("d4", "e5", "e4", "d5")}
    assert named == {"d4": "O", "e5": "O", "e4": "X", "d5": "X"}
    assert str(START) == "---------------------------OX------XO--------------------------- X"


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-3", -3), ("+7", 7), ("007", 7), ("9" * 18, int("9" * 18)), (str(2**63 - 1), 2**63 - 1)],
)
def test_integers(text: str, value: int) -> None:
    assert parse_integer(text) == value


@pytest.mark.parametrize("text", ["", "1.0", "1_000", "٣", "0x1", f"{2**63}", "9" * 5000, " 1", "1 ", "--1", "nan"])
def test_what_is_no_integer(text: str) -> None:
    with pytest.raises(NotationError):
        parse_integer(text)


@pytest.mark.parametrize(
    ("parse", "text", "limits", "message"),
    [
        (parse_integer, "61", {"low": 1, "high": 60}, "an integer from 1 to 60, got '61'"),
        (parse_integer, "0", {"low": 1}, "an integer of at least 1, got '0'"),
        (parse_integer, "9" * 5000, {"low": 1}, f"an integer from 1 to {2**63 - 1}, got '999"),
        (parse_integer, f"-{2**63}", {}, f"an integer from -{2**63 - 1} to {2**63 - 1}, got '-9"),
        (parse_integer, "x", {"high": 3}, "an integer of at most 3, got 'x'"),
        (parse_decimal, "1", {"high": 0.5}, "a number of at most 0.5, got '1'"),
        (parse_decimal, "1e30", {"low": 0}, f"a number from 0 to {10**17}, got '1e30'"),
    ],
)
def test_the_range_is_named(parse: Callable[..., float], text: str, limits: dict[str, float], message: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text, **limits)
    assert str(refused.value).startswith(f"expected {message}")


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0.0), ("-1.5", -1.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("+2.25", 2.25)]
)
def test_decimals(text: str, value: float) -> None:
    assert parse_decimal(text) == value


@pytest.mark.parametrize("text", ["", ".", "nan", "inf", "-inf", "1_0.0", "1e999", "0x1p3", "e5"])
def test_what_is_no_decimal(text: str) -> None:
    with pytest.raises(NotationError):
        parse_decimal(text)


@pytest.mark.parametrize(
    ("value", "integer", "number"),
    [
        (3, 3, 3.0),
        (0, 0, 0.0),
        (7, 7, 7.0),
        (-1, None, None),
        (8, None, None),
        (2.5, None, 2.5),
        (True, None, None),
        ("3", None, None),
        (None, None, None),
        ([3], None, None),
        (math.nan, None, None),
        (math.inf, None, None),
        (10**400, None, None),
    ],
)
def test_numbers_among_values(value: object, integer: int | None, number: float | None) -> None:
    assert (integer_of(value, 0, 7), number_of(value, 0, 7)) == (integer, number)
    assert number_of(math.inf) is number_of(math.nan) is number_of(10**400) is integer_of(2**63) is None


def test_times_in_digits() -> None:
    assert seconds_of("2", "03", "04", "5.5") == 183845.5
    assert seconds_of(None, "1", "") == 60.0 and seconds_of("7") == 7.0


@given(st.floats(-1e6, 1e6, allow_nan=False))
def test_decimals_are_written_without_exponent_and_without_a_negative_nothing(value: float) -> None:
    text = format_decimal(value)
    assert "e" not in text
    assert text != "-0.00"
    assert math.isclose(parse_decimal(text), value, abs_tol=0.0051)


@pytest.mark.parametrize(("text", "value"), [("true", True), ("ON", True), ("0", False), ("no", False)])
def test_booleans(text: str, value: bool) -> None:
    assert parse_boolean(text) is value


def test_what_is_no_boolean() -> None:
    with pytest.raises(NotationError, match="true or false"):
        parse_boolean("maybe")


@given(st.text())
def test_what_is_shown_is_short_and_printable(text: str) -> None:
    assert columns_of(shown(text)) <= 62
    assert shown(text).isprintable()


def test_how_values_are_shown() -> None:
    assert [shown(value) for value in (5, None, "a\nb", "x" * 60)] == ["5", "None", "'a b'", f"'{'x' * 60}'"]
    assert shown("x" * 61) == f"'{'x' * 57}...'"
    assert (brief("no\n such\tmove \x07"), brief("y" * 200)) == ("no such move \\x07", "y" * 200)
    assert brief("y" * 201) == "y" * 197 + "..."


def test_numbers_with_the_word_for_what_they_count() -> None:
    assert [counted(number, "move") for number in (0, 1, 2, -1)] == ["0 moves", "1 move", "2 moves", "-1 move"]
    assert [counted(number, "disc", signed=True) for number in (1, -3, 0)] == ["+1 disc", "-3 discs", "0 discs"]
    assert counted(2, "leaf", "leaves") == "2 leaves"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("0", 0),
        (".5", 0.5),
        ("1:30", 90),
        ("1:00:00", 3600),
        ("1:0:0:0.5", 86400.5),
        ("90s", 90),
        ("1.5 min", 90),
        ("2h30m", 9000),
        ("1h 5 s", 3605),
        ("1 day", 86400),
        ("500ms", 0.5),
        ("1 s 500 msec", 1.5),
        ("5'30\"", 330),
        ("3 HOURS", 10800),
    ],
)
def test_times_as_people_write_them(text: str, seconds: float) -> None:
    assert parse_duration(text) == parse_duration(text, high_s=seconds) == seconds


def test_a_bare_number_has_the_unit_of_its_place() -> None:
    assert (parse_duration("1.5", "minutes"), parse_duration("250", "milliseconds")) == (90, 0.25)
    with pytest.raises(NotationError, match=r"^expected a time like 1:30, 90 s, 5 min or 2h30m, got '90'$"):
        parse_duration("90", None)
    with pytest.raises(NotationError, match=r"like 5 \(minutes\), 1:30, .*, did you mean minute\?, got '5 mniute'$"):
        parse_duration("5 mniute", "minutes")


@pytest.mark.parametrize(
    "text", ["", " ", " 1", "-1", "+1", "1e3", "1:", ":1", "5 m 3", "5s3m", "5 x", "\u0663", "5 " * 9999]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(NotationError, match=r"^expected a time like 5 \(seconds\), 1:30"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["1:75", "1:60", "1:30:75", "1:75:00", "1:24:00:00", "1:60.5"])
def test_what_does_not_fit_behind_a_colon_is_a_slip(text: str) -> None:
    with pytest.raises(
        OutOfRange, match=r"^expected at most 59 behind a colon \(hours: 23\), such as 1:30 or 90s, got"
    ):
        parse_duration(text)
    assert parse_duration("90:00") == parse_duration("1:30:00") == 5400 and parse_duration("1:23:59:59.9") == 172799.9
    assert parse_duration("0:75") == parse_duration("00:00:75") == 75


@pytest.mark.parametrize("text", ["1:40", "0.5", "999999999"])
def test_a_time_outside_its_range(text: str) -> None:
    with pytest.raises(OutOfRange, match=f"^expected a time from 1 to 99 seconds, got '{text}'$"):
        parse_duration(text, "seconds", 1, 99)
