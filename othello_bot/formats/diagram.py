"""Drawings in eight rows: a board is a position, and squares with the numbers of the moves are a game.

The latter are the score sheets of tournaments. The squares of the start and those never played hold a sign or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.base.boards import MOST_ROWS, SHORTEST_ROW, Grid, drawn_board, read_grid
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import move_name, square_name
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, IllegalMove, Position

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
