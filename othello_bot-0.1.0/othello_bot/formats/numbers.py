"""Games whose squares are numbers: they are recognised and refused, because several ways to count fit the same game.

A game from the usual start stays legal when rows and columns change places, so nothing tells which of them comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from othello_bot.base.errors import FormatError
from othello_bot.kernel import replay
from othello_bot.rules import Position

EXPECTED: Final = "squares with their names, such as f5d6c3"
_LONGEST: Final = 1 << 12
"""Characters of a row that are looked at."""

_LEAST: Final = 4
"""Fewest numbers that are called a game."""

_MOST: Final = 128
_NUMBER: Final = re.compile(r"(?<![\w.])[0-9]{1,2}(?![\w.])")
_PAIR: Final = re.compile(r"(?<![\w-])\(?([0-8]) ?[-,:] ?([0-8])\)?(?![\w-])")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")

_DIGITS: Final = frozenset(range(1, 9))
_WAYS: Final[tuple[tuple[str, Callable[[int], int]], ...]] = (
    (
        "numbers from 11 to 88",
        lambda number: number - 9 - number // 10 * 2 if set(divmod(number, 10)) <= _DIGITS else -1,
    ),
    ("numbers from 0 to 63", lambda number: number),
    ("numbers from 1 to 64", lambda number: number - 1),
    ("numbers from 0 to 77", lambda number: number - number // 10 * 2 if number % 10 < 8 else -1),
)


def refusal(text: str, place: int = 0, *, surely: bool = True) -> FormatError | None:
    """Return why a text at an offset is no game that can be read if its squares are numbers; None for another text.

    With `surely`, only a text of numbers that are a legal game in one of the ways to count.
    """
    text = text[:_LONGEST]
    if _WORD.search(text.partition(":")[2] or text) is not None:
        return None
    pairs = [10 * int(found[1]) + int(found[2]) for found in _PAIR.finditer(text)][:_MOST]
    numbers = [int(found[0]) for found in _NUMBER.finditer(text)][:_MOST]
    for found, form in ((pairs, "pairs of numbers"), (numbers, "")):
        if len(found) >= _LEAST and (2 * len(found) == len(numbers) or not form):
            way = next((name for name, square in _WAYS if _is_game(found, square)), "")
            if way or not surely:
                told = f"{form or way or 'numbers'}; numbers of squares may be counted in several ways"
                return FormatError("squares", _beginning(text), f"{EXPECTED}, not {told}", place)
    return None


def first_refusal(rows: Sequence[tuple[str, int]]) -> tuple[int, FormatError] | None:
    """Return the first of the rows, each with its offset, that has numbers of squares, several or one, and why it is
    refused; None if none has.
    """
    rows = rows[:_MOST]
    for index, (text, place) in enumerate([*rows, ("\n".join(text for text, _ in rows), rows[0][1] if rows else 0)]):
        error = refusal(text, place, surely=False)
        if error is not None:
            return index % len(rows), error
    return None


def _beginning(text: str) -> str:
    return " ".join(text.split())[:16]


def _is_game(numbers: Sequence[int], square: Callable[[int], int]) -> bool:
    """Return whether numbers are the squares of a legal game in a way to count them."""
    squares = [square(number) for number in numbers]
    return _all_on_board(squares) and _are_legal(squares)


def _all_on_board(squares: Iterable[int]) -> bool:
    return all(0 <= square < 64 for square in squares)


def _are_legal(squares: Sequence[int]) -> bool:
    start = Position.start()
    *_, illegal = replay(start.mover, start.opponent, bytes(squares))
    return illegal < 0
