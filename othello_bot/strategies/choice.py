"""The door between the engine's positions and the strategies: one function that lets a strategy choose a move."""

from __future__ import annotations

from othello_bot.position import PASS, Position
from othello_bot.strategies.board import engine_square, from_position, legal_moves
from othello_bot.strategies.referee import Strategy, get_move


def choose(strategy: Strategy, position: Position) -> int:
    """Return the strategy's move at a position as the engine writes it: a square 0..63, or PASS where there is none.

    Raise IllegalStrategyMove, which names the player and the square, where the strategy breaks the rules.

    >>> from othello_bot.position import square_name
    >>> from othello_bot.strategies.registry import make
    >>> square_name(choose(make("weighted"), Position.start()))
    'd3'
    """
    player, board = from_position(position)
    if not legal_moves(player, board):
        return PASS
    return engine_square(get_move(strategy, player, board))
