"""Search of one position without a game: shared by the command `search` and the ENGINE-PROTOCOL dialect."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from othello_bot.engine import MAXIMUM_SCORE, SELECTIVITIES, Limits
from othello_bot.rules import Position

if TYPE_CHECKING:
    from othello_bot.protocol.cassio import Search


def stateless_search(asked: Search) -> tuple[Position, Limits]:
    """Return the position and the limits of a search that a controller requests.

    The window is rounded outward to whole discs, and an empty one is widened by a disc; the precision is rounded up to
    one that the search supports; depth 0 becomes depth 1.
    """
    position = Position.from_board(asked.board)
    alpha, beta = math.floor(asked.alpha), math.ceil(asked.beta)
    if alpha >= beta:
        alpha = min(alpha, MAXIMUM_SCORE - 1)
        beta = alpha + 1
    empties = max(1, position.empties)
    depth = empties if asked.depth is None else max(1, min(asked.depth, empties))
    selectivity = next(percent for percent in SELECTIVITIES if asked.precision <= percent)
    return position, Limits(depth=depth, selectivity=selectivity, alpha=alpha, beta=beta)
