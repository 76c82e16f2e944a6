"""Words that all dialects share: colours, squares, transcripts, board strings and numbers.

A square is an int: a1 = 0, b1 = 1, h1 = 7, a2 = 8 ... h8 = 63; ``PASS`` is 64.  Rows are never flipped: Othello
programs print row 1 at the top and call the standard opening f5, and a name is just a name.  Nothing here knows which
moves are legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

PASS: Final = 64
"""The move number of a pass."""

SHOWN_CHARACTERS: Final = 60
"""At most so much of an offending text is repeated in an error message."""

BRIEF_CHARACTERS: Final = 200
"""At most so much of somebody else's message is repeated in ours."""


class ProtocolError(ValueError):
    """Text that a parser of this package refuses.

    Attributes:
        offending: the text (or its beginning) that was refused.
        expected: what would have been accepted, in words.
    """

    def __init__(self, offending: str, expected: str) -> None:
        super().__init__(f"expected {expected}, got {shown(offending)}")
        self.offending = offending
        self.expected = expected


class NotationError(ProtocolError):
    """A colour, square, move, transcript, board or number that cannot be read."""


class OutOfRange(NotationError):
    """A number that was read and lies outside the range that is accepted."""


def shown(text: str) -> str:
    """Return ``text`` in quotes, shortened, on one line and printable, for use in an error message."""
    short = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."
    return "'" + "".join(c if c.isprintable() else "?" for c in short) + "'"


def brief(text: str) -> str:
    """Return ``text`` as ``shown`` does, without the quotes and somewhat longer: what somebody else said, repeated."""
    line = " ".join(text.split())
    short = line if len(line) <= BRIEF_CHARACTERS else line[: BRIEF_CHARACTERS - 3] + "..."
    return "".join(c if c.isprintable() else "?" for c in short)


