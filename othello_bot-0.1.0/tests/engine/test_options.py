"""Options: declared once, validated, listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.engine.options import (
    OPTIONS,
    Option,
    OptionError,
    OptionKind,
    Options,
    find_option,
    listing,
    markdown_table,
)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("hash", "128", 128),
        ("HASH", " 1 ", 1),
        ("threads", "+2", 2),
        ("n-tasks", "3", 3),
        ("book-usage", "off", False),
        ("ponder", "ON", True),
        ("ponder", "false", False),
        ("book", "0", False),
        ("move-overhead", "0", 0),
        ("move overhead", "100", 100),
        ("log_file", "/tmp/a log.txt", "/tmp/a log.txt"),
        ("selectivity", "73", 73),
        ("evaluation", "HandMade", "handmade"),
        ("contempt", "-100", -100),
        ("name", "Rose", "Rose"),
        ("strategy", "engine", "engine"),
        ("seed", "7", 7),
        ("seed", "9223372036854775807", 2**63 - 1),
        ("level", "0", 0),
        ("level", "21", 21),
    ],
)
def test_accepted(name: str, text: str, value: object) -> None:
    assert Options().with_value(name, text).value(name) == value


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("hash", "0", "1 to 1048576 MiB"),
        ("hash", "lots", "1 to 1048576 MiB"),
        ("hash", "", "1 to 1048576 MiB"),
        ("hash", "٣", "1 to 1048576 MiB"),
        ("hash", "9" * 5000, "1 to 1048576 MiB"),
        ("threads", "-1", "1 to 256"),
        ("level", "61", "0 to 60"),
        ("level", "1.5", "0 to 60"),
        ("ponder", "maybe", "on or off"),
        ("selectivity", "50", "one of level, 73"),
        ("selectivity", "0", "one of level, 73"),
        ("depth", "-1", "1 to 60 plies, or auto"),
        ("nodes", "many", "nodes, or auto"),
        ("evaluation", "magic", "one of learned, handmade"),
        ("strategy", "nobody", "one of engine"),
        ("name", "two words", "one word"),
        ("name", "", "one word"),
        ("seed", "-1", "0 to 9223372036854775807, or random"),
        ("seed", "chance", "0 to 9223372036854775807, or random"),
    ],
)
def test_refused_with_what_would_be_accepted(name: str, text: str, expected: str) -> None:
    options = Options()
    with pytest.raises(OptionError) as caught:
        options.with_value(name, text)
    assert expected in str(caught.value)
    assert options == Options()


@pytest.mark.parametrize(
    ("text", "value"),
    [("500", 500), ("1.5s", 1500), ("0:02", 2000), ("1 min", 60_000), ("0.1ms", 1), ("0s", None), ("auto", None)],
)
def test_times_in_milliseconds_are_read_with_units_too(text: str, value: int | None) -> None:
    assert find_option("move_time").read(text) == value


@pytest.mark.parametrize("text", ["1.5", "-1s", "2 days", "1e3"])
def test_other_times_in_milliseconds_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="expected 1 to 86400000 ms, or auto"):
        find_option("move_time").read(text)


@pytest.mark.parametrize(
    ("name", "word", "spellings"),
    [
        ("level", "auto", ("AUTO",)),
        ("depth", "auto", ("0", "+0", "00")),
        ("move_time", "auto", ("0",)),
        ("nodes", "auto", ("0",)),
        ("selectivity", "level", ("Level", "auto")),
        ("seed", "random", ("Random", "auto")),
        ("book_file", "none", ("None", " none ")),
        ("log_file", "none", ("NONE",)),
        ("evaluation_file", "none", ("None",)),
    ],
)
def test_an_option_that_is_not_set_is_none_and_has_one_word_in_listings(
    name: str, word: str, spellings: tuple[str, ...]
) -> None:
    unset = Options()
    assert unset.value(name) is None and unset.text(name) == word
    assert name.endswith("_file") or find_option(name).named_values[0] == word
    value = "1" if find_option(name).kind is OptionKind.INTEGER else "98" if name == "selectivity" else "a file"
    changed = unset.with_value(name, value)
    assert changed.value(name) is not None
    assert {changed.with_value(name, text) for text in (word, *spellings)} == {unset}
    assert any(line.startswith(f"{name} = {word} (") and f"default {word}," in line for line in listing(unset))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
@pytest.mark.parametrize("nothing", ["", " "])
def test_nothing_is_no_value(option: Option, nothing: str) -> None:
    with pytest.raises(OptionError):
        Options().with_value(option.name, nothing)


def test_options_check_themselves_when_they_are_made() -> None:
    for name, value in (
        ("hash", 0),
        ("hash", None),
        ("threads", -1),
        ("threads", True),
        ("threads", 2.0),
        ("level", 99),
        ("depth", 0),
        ("strategy", "x"),
        ("book", 2),
        ("seed", -1),
        ("selectivity", 50),
        ("strength", "beginer"),
    ):
        with pytest.raises(OptionError, match=f"option {name}"):
            Options(**{name: value})  # type: ignore[arg-type]


def test_a_text_is_a_value_as_a_session_takes_it() -> None:
    given = {"strength": "beginner", "book": "off", "hash": "32", "level": "auto", "depth": "7", "selectivity": "98"}
    options = Options(**given)  # type: ignore[arg-type]
    assert options == Options(strength=1, book=False, hash=32, depth=7, selectivity=98)
    assert options.strength == 1 and options.book is False
    assert Options(book_file=Path("my.book")).book_file == "my.book"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "without_a_clock", "under_a_clock"),
    [
        (Options(), "level 21", "by the clock"),
        (Options(level=21), "level 21", "level 21"),
        (Options(level=0), "level 0", "level 0"),
        (Options(depth=5), "depth 5", "depth 5"),
        (Options(level=21, depth=5, nodes=9), "level 21, depth 5, 9 nodes", "level 21, depth 5, 9 nodes"),
        (Options(move_time=500), "0.5 s a move", "0.5 s a move"),
        (Options(strength=1, level=3), "strength beginner", "strength beginner"),
    ],
)
def test_a_level_is_named_where_it_applies_and_only_there(
    options: Options, without_a_clock: str, under_a_clock: str
) -> None:
    assert options.limits_text(clocked=False) == without_a_clock
    assert options.limits_text(clocked=True) == under_a_clock


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(OptionError, match="hash, threads, level"):
        Options().with_value("hsah", "1")


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_default_is_accepted_back_and_listed(option) -> None:  # type: ignore[no-untyped-def]
    text = option.format(option.default)
    assert option.read(text) == option.default
    line = next(line for line in listing(Options()) if line.startswith(f"{option.name} = "))
    assert option.kind.value in line and option.expected in line and option.help in line
    assert f"| `{option.name}` | {option.kind.value} |" in markdown_table()
    assert find_option(option.name.upper()) is option
