"""Errors that outside input causes, how messages show values, and damage of the program itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from othello_bot.base.visible import visible

_GivenT = TypeVar("_GivenT")
_ReadT = TypeVar("_ReadT")

SHOWN_COLUMNS: Final = 60
"""Most columns of an offending text in an error message; a hostile line may have megabytes."""

BRIEF_COLUMNS: Final = 200
"""Most columns of another program's message in ours."""


class UserError(ValueError):
    """Something that a user gave cannot be used; the message says why."""


class WorkError(RuntimeError):
    """Work that cannot go on, through no fault of the program; the message says why, and may have a trace behind it."""


class InputError(UserError):
    """Invalid input. It has changed nothing.

    `what` names the input, `value` is the input (a text, a move, a number), and `expected` says in words what would be
    accepted.
    """

    what = "input"

    def __init__(self, what: str, value: object, expected: str) -> None:
        super().__init__(f"{what} {shown(value)}: expected {expected}")
        self.what = what
        self.value = value
        self.expected = expected

    @property
    def reason(self) -> str:
        """The message without a place in a file, for callers that show the place in another way."""
        return str(self)


class ProtocolError(InputError):
    """Text that a parser of the protocols refuses; `value` is that text, or its beginning."""

    value: str

    def __init__(self, value: str, expected: str) -> None:
        ValueError.__init__(self, f"expected {expected}, got {shown(value)}")
        self.value = value
        self.expected = expected


def parsed(
    parse: Callable[[_GivenT], _ReadT], given: _GivenT, error: Callable[..., InputError], *what: str, **details: Any
) -> _ReadT:
    """Return what a parser makes of a text or value; raise its InputError as this kind of error."""
    try:
        return parse(given)
    except InputError as refusal:
        raise error(*what, refusal.value, refusal.expected, **details) from None


def shown(value: object) -> str:
    """Return a value as error messages show it: a text in quotes, others as Python writes them; visible, shortened."""
    return f"'{visible(value, SHOWN_COLUMNS)}'" if isinstance(value, str) else visible(str(value), BRIEF_COLUMNS)


def brief(text: str) -> str:
    """Return another program's message, visible, shortened and without runs of spaces."""
    return visible(" ".join(text.split()), BRIEF_COLUMNS)


def counted(number: int, thing: str, things: str = "", *, signed: bool = False) -> str:
    """Return a number with the word for what it counts: "1 move", "2 moves"; `things` is an irregular plural.

    With `signed`, a number other than 0 has its sign: "+1 disc", "-2 discs", "0 discs".
    """
    shown_number = f"{number:+d}" if signed and number else str(number)
    return f"{shown_number} {thing if abs(number) == 1 else things or f'{thing}s'}"


_LONGEST_MISTYPED: Final = 40
"""Most characters of a word that may be a mistyped one: comparing longer ones takes long."""

_SIMILAR: Final = 0.75
"""How similar a mistyped word must be, from 0 to 1: `hnit` is as similar to `hint`, and `opening` less so to `ping`."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean hint?` for a word that is similar to a `known` one in any case; else an empty text."""
    if len(word) > _LONGEST_MISTYPED:
        return ""
    import difflib  # imported here: a session starts without it

    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=_SIMILAR)
    return f", did you mean {names[close[0]]}?" if close else ""


INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as in shells."""


class DamagedInstallation(Exception):
    """A file that came with the program is missing or damaged; the message names it."""


class FormatError(InputError):
    """A text or file that violates its format.

    `place` is the offset in characters (or bytes) from its start; `where` is the place in words, such as "move 4".
    """

    def __init__(self, what: str, value: object, expected: str, place: int = 0, where: str = "") -> None:
        # The message is made when it is asked for: a file may hold an error in every few bytes.
        self.what = what
        self.value = value
        self.expected = expected
        self.place = place
        self.where = where

    def __str__(self) -> str:
        """Return the message, with the place in words or else the offset."""
        place = self.where or (f"at offset {self.place}" if self.place else "")
        return f"{self.reason} ({place})" if place else self.reason

    @property
    def reason(self) -> str:
        """The message without the place."""
        return f"{self.what} {shown(self.value)}: expected {self.expected}"

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, object, str, int, str]]:
        """Return how to make the error again, in another process."""
        return type(self), (self.what, self.value, self.expected, self.place, self.where)
