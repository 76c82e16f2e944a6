"""The one vocabulary: colours, squares, moves, transcripts and numbers as text; `boards` reads boards.

A square is an int: a1 = 0, b1 = 1, h1 = 7, a2 = 8 ... h8 = 63; ``PASS`` is 64. Rows are never flipped: Othello programs
print row 1 at the top and call the standard opening move f5. This module does not know which moves are legal.
"""

from __future__ import annotations

import argparse
import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeVar

from othello_bot.base.errors import InputError, ProtocolError, did_you_mean, shown

_T = TypeVar("_T")
_NumberT = TypeVar("_NumberT", int, float)

PASS: Final = 64
"""The move number of a pass."""

RESIGN: Final = 65
"""What a player answers instead of a move to resign."""


class NotationError(ProtocolError):
    """A colour, square, move, transcript, board or number that cannot be read."""


class OutOfRange(NotationError):
    """A number outside the accepted range."""


class Color(IntEnum):
    """A side. Black moves first in the usual start."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        """The other side."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def letter(self) -> str:
        """``b`` or ``w``, as GTP writes it."""
        return "bw"[self]

    @property
    def disc(self) -> str:
        """``X`` or ``O``, as board strings write it."""
        return "XO"[self]


_COLORS: Final = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}

PASS_WORDS: Final = frozenset({"pass", "pa", "ps", "--", "@@", "@@@@"})
"""Forms of a pass in programs, in lower case."""

_NAMES: Final = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
_SQUARES: Final = {name: square for square, name in enumerate(_NAMES)}

_LONGEST_MOVE: Final = 16
"""Most characters in the text of a square or move, including white space."""


def parse_color(text: str) -> Color:
    """Return the side named by ``b``, ``w``, ``black`` or ``white`` in any case. Raise NotationError."""
    color = _COLORS.get(text.lower())
    if color is None:
        raise NotationError(text, "a colour (black, white, b or w)")
    return color


def is_color(text: str) -> bool:
    """Return whether ``parse_color`` accepts ``text``."""
    return text.lower() in _COLORS


def parse_square(text: str) -> int:
    """Return 0..63 for ``a1`` .. ``h8`` in any case, ignoring surrounding white space. Raise NotationError."""
    square = _SQUARES.get(text.strip().lower()) if len(text) <= _LONGEST_MOVE else None
    if square is None:
        raise NotationError(text, "a square (a1 to h8)")
    return square


def square_name(square: int) -> str:
    """Return ``a1`` .. ``h8`` for 0..63. Raise NotationError for any other number."""
    if not 0 <= square < 64:
        raise NotationError(str(square), "a square's number (0 to 63)")
    return _NAMES[square]


def parse_move(text: str) -> int:
    """Return 0..63 for a square or ``PASS`` for one of ``PASS_WORDS``, in any case. Raise NotationError."""
    if not isinstance(text, str):
        raise NotationError(repr(text), "the name of a move (a1 to h8, or pass)")
    if len(text) <= _LONGEST_MOVE and text.strip().lower() in PASS_WORDS:
        return PASS
    try:
        return parse_square(text)
    except NotationError:
        raise NotationError(text, "a move (a1 to h8, or pass)") from None


def as_move(move: int | str) -> int:
    """Return a move given as a number, which is not checked, or as a name. Raise NotationError for other types."""
    if isinstance(move, int):
        return move
    if isinstance(move, str):
        return parse_move(move)
    if (number := integer_of(move)) is None:
        raise NotationError(repr(move), "a move (a name from a1 to h8 or pass, or a number from 0 to 64)")
    return number


def is_move(text: str) -> bool:
    """Return whether ``parse_move`` accepts ``text``."""
    try:
        parse_move(text)
    except NotationError:
        return False
    return True


def move_name(move: int) -> str:
    """Return ``f5`` or ``pass``. Raise NotationError for anything but 0..64."""
    if move == PASS:
        return "pass"
    number = integer_of(move, 0, 63)
    if number is None:
        raise NotationError(repr(move), "a move number (0 to 63, 64 for a pass)")
    return _NAMES[number]


LONGEST_GAME: Final = 128
"""Limit above the length of any game: 60 discs, and never two passes in a row."""


class TranscriptError(NotationError):
    """A transcript that cannot be read; `place` is the offset of the first unreadable character."""

    def __init__(self, text: str, expected: str, place: int) -> None:
        super().__init__(text[place:], expected)
        self.place = place
        self.begins_as_moves = any(letter.isdigit() for letter in text[:place])
        """Whether moves, or numbers of moves, stand before that character."""


# One step through a transcript. A single sign is a separator ("F5-D6-C3" of NBoard, "+d3-c3" of Logistello); two dashes
# are a pass (PlayOK). A move number with its dots may follow anything; without dots it must be a separate word.
_TRANSCRIPT_STEP: Final = re.compile(
    r"(?P<pass>pass|pa|ps|--|@@@@|@@)|(?P<square>[a-h][1-8])"
    r"|(?P<number>\d{1,3}\s?(?:[.:]+|\))|(?<![a-z0-9])\d{1,3}(?=[\s,;|/-]|$))"
    r"|(?P<separator>[\s,;|/+-])",
    re.IGNORECASE | re.ASCII,
)


