"""Text of others on a terminal: what is shown takes its own place, on one line, within its columns."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.errors import brief, shown
from othello_bot.base.visible import columns_of, csv_text, padded, table_lines, visible, wrapped
from othello_bot.protocol import cassio, nboard
from othello_bot.protocol.gtp import Reply, format_reply, stream_line

HOSTILE = [
    ("\x1b]52;c;cHJpdmF0ZQ==\x07\x1b[2Jann", "\\x1b]52;c;cHJpdmF0ZQ==\\x07\\x1b[2Jann"),
    ("a\nb\r\nc\td\u2028e\u2029f\x85g\x0bh\x0ci", "a b  c d e f g h i"),
    ("\x9b2J\x00\x7f\b", "\\x9b2J\\x00\\x7f\\x08"),
    ("ann\u202egnp.exe\u202c \u2066x\u2069", "ann\\u202egnp.exe\\u202c \\u2066x\\u2069"),
    ("a\u200bn\u200dn\ufeff\u00ad\u2060", "a\\u200bn\\u200dn\\ufeff\\xad\\u2060"),
    ("caf\udce9.ggf \ud83d", "caf\\xe9.ggf \\ud83d"),
    ("a\u3164b\ufe0fc\U000e0041", "a\\u3164b\\ufe0fc\\U000e0041"),
    ("wide\u3000space\u00a0here", "wide space here"),
    ("Zoë 五十嵐 🙂 x+1 \\ [red]", "Zoë 五十嵐 🙂 x+1 \\ [red]"),
    ("e" + "\u0301" * 6, "e" + "\u0301" * 4 + "\\u0301\\u0301"),
]


@pytest.mark.parametrize(("text", "seen"), HOSTILE)
def test_what_controls_a_terminal_becomes_visible(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(st.text(st.characters(), max_size=40), st.integers(0, 30))
def test_every_text_fits_its_columns_and_controls_nothing(text: str, columns: int) -> None:
    seen = visible(text, columns)
    assert columns_of(seen) <= columns
    assert seen.isprintable()
    assert visible(seen) == seen
    assert not {unicodedata.category(character) for character in seen} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    if columns_of(visible(text)) <= columns:
        assert seen == visible(text)
    else:
        assert seen.endswith("..."[:columns])


@pytest.mark.parametrize(
    ("text", "columns", "seen"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        ("五十嵐", 6, "五十嵐"),
        ("五十嵐五", 6, "五..."),
        ("ab\x1b", 5, "ab..."),
    ],
)
def test_a_long_text_is_cut_between_characters_as_a_terminal_draws_them(text: str, columns: int, seen: str) -> None:
    assert visible(text, columns) == seen


def test_a_long_text_is_read_only_as_far_as_it_is_shown() -> None:
    class CountedText(str):
        read = 0

        def __iter__(self):  # type: ignore[no-untyped-def]
            for character in str.__iter__(self):
                CountedText.read += 1
                yield character

    visible(CountedText("é" * 100_000), 20)
    assert CountedText.read < 30


def test_padding_counts_wide_characters_twice() -> None:
    assert (padded("五十", 6), padded("五十", 6, right=True), padded("ab", 4)) == ("五十  ", "  五十", "ab  ")
    assert padded("abcdef", 4) == "abcdef"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", " =1", "\t=1", "\r=1", "\n@x", "\u3000=1", "＝1"])
def test_a_formula_in_a_cell_is_harmless(text: str) -> None:
    assert csv_text(text) == "'" + visible(text)


def test_another_text_in_a_cell_stays_as_it_is() -> None:
    assert [csv_text(text) for text in ("ann", "", "a=b", "x-y", "a\nb")] == ["ann", "", "a=b", "x-y", "a b"]


def test_error_messages_and_replies_show_every_character() -> None:
    assert shown("\x1b[2J") == "'\\x1b[2J'"
    assert shown(("\x1b", 1)) == "('\\x1b', 1)"
    assert brief("no\n such\tmove \x07\u202e") == "no such move \\x07\\u202e"
    assert format_reply(Reply(True, "1 ann\x1b[2J\n2 \u202ebob\udce9")) == "= 1 ann\\x1b[2J\n2 \\u202ebob\\xe9\n\n"
    assert stream_line("pv \x9b2J") == "pv \\x9b2J\n"


@given(st.text("ab é五 ", max_size=120), st.integers(20, 60))
def test_lines_break_between_words_and_lose_none(line: str, columns: int) -> None:
    parts = wrapped(line, columns)
    assert " ".join(parts).split() == line.split()
    longest = max(map(columns_of, line.split()), default=0)
    assert all(columns_of(part) <= columns or columns_of(part.strip()) <= longest for part in parts)
    if columns_of(line) <= columns:
        assert parts == [line]


def test_a_list_of_two_columns_keeps_them() -> None:
    line = "  undo [N]   take back your last move, or your last N"
    assert wrapped(line, 40) == ["  undo [N]   take back your last move,", "             or your last N"]
    assert wrapped(line, 80) == [line]
    assert wrapped("  a note of some words", 14) == ["  a note of", "  some words"]
    assert wrapped("x" * 50 + " y", 20) == ["x" * 50, "y"]
    assert wrapped("  right of the middle  a text", 25) == ["  right of the middle  a", "  text"]


def test_messages_of_every_dialect_show_every_character() -> None:
    assert str(nboard.Status("a\x1b[2J\nb\u202e")) == "status a\\x1b[2J b\\u202e"
    assert str(cassio.ErrorReply("a\x1b[2J\nb\u202e")) == "ERROR: a\\x1b[2J b\\u202e"


def test_a_table_that_is_too_wide_becomes_several() -> None:
    rows = [("name", "one", "two", "three"), ("五十", "1", "2", "3")]
    assert table_lines(rows) == ["name  one  two  three", "五十    1    2      3"]
    parts = ["name  one  two", "五十    1    2", "", "name  three", "五十      3"]
    assert table_lines(rows, columns=15) == parts
    assert table_lines(rows, columns=21) == table_lines(rows)
    assert len(table_lines(rows, columns=1)) == 3 * 2 + 2
