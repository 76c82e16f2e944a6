"""What is refused, and how a message shows it: the base of every error that an input from outside can cause."""

from __future__ import annotations

from typing import Final

SHOWN_CHARACTERS: Final = 60
"""At most so much of an offending text is repeated in an error message; a hostile line may have megabytes."""

BRIEF_CHARACTERS: Final = 200
"""At most so much of somebody else's message is repeated in ours."""


class InputError(ValueError):
    """An input that cannot be taken. Nothing has changed because of it.

    `value` is what was offered (a text, a move, a number) and `expected` says in words what would be accepted.
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
    """Return what somebody else said, as `shown` does, without the quotes and somewhat longer."""
    line = " ".join(text.split())
    short = line if len(line) <= BRIEF_CHARACTERS else line[: BRIEF_CHARACTERS - 3] + "..."
    return _printable(short)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
