"""Forward pruning: skipping moves that are implausible or cannot reach the bound.

After "Paradigms of Artificial Intelligence Programming", section 18.13: Bill's plausible moves, and nonspeculative
pruning, which is based on the largest change of the disc difference by one move.
"""

from __future__ import annotations

from typing import Final

from othello_bot.strategies.board import CORNERS, EMPTY, NEIGHBORS, Board, Square

LARGEST_DISC_GAIN: Final = 37
"""The largest gain of a move in disc difference: its own disc, and 18 flipped ones, from a corner."""
CENTER_DISC_GAIN: Final = 39
"""The same for the four central squares, which are occupied from the start in every usual game."""
CENTER: Final = (44, 45, 54, 55)

CORNER_OF_NEIGHBOR: Final = {square: corner for corner in CORNERS for square in NEIGHBORS[corner]}
"""The corner beside each C- and X-square."""


def largest_gain(board: Board) -> int:
    """Return the largest gain in disc difference of any move on this board or later in the game.

    >>> from othello_bot.strategies.board import empty_board, initial_board
    >>> largest_gain(initial_board()), largest_gain(empty_board())
    (37, 39)
    """
    return CENTER_DISC_GAIN if EMPTY in map(board.__getitem__, CENTER) else LARGEST_DISC_GAIN


def plausible_moves(moves: list[Square], board: Board) -> list[Square]:
    """Return the moves without those beside an empty corner, or all of them if no others are left.

    >>> from othello_bot.strategies.board import empty_board
    >>> plausible_moves([12, 22, 33], empty_board()), plausible_moves([12, 22], empty_board())
    ([33], [12, 22])
    """
    kept = [move for move in moves if move not in CORNER_OF_NEIGHBOR or board[CORNER_OF_NEIGHBOR[move]] != EMPTY]
    return kept or moves


