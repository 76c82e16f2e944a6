"""NBoard 2: values in the messages of both directions, moves with their times and depths, and their text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from othello_bot.base import notation
from othello_bot.base.errors import ProtocolError
from othello_bot.base.notation import LARGEST_DECIMAL, PASS, NotationError, format_decimal


class NBoardError(ProtocolError):
    """A known message with damaged arguments."""


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A move with its evaluation (discs, mover's view) and its time, if they are known."""

    move: int
    evaluation: float | None = None
    time_s: float | None = None

    def __str__(self) -> str:
        """Return ``F5/1.25/3.2``, ``F5//2.4``, ``F5/1.25`` or ``PA``."""
        evaluation = "" if self.evaluation is None else format_decimal(self.evaluation)
        parts = [move_text(self.move), evaluation, "" if self.time_s is None else format_decimal(self.time_s)]
        return "/".join(parts).rstrip("/")


def parse_timed_move(text: str) -> TimedMove:
    """Return the move of ``F5/1.25/3.2``; also accept spaces for slashes (Edax) and letters after the move (``PASS``).

    Only the move must be readable: an evaluation or a time that is not a number counts as unknown, and whatever follows
    them is dropped. Raise NBoardError.
    """
    word, *details = text.split("/") if "/" in text else [*text.split(), ""]
    word = word.strip()
    if not re.fullmatch(r"[A-Za-z0-9]{2,8}|--|@@(@@)?", word):
        raise NBoardError(text, "a move like F5/1.25/3.2")
    evaluation, time_s = map(read_detail, [*details, "", ""][:2])
    return TimedMove(read_move(word[:2]), evaluation, time_s)


@dataclass(frozen=True, slots=True)
class Depth:
    """The depth of a search: plies, or percent of a solve.

    NBoard takes every ``%`` for a probable solve, so a selective midgame search reports only its plies.

    Attributes:
        number: plies, or percent with ``solve``.
        solve: the number is the confidence of an endgame solve, 100 means proven.
        wld: only win, draw or loss was solved.
    """

    number: int
    solve: bool = False
    wld: bool = False

    @property
    def exact(self) -> bool:
        """Whether the score is proven to the disc."""
        return self.solve and self.number == 100 and not self.wld

    def __str__(self) -> str:
        """Return ``14``, ``98%``, ``100%`` or ``100%W``."""
        return f"{self.number}{'%' if self.solve else ''}{'W' if self.solve and self.wld else ''}"


def parse_depth(text: str) -> Depth:
    """Return the depth; any text may follow the number, and one that contains ``%`` marks a solve.

    ``14@73%`` is read as the 14 plies that its author meant. Raise NBoardError.
    """
    match = re.match(r"([0-9]{1,9})(.*)", text, re.ASCII | re.DOTALL)
    if match is None:
        raise NBoardError(text, "a depth that begins with an integer")
    solve = match[2].startswith("%")
    return Depth(int(match[1]), solve, solve and match[2].upper().startswith("%W"))


def split_verb(text: str) -> tuple[str, str]:
    """Return the first word and the rest."""
    words = text.split(maxsplit=1)
    return (words[0] if words else "", words[1].strip() if len(words) > 1 else "")


def first_words(text: str, count: int, usage: str) -> list[str]:
    """Return the first `count` words. Raise NBoardError, with the usage, if there are fewer."""
    words = text.split()
    if len(words) < count:
        raise NBoardError(text, usage)
    return words[:count]


def move_text(move: int) -> str:
    """Return ``F5`` or ``PA``."""
    return "PA" if move == PASS else notation.move_name(move).upper()


def read_move(text: str) -> int:
    """Return the move. Raise NBoardError."""
    try:
        return notation.parse_move(text)
    except NotationError as error:
        raise NBoardError(error.value, error.expected) from None


def read_integer(text: str) -> int:
    """Return the integer. Raise NBoardError."""
    try:
        return notation.parse_integer(text)
    except NotationError as error:
        raise NBoardError(error.value, error.expected) from None


# A Java program writes numbers in the language of the desktop: decimal commas, the digits, signs and direction marks of
# other scripts. It also writes all digits of a double.
_PLAIN: Final = str.maketrans({",": ".", "\u066b": ".", "\u2212": "-", **dict.fromkeys("\u061c\u200e\u200f")})
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?")


def read_number(text: str) -> float:
    """Return the number, which may have any digits and a decimal point or comma. Raise NBoardError."""
    plain = text.translate(_PLAIN)
    if not _NUMBER.fullmatch(plain) or abs(number := float(plain)) > LARGEST_DECIMAL:
        raise NBoardError(text, "a number")
    return number


def read_detail(text: str) -> float | None:
    """Return the number, None for text that is not one: a note that cannot be read never costs a game."""
    try:
        return read_number(text.strip())
    except NBoardError:
        return None


def read_evaluation(text: str) -> float:
    """Return the evaluation in discs, or NaN if an engine has none. Raise NBoardError."""
    return math.nan if text.lower() == "nan" else read_number(text)


def evaluation_text(evaluation: float) -> str:
    """Return the discs with two decimals, or ``NaN``."""
    return "NaN" if math.isnan(evaluation) else format_decimal(evaluation)
