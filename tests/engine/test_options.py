"""Options: declared once, validated, listed."""

from __future__ import annotations

import pytest

from othello_bot.engine.options import OPTIONS, RANDOM_SEED, OptionError, Options, find_option, listing, markdown_table

ISSUE_NAMES = [
    "hash",
    "threads",
    "level",
    "depth",
    "move_time",
    "nodes",
    "ponder",
    "book",
    "move_overhead",
    "seed",
    "log_file",
]


def test_the_promised_options_are_there() -> None:
    assert set(ISSUE_NAMES) <= {option.name for option in OPTIONS}


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
        ("log_file", "", ""),
        ("selectivity", "73", "73"),
        ("evaluation", "HandMade", "handmade"),
        ("contempt", "-100", -100),
        ("name", "Rose", "Rose"),
        ("strategy", "engine", "engine"),
        ("seed", "7", 7),
        ("seed", "Random", RANDOM_SEED),
    ],
)
def test_accepted(name: str, text: str, value: object) -> None:
    assert Options().with_text(name, text).value(name) == value


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
        options.with_text(name, text)
    assert expected in str(caught.value)
    assert options == Options()


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(OptionError, match="hash, threads, level"):
        Options().with_text("hsah", "1")


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_default_is_accepted_back_and_listed(option) -> None:  # type: ignore[no-untyped-def]
    text = option.format(option.default)
    assert option.parse(text) == option.default
    line = next(line for line in listing(Options()) if line.startswith(f"{option.name} = "))
    assert option.kind in line and option.expected in line and option.help in line
    assert f"| `{option.name}` | {option.kind} |" in markdown_table()
    assert find_option(option.name.upper()) is option
