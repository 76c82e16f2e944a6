"""The answers of `help`: one screen for people, a separate list of commands for hosts, or everything about one command.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Final

from othello_bot.dialects.command_table import Declaration

COLUMNS: Final = 80
"""Columns of the smallest supported terminal."""

_TYPED_COLUMNS: Final = 24
_HOST_COLUMNS: Final = 32
_SUBJECTS: Final = ("Game", "Board", "Search", "Files", "Time", "Session")
"""The order of the commands for people."""

HOSTS: Final = "hosts"
"""The argument of `help` that lists the commands for programs."""


def for_people(table: Mapping[str, Declaration]) -> str:
    """Return the commands for people, one a line, under 80 columns and within 24 lines including the prompt."""
    lines = ["a move such as f5, or several such as f5d6c3, is played; Ctrl-C ends a search"]
    subject = ""
    found = [declaration for declaration in table.values() if declaration.for_people is not None]
    for declaration in sorted(found, key=lambda declaration: _SUBJECTS.index(declaration.subject)):
        assert declaration.for_people is not None
        typed, meaning = declaration.for_people
        heading = "" if declaration.subject == subject else declaration.subject
        subject = declaration.subject
        lines.append(f"{heading:9}{typed:{_TYPED_COLUMNS}} {meaning}")
    lines.append(f"help COMMAND tells the rest of one, help {HOSTS} lists those that programs use")
    return "\n".join(lines)


def for_hosts(table: Mapping[str, Declaration]) -> str:
    """Return the commands for hosts, one a line, grouped by subject."""
    lines = []
    subject = ""
    for declaration in table.values():
        if declaration.for_people is not None:
            continue
        if declaration.subject != subject:
            subject = declaration.subject
            lines.append(f"{subject}:")
        effect = textwrap.shorten(declaration.effect.replace("`", ""), COLUMNS - _HOST_COLUMNS - 4, placeholder=" ...")
        lines.append(f"  {declaration.name:{_HOST_COLUMNS}} {effect}")
    return "\n".join(lines)


def of_one(declaration: Declaration) -> str:
    """Return syntax, effect and example of a command."""
    example = "\n".join(f"  {line}" for line in declaration.example.split("\n"))
    others = f"\nalso: {', '.join(declaration.aliases)}" if declaration.aliases else ""
    return f"syntax: {declaration.usage}{others}\neffect: {declaration.effect}\nexample:\n{example}"
