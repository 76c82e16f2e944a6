"""The interface between the engine's positions and the strategies: one function that lets a strategy choose a move."""

from __future__ import annotations

from collections.abc import Callable

from othello_bot.base.notation import PASS
from othello_bot.rules import Position
from othello_bot.strategies.board import engine_square, from_position, legal_moves
from othello_bot.strategies.evaluations import STATIC_ORDER
from othello_bot.strategies.interruption import Interrupted, interruptible
from othello_bot.strategies.referee import Strategy, get_move


def choose(strategy: Strategy, position: Position, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Return the strategy's move in a position as the engine represents it: a square 0..63, or PASS without a legal
    move.

    A search calls `should_stop` at every board. Once it returns true, the move is that of the last complete round if
    the strategy uses deepening, and otherwise the legal move to the heaviest square.

    Raise IllegalStrategyMove, which names the player and the square, if the strategy breaks the rules.

    >>> from othello_bot.base.notation import square_name
    >>> from othello_bot.strategies.registry import make
    >>> square_name(choose(make("weighted"), Position.start()))
    'd3'
    """
    player, board = from_position(position)
    if not legal_moves(player, board):
        return PASS
    try:
        with interruptible(should_stop):
            return engine_square(get_move(strategy, player, board))
    except Interrupted:
        return engine_square(legal_moves(player, board, STATIC_ORDER)[0])