def parse_transcript(text: str) -> tuple[int, ...]:
    """Return the moves in a game's text: ``f5d6c3``, ``F5 d6 c3``, ``1. f5 d6 2. c3``, ``F5-D6-C3``.

    Passes may be written (``pa``, ``ps``, ``pass``, ``--``) or omitted; only the rules can tell whether one was
    omitted. Raise TranscriptError, also for more than ``LONGEST_GAME`` moves.
    """
    moves: list[int] = []
    at = 0
    while at < len(text):
        step = _TRANSCRIPT_STEP.match(text, at)
        if step is None:
            raise TranscriptError(text, "moves (f5d6c3, passes as pa)", at)
        if step["square"] or step["pass"]:
            if len(moves) == LONGEST_GAME:
                raise TranscriptError(text, f"at most {LONGEST_GAME} moves", at)
            moves.append(parse_square(step["square"]) if step["square"] else PASS)
        at = step.end()
    return tuple(moves)


def format_transcript(moves: Iterable[int], *, passes: bool = True, separator: str = "") -> str:
    """Return ``f5d6pac3``: two characters a move, passes as ``pa``, or omitted if ``passes`` is false."""
    return separator.join("pa" if move == PASS else move_name(move) for move in moves if passes or move != PASS)


@dataclass(frozen=True, slots=True)
class Board:
    """A board as text: 64 cells from a1, b1 ... h8 (``X`` black, ``O`` white, ``-`` empty) and the side to move."""

    cells: str
    to_move: Color

    def __post_init__(self) -> None:
        """Raise NotationError unless there are 64 cells of ``X``, ``O`` and ``-``."""
        if len(self.cells) != 64 or self.cells.strip("XO-"):
            raise NotationError(self.cells, "64 cells of X, O and -")

    def __str__(self) -> str:
        """Return the 64 cells, a space, and ``X`` or ``O`` for the side to move."""
        return f"{self.cells} {self.to_move.disc}"


START: Final = Board("---------------------------OX------XO---------------------------", Color.BLACK)
"""The usual start: d4 and e5 white, e4 and d5 black, black to move."""


_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")


LARGEST_INTEGER: Final = 2**63 - 1
"""Largest absolute value of an integer: what the kernel and SQLite can hold."""

LARGEST_DECIMAL: Final = 1e17
"""Far more than any time or score."""


def parse_integer(text: str, low: int | None = None, high: int | None = None) -> int:
    """Return the decimal integer, ASCII digits only, within ``low`` .. ``high`` (both inclusive).

    Raise NotationError, OutOfRange for an integer outside that range.
    """
    if not _INTEGER.fullmatch(text):
        raise NotationError(text, "an integer" + _range(low, high))
    if len(text) > 18:
        low, high = _limits(LARGEST_INTEGER, low, high)
    # No integer within a range has more than 19 digits, and int() takes quadratic time for the others.
    if len(text) <= 20 and _within(value := int(text), low, high):
        return value
    raise OutOfRange(text, "an integer" + _range(low, high))


def parse_decimal(text: str, low: float | None = None, high: float | None = None) -> float:
    """Return the number, within ``low`` .. ``high`` (both inclusive) and ``LARGEST_DECIMAL``.

    Raise NotationError, OutOfRange for a number outside that range.
    """
    if not _DECIMAL.fullmatch(text):
        raise NotationError(text, "a number" + _range(low, high))
    value = float(text)
    if abs(value) > LARGEST_DECIMAL:
        low, high = _limits(LARGEST_DECIMAL, low, high)
    if _within(value, low, high):
        return value
    raise OutOfRange(text, "a number" + _range(low, high))


def integer_of(value: object, low: int = -LARGEST_INTEGER, high: int = LARGEST_INTEGER) -> int | None:
    """Return a value of Python, JSON or TOML as an int if it is an integer within ``low`` .. ``high``, else None.

    NumPy's integers are integers, True is none.
    """
    if isinstance(value, bool):
        return None
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # the error is caught
    except TypeError:
        return None
    return number if low <= number <= high else None


def number_of(value: object, low: float = -LARGEST_DECIMAL, high: float = LARGEST_DECIMAL) -> float | None:
    """Return a value of Python, JSON or TOML as a float if it is a number within ``low`` .. ``high``, else None.

    NumPy's numbers are numbers, True is none.
    """
    from numbers import Real  # imported here: a session starts without it

    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if low <= number <= high else None  # NaN is not


def seconds_of(*parts: str | None) -> float:
    """Return the seconds of a time in digits: days, hours, minutes and seconds, of which the first ones may be left out.

    None and an empty text count as 0.

    >>> seconds_of("1", None, "2.5")
    3602.5
    """
    total = 0.0
    for part, factor in zip(parts, (1, 24, 60, 60)[-len(parts) :], strict=True):
        total = total * factor + float(part or 0)
    return total


