"""One position searched without a game: what the command `search` and the ENGINE-PROTOCOL dialect have in common."""

from __future__ import annotations

import math

from othello_bot.engine import MAXIMUM_SCORE, SELECTIVITIES, Limits
from othello_bot.rules import Color, Position
from protocol.cassio import Search
from protocol.notation import Board


def rules_position(board: Board) -> Position:
    """The position of a board as the protocol package knows boards."""
    black = sum(1 << square for square, cell in enumerate(board.cells) if cell == "X")
    white = sum(1 << square for square, cell in enumerate(board.cells) if cell == "O")
    return Position.from_colors(black, white, Color(board.to_move))


def stateless_search(asked: Search) -> tuple[Position, Limits]:
    """The position and the limits of a search that a controller asks for.

    The window is rounded outward to whole discs, and an empty one widened by a disc; the precision is rounded up to
    one that the search knows; depth 0 is searched to depth 1.
    """
    position = rules_position(asked.board)
    alpha, beta = math.floor(asked.alpha), math.ceil(asked.beta)
    if alpha >= beta:
        alpha = min(alpha, MAXIMUM_SCORE - 1)
        beta = alpha + 1
    empties = max(1, position.empties)
    depth = empties if asked.depth is None else max(1, min(asked.depth, empties))
    selectivity = next(percent for percent in SELECTIVITIES if asked.precision <= percent)
    return position, Limits(depth=depth, selectivity=selectivity, alpha=alpha, beta=beta)
