"""Diagrams: a game as a board whose squares hold the numbers of the moves, as on the score sheets of tournaments.

Rows are separated by spaces, tabs or bars, with the rank before and after them or not; the squares of the start and
those never played hold a sign or nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, IllegalMove, Position
from protocol.notation import move_name, square_name

MOST_ROWS: Final = 20
"""Most rows that a diagram takes, drawn lines included."""

_LINE: Final = re.compile(r"[\s+|=_─│┼├┤┬┴┌┐└┘-]*[+=_─┼-]{2,}[\s+|=_─│┼├┤┬┴┌┐└┘-]*")
_NUMBER: Final = re.compile(r"\d{1,2}")
_SIGN: Final = re.compile(r"[^\w\s]{1,2}|[xo.]", re.IGNORECASE)
_BAR: Final = re.compile("[|│]")


@dataclass(frozen=True, slots=True)
class Diagram:
    """A diagram at the beginning of some rows: the game, or why it is none, and the number of rows that it takes."""

    result: GameRecord | FormatError
    rows: int


def read(rows: Sequence[str]) -> Diagram | None:
    """Return the diagram that begins with the first of these rows; None if none does."""
    found: list[list[int]] = []
    for count, row in enumerate(rows, 1):
        if found and _LINE.fullmatch(row):
            continue
        cells = _cells(row, len(found) + 1)
        if cells is None:
            return None
        found.append(cells)
        if len(found) == 8:
            return _diagram([cell for rank in found for cell in rank], count)
    return None


def is_line(row: str) -> bool:
    """Return whether a row draws a line of a table, and is no pass."""
    return _LINE.fullmatch(row) is not None and row.strip() != "--"


def _cells(row: str, rank: int) -> list[int] | None:
    """Return the eight numbers of a row, 0 where there is none; None if the row is no part of a diagram."""
    if not any(char.isdigit() for char in row) and not _SIGN.search(row):
        return None
    if not row.isascii():
        row = unicodedata.normalize("NFKC", row)
    if len(_BAR.findall(row)) >= 7:
        words = [cell.strip() for cell in _BAR.split(row.strip().removeprefix("|").removesuffix("|"))]
    elif row.count("\t") >= 7:
        words = [cell.strip() for cell in row.split("\t")]
    else:
        words = row.split()
    label = str(rank)
    if len(words) in (9, 10) and words[0] == label:
        words = words[1:]
    if len(words) == 9 and words[8] in (label, ""):
        words = words[:8]
    if len(words) != 8 or not all(_NUMBER.fullmatch(word) or not word or _SIGN.fullmatch(word) for word in words):
        return None
    return [int(word) if _NUMBER.fullmatch(word) else 0 for word in words]


def _diagram(cells: list[int], rows: int) -> Diagram | None:
    """Return the diagram of 64 numbers; None for a board that has none."""
    squares = {number: square for square, number in enumerate(cells) if number}
    if not squares:
        return None
    last = max(squares)
    if len(squares) != sum(map(bool, cells)) or len(squares) != last:
        missing = next((number for number in range(1, last + 1) if cells.count(number) != 1), last)
        times = cells.count(missing)
        return Diagram(FormatError("diagram", f"move {missing} {times} times", "each number from 1 once"), rows)
    moves = [squares[number] for number in range(1, last + 1)]
    taken = Position.start().black | Position.start().white
    for move in moves:
        if taken >> move & 1:
            return Diagram(FormatError("diagram", square_name(move), "no number on the squares of the start"), rows)
    game = Game()
    try:
        game.play_moves(moves)
    except IllegalMove as error:
        return Diagram(FormatError("illegal move", move_name(error.move), error.expected), rows)
    return Diagram(GameRecord(game), rows)
