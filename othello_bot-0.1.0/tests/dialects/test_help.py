"""Help: one screen for people, a separate list of commands for hosts, aliases of commands."""

from __future__ import annotations

import pytest

from othello_bot.dialects.command_table import COLUMNS, CommandGroup, assemble, find, help_for_hosts, help_for_people
from othello_bot.dialects.gtp import COMMANDS
from tests.session.harness import in_process, replies

LINES = 24


def test_the_help_of_people_fits_a_screen_with_the_prompt_below() -> None:
    lines = help_for_people(COMMANDS).split("\n")
    assert len(lines) + 2 <= LINES and max(map(len, lines)) <= COLUMNS


def test_every_command_stands_in_one_of_the_two() -> None:
    people, hosts = help_for_people(COMMANDS), help_for_hosts(COMMANDS)
    assert max(map(len, hosts.split("\n"))) <= COLUMNS
    for declaration in COMMANDS.values():
        words = {word.rstrip(",") for word in (people if declaration.for_people else hosts).split()}
        assert {declaration.name} <= words
        if declaration.for_people:
            assert set(declaration.aliases) <= words


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("exit", "quit"),
        ("q", "quit"),
        ("?", "help"),
        ("go", "genmove"),
        ("new", "newgame"),
        ("board", "showboard"),
        ("moves", "legal_moves"),
    ],
)
def test_other_words(word: str, name: str) -> None:
    found = find(COMMANDS, word)
    assert found is not None and found.name == name
    known, helped = replies(in_process(f"known_command {word}\nhelp {word}\n"))
    assert (
        known == "= true"
        and helped.startswith(f"= syntax: {name}")
        and f"\nalso: {word}" in helped.replace("exit, q", word)
    )


def test_a_word_for_two_commands_is_a_mistake() -> None:
    group = CommandGroup("Test")
    for name in ("one", "two"):
        group.command(name, "", "", "", aliases=("same",))(lambda call: "")
    with pytest.raises(AssertionError, match="same is declared twice"):
        assemble([group])


def test_help_of_one() -> None:
    people, hosts, one, unknown = replies(in_process("help\nhelp hosts\nhelp undo\nhelp nothing\n"))
    assert people == f"= {help_for_people(COMMANDS)}" and hosts == f"= {help_for_hosts(COMMANDS)}"
    assert one.startswith("= syntax: undo [n]\neffect: ") and unknown == "? unknown command: nothing"
    option, mistyped, near = replies(in_process("setoption hash 32\nhelp HASH\nhelp hahs\nhelp levl\n"))[1:]
    assert (
        option.startswith("= an option, set by setoption hash\nhash = 32 (")
        and "size of the transposition table" in option
    )
    assert (mistyped, near) == (
        "? unknown command: hahs, did you mean hash?",
        "? unknown command: levl, did you mean level?",
    )