class Color(IntEnum):
    """A side.  The numbers agree with ``othello_bot.rules.position.Color``, so ``Color(value)`` converts either way."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        """The other side."""
        return Color(1 - self)

    @property
    def letter(self) -> str:
        """``b`` or ``w``, as GTP writes it."""
        return "bw"[self]

    @property
    def disc(self) -> str:
        """``X`` or ``O``, as board strings write it."""
        return "XO"[self]


_COLORS: Final = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_PASSES: Final = frozenset({"pass", "pa", "ps", "--", "@@", "@@@@"})


def parse_color(text: str) -> Color:
    """Return the side named by ``b``, ``w``, ``black`` or ``white`` in any case.  Raises NotationError."""
    color = _COLORS.get(text.lower())
    if color is None:
        raise NotationError(text, "a colour (black, white, b or w)")
    return color


def is_color(text: str) -> bool:
    """Return whether ``parse_color`` accepts ``text``."""
    return text.lower() in _COLORS


def parse_square(text: str) -> int:
    """Return 0..63 for ``a1`` .. ``h8`` in any case.  Raises NotationError."""
    if len(text) == 2:
        column, row = "abcdefgh".find(text[0].lower()), "12345678".find(text[1])
        if column >= 0 and row >= 0:
            return 8 * row + column
    raise NotationError(text, "a square (a1 to h8)")


def parse_move(text: str) -> int:
    """Return 0..63 for a square or ``PASS`` for ``pass``, ``pa``, ``ps`` or ``--``, in any case.

    Raises NotationError.
    """
    if text.lower() in _PASSES:
        return PASS
    try:
        return parse_square(text)
    except NotationError:
        raise NotationError(text, "a move (a1 to h8, or pass)") from None


def is_move(text: str) -> bool:
    """Return whether ``parse_move`` accepts ``text``."""
    try:
        parse_move(text)
    except NotationError:
        return False
    return True


def move_name(move: int) -> str:
    """Return ``f5`` or ``pass``.  Raises NotationError for anything but 0..64."""
    if move == PASS:
        return "pass"
    if not 0 <= move < 64:
        raise NotationError(str(move), "a move number (0 to 63, 64 for a pass)")
    return "abcdefgh"[move & 7] + "12345678"[move >> 3]


# One step through a transcript: a separator, a pass, a square, or a move number with its dots.  A single sign is a
# separator ("F5-D6-C3" of NBoard, "+d3-c3" of Logistello), two dashes are a pass (PlayOK).
_TRANSCRIPT_STEP: Final = re.compile(
    r"(?P<skip>[\s,;+]+|-(?!-))|(?P<pass>pass|pa|ps|--|@@)|(?P<square>[a-h][1-8])|(?P<number>\d{1,3}(?:[.:)]+|(?=\s|$)))",
    re.IGNORECASE | re.ASCII,
)


def parse_transcript(text: str) -> tuple[int, ...]:
    """Return the moves of a game's text: ``f5d6c3``, ``F5 d6 c3``, ``1. f5 d6 2. c3``, ``F5-D6-C3``.

    Passes may be written (``pa``, ``ps``, ``pass``, ``--``) or left out; whether one was left out is a question of the
    rules and not answered here.  Raises NotationError that carries the text from the first unreadable character on.
    """
    moves: list[int] = []
    at = 0
    while at < len(text):
        step = _TRANSCRIPT_STEP.match(text, at)
        if step is None:
            raise NotationError(text[at:], "moves (f5d6c3, passes as pa)")
        if step["square"]:
            moves.append(parse_square(step["square"]))
        elif step["pass"]:
            moves.append(PASS)
        at = step.end()
    return tuple(moves)


def format_transcript(moves: Iterable[int]) -> str:
    """Return ``f5d6pac3``: two characters a move, passes as ``pa``."""
    return "".join("pa" if move == PASS else move_name(move) for move in moves)


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
        """The 64 cells, a space, and ``X`` or ``O`` for the side to move."""
        return f"{self.cells} {self.to_move.disc}"


START: Final = Board("---------------------------OX------XO---------------------------", Color.BLACK)
"""The usual start: d4 and e5 white, e4 and d5 black, black to move."""

_CELLS: Final = {"x": "X", "*": "X", "b": "X", "o": "O", "w": "O", "-": "-", ".": "-"}
_SIDES: Final = {
    **dict.fromkeys(("x", "*", "b", "black"), Color.BLACK),
    **dict.fromkeys(("o", "w", "white"), Color.WHITE),
}


def parse_board(text: str) -> Board:
    """Return the board written as 64 cells and, optionally, a side to move; white space and a final ``;`` are skipped.

    Black is any of ``X x * B b``, white ``O o W w``, empty ``-`` or ``.``; without a side black is to move.
    Raises NotationError.
    """
    packed = "".join(text.split()).removesuffix(";").lower()
    cells = "".join(_CELLS.get(c, "?") for c in packed[:64])
    side = _SIDES.get(packed[64:] or "x")
    if len(cells) != 64 or "?" in cells or side is None:
        raise NotationError(text, "64 cells (X black, O white, - empty) and the side to move (X or O)")
    return Board(cells, side)


_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")


LARGEST_DECIMAL: Final = 1e17
"""Far more than any time or score; beyond it, a number would be written with more digits than are read."""


def parse_integer(text: str, low: int | None = None, high: int | None = None) -> int:
    """Return the decimal integer, ASCII digits only, within ``low`` .. ``high`` (both inclusive).

    Raises NotationError, OutOfRange for an integer outside that range.
    """
    if _INTEGER.fullmatch(text):
        value = int(text)
        if (low is None or value >= low) and (high is None or value <= high):
            return value
        raise OutOfRange(text, "an integer" + _range(low, high))
    raise NotationError(text, "an integer" + _range(low, high))


def parse_decimal(text: str, low: float | None = None, high: float | None = None) -> float:
    """Return the number, within ``low`` .. ``high`` (both inclusive) and ``LARGEST_DECIMAL``.

    Raises NotationError, OutOfRange for a number outside that range.
    """
    if _DECIMAL.fullmatch(text):
        value = float(text)
        if abs(value) <= LARGEST_DECIMAL and (low is None or value >= low) and (high is None or value <= high):
            return value
        raise OutOfRange(text, "a number" + _range(low, high))
    raise NotationError(text, "a number" + _range(low, high))


def parse_boolean(text: str) -> bool:
    """Return the truth of ``true|on|yes|1`` or ``false|off|no|0`` in any case.  Raises NotationError."""
    value = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
    if text.lower() not in value:
        raise NotationError(text, "true or false")
    return value[text.lower()]


def format_decimal(value: float, digits: int = 2) -> str:
    """Return a fixed-point number without exponent; a value that rounds to nothing has no minus sign."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not float(text) else text


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" from {_plain(low)} to {_plain(high)}"
    if low is not None:
        return f" of at least {_plain(low)}"
    return f" of at most {_plain(high)}" if high is not None else ""


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