_NUMBER: Final = re.compile(r"(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")
_COLONS: Final = re.compile(rf"(?:[0-9]{{1,9}}:){{1,3}}{_NUMBER.pattern}")
_UNITS: Final = {
    "days": ("d", "day", "days"),
    "hours": ("h", "hr", "hrs", "hour", "hours"),
    "minutes": ("m", "min", "mins", "minute", "minutes", "'", "\u2032"),
    "seconds": ("s", "sec", "secs", "second", "seconds", '"', "\u2033"),
    "milliseconds": ("ms", "msec", "msecs", "millisecond", "milliseconds"),
}
_UNIT_WORDS: Final = tuple(word for words in _UNITS.values() for word in words)
_WITH_UNITS: Final = "".join(
    rf"(?:({_NUMBER.pattern})\s*(?:{'|'.join(words)})(?![a-z])\s*)?" for words in _UNITS.values()
)
"""Not compiled, as that takes a millisecond of each start."""
_WORD: Final = re.compile("[A-Za-z]+")
_UNIT_S: Final = {"minutes": 60.0, "seconds": 1.0, "milliseconds": 0.001}
_LONGEST_DURATION: Final = 100
LARGEST_DURATION_S: Final = 1e7
"""Some months: the longest time that anybody asks for."""


def parse_duration(
    text: str, unit: str | None = "seconds", low_s: float = 0.0, high_s: float = LARGEST_DURATION_S
) -> float:
    """Return the seconds of a time as people write it: 1:30, 90s, 1.5 min, 2h30m, 1:00:00.

    A bare number counts minutes, seconds or milliseconds, as ``unit`` says; None: it is refused. Raise NotationError,
    OutOfRange for a time outside ``low_s`` .. ``high_s`` (both inclusive), and for 1:75, which may stand for 1:15 or 2:15.
    """
    if unit is not None and _NUMBER.fullmatch(text):
        duration_s = float(text) * _UNIT_S[unit]
    elif _COLONS.fullmatch(text):
        parts = text.split(":")
        while len(parts) > 1 and not float(parts[0]):
            del parts[0]
        if any(float(part) >= full for part, full in zip(parts[:0:-1], (60, 60, 24), strict=False)):
            raise OutOfRange(text, "at most 59 behind a colon (hours: 23), such as 1:30 or 90s")
        duration_s = seconds_of(*parts)
    elif 0 < len(text) <= _LONGEST_DURATION and (found := re.fullmatch(_WITH_UNITS, text, re.IGNORECASE)) is not None:
        *units, milliseconds = found.groups()
        duration_s = seconds_of(*units) + float(milliseconds or 0) / 1000
    else:
        bare = "" if unit is None else f"5 ({unit}), "
        raise NotationError(text, f"a time like {bare}1:30, 90 s, 5 min or 2h30m{meant_unit(text)}")
    if _within(duration_s, low_s, high_s):
        return duration_s
    raise OutOfRange(text, f"a time{_range(low_s, high_s)} seconds")


def meant_unit(text: str, others: Iterable[str] = ()) -> str:
    """Return `, did you mean minutes?` for a mistyped unit, or another word, in a time; empty if there is none."""
    known = (*_UNIT_WORDS, *others)
    words = _WORD.findall(text[:_LONGEST_DURATION].lower())
    return next(filter(None, (did_you_mean(word, known) for word in words if word not in known)), "")


def parse_boolean(text: str) -> bool:
    """Return the value of ``true|on|yes|1`` or ``false|off|no|0`` in any case. Raise NotationError."""
    value = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
    if text.lower() not in value:
        raise NotationError(text, "true or false")
    return value[text.lower()]


def argument_type(parse: Callable[[str], _T]) -> Callable[[str], _T]:
    """Return a parser that raises InputError as a type for argparse, which shows its message."""

    def parsed(text: str) -> _T:
        try:
            return parse(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(f"{shown(text)}: expected {error.expected}") from None

    return parsed


def integer(low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """Return the type of an integer from ``low`` to ``high``, both included."""
    return argument_type(lambda text: parse_integer(text, low, high))


def decimal(low: float | None = None, high: float | None = None) -> Callable[[str], float]:
    """Return the type of a number from ``low`` to ``high``, both included."""
    return argument_type(lambda text: parse_decimal(text, low, high))


def duration(
    unit: str | None = "seconds", low_s: float = 0.0, high_s: float = LARGEST_DURATION_S
) -> Callable[[str], float]:
    """Return the type of a time in seconds; see `parse_duration`."""
    return argument_type(lambda text: parse_duration(text, unit, low_s, high_s))


def format_decimal(value: float, digits: int = 2) -> str:
    """Return a fixed-point number without exponent; a value that rounds to zero has no minus sign."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not float(text) else text


def _limits(largest: _NumberT, low: _NumberT | None, high: _NumberT | None) -> tuple[_NumberT, _NumberT]:
    """Return both limits of a number; by default, those of every number."""
    return -largest if low is None else low, largest if high is None else high


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" from {_plain(low)} to {_plain(high)}"
    if low is not None:
        return f" of at least {_plain(low)}"
    return f" of at most {_plain(high)}" if high is not None else ""


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
