"""The base of every error that outside input causes in the rules and the formats, damage of the program itself, and the
exit code of a command that Ctrl-C ended.
"""

from __future__ import annotations

from typing import Final

from protocol.refusals import InputError, shown

__all__ = ["INTERRUPTED", "DamagedInstallation", "FormatError", "InputError"]

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as in shells."""


class DamagedInstallation(Exception):
    """A file that came with the program is missing or damaged; the message names it."""


class FormatError(InputError):
    """A text or file that violates its format.

    `place` is the offset in characters (or bytes) from its start; `where` is the place in words, such as "move 4".
    """

    def __init__(self, what: str, value: object, expected: str, place: int = 0, where: str = "") -> None:
        shown_place = where or (f"at offset {place}" if place else "")
        super().__init__(what, value, f"{expected} ({shown_place})" if shown_place else expected)
        self.what = what
        self.expected = expected
        self.place = place
        self.where = where

    @property
    def reason(self) -> str:
        """The message without the place, for those who tell it in another way."""
        return f"{self.what} {shown(self.value)}: expected {self.expected}"

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, object, str, int, str]]:
        """Return how to make the error again, in another process."""
        return type(self), (self.what, self.value, self.expected, self.place, self.where)
