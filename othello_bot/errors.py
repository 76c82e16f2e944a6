"""The base of every error that an input from outside can cause in the rules and the formats."""

from __future__ import annotations

_SHOWN_LENGTH = 60
"""Longest part of an offending text that an error message repeats; a hostile line may have megabytes."""


def shorten(value: object) -> str:
    """Return `value` as a message shows it: quoted when it is text, never longer than a line."""
    if not isinstance(value, str):
        return str(value)
    kept = value[:_SHOWN_LENGTH]
    # What cannot be printed is shown with up to ten characters each.
    while len(repr(kept)) > _SHOWN_LENGTH + 2:
        kept = kept[:-1]
    return repr(kept) if kept == value else f"{kept!r}... ({len(value)} characters)"


class InputError(ValueError):
    """An input that cannot be taken. Nothing has changed because of it.

    `value` is what was offered (a text, a move, a number) and `expected` says in words what would be accepted.
    """

    def __init__(self, what: str, value: object, expected: str) -> None:
        super().__init__(f"{what} {shorten(value)}: expected {expected}")
        self.value = value
        self.expected = expected


class FormatError(InputError):
    """A text or file that is not what its format demands; `place` is where, in characters (or bytes) from its start."""

    def __init__(self, what: str, value: object, expected: str, place: int = 0) -> None:
        super().__init__(what, value, f"{expected} (at offset {place})")
        self.expected = expected
        self.place = place
