"""The referee: lets two strategies play each other, and forbids illegal moves.

A strategy is a function of a player and a board that returns a square. After "Paradigms of Artificial Intelligence
Programming", section 18.2.
"""

from __future__ import annotations

from collections.abc import Callable

from othello_bot.strategies.board import (
    BLACK,
    PLAYER_NAMES,
    WHITE,
    Board,
    Player,
    Square,
    initial_board,
    legal_moves,
    make_move,
    names,
    next_to_play,
    square_name,
)

Strategy = Callable[[Player, Board], Square]
"""Chooses a legal move. It is called only if there is one, with its own copy of the board, which it may change."""


class IllegalStrategyMove(ValueError):
    """A strategy chose an illegal move; the message names the player and the square."""

    def __init__(self, player: Player, move: object, board: Board) -> None:
        shown = square_name(move) if isinstance(move, int) else repr(move)
        super().__init__(
            f"{PLAYER_NAMES[player]}'s strategy chose the illegal move {shown}: "
            f"expected one of {names(legal_moves(player, board))}"
        )
        self.player = player
        self.move = move
        self.board = board


def get_move(strategy: Strategy, player: Player, board: Board) -> Square:
    """Return the strategy's move; raise IllegalStrategyMove if it is illegal.

    The strategy receives a copy of the board, so it cannot cheat by changing discs.
    """
    move = strategy(player, board[:])
    if move not in legal_moves(player, board):
        raise IllegalStrategyMove(player, move, board)
    return move


def play_game(black: Strategy, white: Strategy, board: Board | None = None, player: Player = BLACK) -> Board:
    """Play a game to its end and return the last board. It begins at the start, or at `board` with `player` to move."""
    board = initial_board() if board is None else board[:]
    turn = next_to_play(board, WHITE if player == BLACK else BLACK)
    while turn is not None:
        make_move(get_move(black if turn == BLACK else white, turn, board), turn, board)
        turn = next_to_play(board, turn)
    return board
