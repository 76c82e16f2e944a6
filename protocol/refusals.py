"""Refusals and how messages show them: the base of every error that outside input can cause."""

from __future__ import annotations

from typing import Final

SHOWN_CHARACTERS: Final = 60
"""Most characters of an offending text in an error message; a hostile line may have megabytes."""

BRIEF_CHARACTERS: Final = 200
"""Most characters of another program's message in ours."""


class InputError(ValueError):
    """Invalid input. It has changed nothing.

    `value` is the input (a text, a move, a number) and `expected` says in words what would be accepted.
    """

    def __init__(self, what: str, value: object, expected: str) -> None:
        super().__init__(f"{what} {shown(value)}: expected {expected}")
        self.value = value
        self.expected = expected


class ProtocolError(InputError):
    """Text that a parser of the protocols refuses; `value` is that text, or its beginning."""

    value: str

    def __init__(self, value: str, expected: str) -> None:
        ValueError.__init__(self, f"expected {expected}, got {shown(value)}")
        self.value = value
        self.expected = expected


def shown(value: object) -> str:
    """Return a value for an error message: text in quotes, shortened, on one line and printable."""
    if not isinstance(value, str):
        return str(value)
    short = value if len(value) <= SHOWN_CHARACTERS else value[: SHOWN_CHARACTERS - 3] + "..."
    return "'" + _printable(short) + "'"


def brief(text: str) -> str:
    """Return another program's message, as `shown` does, without the quotes and somewhat longer."""
    line = " ".join(text.split())
    short = line if len(line) <= BRIEF_CHARACTERS else line[: BRIEF_CHARACTERS - 3] + "..."
    return _printable(short)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
