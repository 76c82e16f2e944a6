"""Games as pages show them: the text of a web page row by row, drawings of boards, and score sheets.

A board in eight rows is a position, and squares with the numbers of the moves are a game. The latter are the score
sheets of tournaments. The squares of the start and those never played hold a sign or nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.base.boards import MOST_ROWS, SHORTEST_ROW, Grid, drawn_board, read_grid
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import move_name, square_name
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, IllegalMove, Position

ROW_END: Final = "\x1e"
"""What ends a row of a web page within a line of its source."""

_PAGE: Final = re.compile(
    r"<(?:!doctype|html|body|table|t[drh]|br|p|div|span|li|ol|ul|b|i|pre|font|applet|param)\b[^<>]*>", re.IGNORECASE
)
_HIDDEN: Final = {"<script": "</script", "<style": "</style", "<!--": "-->"}
_HIDDEN_BEGIN: Final = re.compile(r"<script\b|<style\b|<!--", re.IGNORECASE)
_BREAK: Final = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?table|/?h\d)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)
_PARAM: Final = re.compile(r"<param\b([^<>]*)>", re.IGNORECASE)
_VALUE: Final = re.compile(r"""\bvalue\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


def plain_text(text: str) -> str:
    """Return the text that a web page shows, with ROW_END between its rows; any other text as it is.

    The line breaks of the source are kept.
    """
    if _PAGE.search(text) is None:
        return text
    text = _PARAM.sub(_told, _without_hidden(text))
    text = _BREAK.sub(lambda tag: ROW_END + _line_breaks(tag[0]), text)
    return html.unescape(_TAG.sub(lambda tag: " " + _line_breaks(tag[0]), text))


def _told(tag: re.Match[str]) -> str:
    """Return the value of a parameter of an applet as a row."""
    found = _VALUE.search(tag[1])
    if found is None:
        return _line_breaks(tag[1])
    value = found[1] or found[2] or found[3] or ""
    return f"{_line_breaks(tag[1][: found.start()])}{ROW_END}{value}{ROW_END}{_line_breaks(tag[1][found.end() :])}"


def _line_breaks(text: str) -> str:
    return "\n" * text.count("\n")


def _without_hidden(text: str) -> str:
    """Return a page without its scripts, styles and comments; what is never closed ends with the page."""
    shown = []
    place = 0
    while (begin := _HIDDEN_BEGIN.search(text, place)) is not None:
        end = re.compile(re.escape(_HIDDEN[begin[0].lower()]), re.IGNORECASE).search(text, begin.end())
        stop = len(text) if end is None else end.end()
        shown += [text[place : begin.start()], _line_breaks(text[begin.start() : stop])]
        place = stop
    return "".join([*shown, text[place:]])


__all__ = ["MOST_ROWS", "SHORTEST_ROW", "Diagram", "read"]

_CENTRE: Final = (27, 28, 35, 36)


@dataclass(frozen=True, slots=True)
class Diagram:
    """A drawing at the beginning of some rows: the game, or why it is none, and the number of rows that it takes."""

    result: GameRecord | FormatError
    rows: int


def read(rows: Sequence[str], before: Sequence[str] = ()) -> Diagram | None:
    """Return the drawing that begins with the first of these rows; None if none does.

    The rows `before` it, and those after it, may say whose turn it is on a board.
    """
    grid = read_grid(rows)
    if grid is None:
        return None
    board = None if _is_sheet(grid) else drawn_board(rows, before)
    if board is None:
        return _sheet(grid)
    return Diagram(GameRecord(Game(Position.from_board(board[0]))), board[1])


def _is_sheet(grid: Grid) -> bool:
    """Return whether the numbers of a grid are those of moves: none on the start's squares, or none twice."""
    numbers = [cell for cell in grid.cells if cell.isdecimal() and int(cell)]
    centre = {grid.cells[square] for square in _CENTRE}
    return bool(numbers) and (centre.isdisjoint(numbers) or len(set(numbers)) == len(numbers))


def _sheet(grid: Grid) -> Diagram | None:
    """Return the game of a sheet, with the error if its numbers are no game; None for a sheet without a number."""
    cells = [int(cell) if cell.isdecimal() else 0 for cell in grid.cells]
    squares = {number: square for square, number in enumerate(cells) if number}
    if not squares:
        return None
    last = max(squares)
    if len(squares) != sum(map(bool, cells)) or len(squares) != last:
        missing = next((number for number in range(1, last + 1) if cells.count(number) != 1), last)
        value = f"move {missing} {cells.count(missing)} times"
        return Diagram(FormatError("score sheet", value, "each number from 1 once"), grid.rows)
    moves = [squares[number] for number in range(1, last + 1)]
    taken = Position.start().black | Position.start().white
    for move in moves:
        if taken >> move & 1:
            expected = "no number on the squares of the start"
            return Diagram(FormatError("score sheet", square_name(move), expected), grid.rows)
    game = Game()
    try:
        game.play_moves(moves)
    except IllegalMove as error:
        where = f"move {error.index + 1}"
        return Diagram(FormatError("illegal move", move_name(error.move), error.expected, where=where), grid.rows)
    return Diagram(GameRecord(game), grid.rows)
