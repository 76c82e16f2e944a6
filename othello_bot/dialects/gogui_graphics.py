"""Results of searches as drawing commands for GoGui's board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from othello_bot.base.notation import Color
from othello_bot.protocol import gogui
from othello_bot.protocol.analysis import win_rate
from othello_bot.rules import Position
from othello_bot.session import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from othello_bot.engine import Line, SearchResult

BEST_COLOR = "green"
"""Background colour of the best moves; one of GoGui's colour names."""

PV_MOVES = 9
"""Number of moves drawn of the principal variation: each covers a square with a disc and a number."""


def live_search(position: Position, result: SearchResult) -> str:
    """Return drawing commands for a running search of `position`: its values, or the pv if it has only one line."""
    return move_values(position, result) if len(result.lines) > 1 else expected_line(position, result)


def move_values(position: Position, result: SearchResult) -> str:
    """Return drawing commands for the values of moves in discs from the mover's view, with the best ones marked."""
    best = [line.move for line in result.lines if line.score == result.best.score]
    labels = gogui.labels((line.move, signed(line.score)) for line in result.lines)
    return f"COLOR {BEST_COLOR} {gogui.points(best)}\nLABEL {labels}\n{_summary(position, result.best)}"


def expected_line(position: Position, result: SearchResult) -> str:
    """Return drawing commands for the principal variation: numbered discs."""
    line = gogui.variation(result.pv[:PV_MOVES], position.color)
    return f"VAR {line}\n{_summary(position, result.best)}"


def outcome_board(position: Position, lines: Sequence[Line]) -> str:
    """Return a board of numbers: the expected result of each line on its first square, from 1 (Black wins) to -1."""
    values = [0.0] * 64
    for line in lines:
        mover_wins = 2 * win_rate(line.score, exact=line.exact) - 1
        values[line.move] = mover_wins if position.color is Color.BLACK else -mover_wins
    return gogui.number_board(values)


def _summary(position: Position, line: Line) -> str:
    mover = position.color.name.capitalize()
    return f"TEXT {mover} {gogui.points([line.move])} {signed(line.score)}, depth {line.reached()}"
