"""Evaluations: functions of a player and a board that return how good the board is for the player.

From Norvig's "Paradigms of Artificial Intelligence Programming", chapter 18. All values are whole numbers, each
evaluation in its own unit; larger is better for `player`. All but the two mobilities are antisymmetric: a value for one
player is the negative of that for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from othello_bot.strategies.board import (
    ALL_SQUARES,
    CORNERS,
    EMPTY,
    NEIGHBORS,
    PaddedBoard,
    PlayerPiece,
    Square,
    empties,
    is_legal,
    opponent,
)

Evaluation = Callable[[PlayerPiece, PaddedBoard], int]

WINNING_VALUE: Final = 1_000_000_000
"""The value of a won game: above any evaluation of an unfinished one."""
LOSING_VALUE: Final = -WINNING_VALUE

# fmt: off
WEIGHTS: Final = (
    0,   0,   0,  0,  0,  0,  0,   0,   0, 0,
    0, 120, -20, 20,  5,  5, 20, -20, 120, 0,
    0, -20, -40, -5, -5, -5, -5, -40, -20, 0,
    0,  20,  -5, 15,  3,  3, 15,  -5,  20, 0,
    0,   5,  -5,  3,  3,  3,  3,  -5,   5, 0,
    0,   5,  -5,  3,  3,  3,  3,  -5,   5, 0,
    0,  20,  -5, 15,  3,  3, 15,  -5,  20, 0,
    0, -20, -40, -5, -5, -5, -5, -40, -20, 0,
    0, 120, -20, 20,  5,  5, 20, -20, 120, 0,
    0,   0,   0,  0,  0,  0,  0,   0,   0, 0,
)
# fmt: on
"""The value of each square: corners 120, C-squares beside them -20, X-squares across from them -40, A 20, B 5."""

STATIC_ORDER: Final = tuple(sorted(ALL_SQUARES, key=lambda square: -WEIGHTS[square]))
"""The squares from the heaviest to the lightest, row by row among equals: the order that tries corners first."""

TAKEN_CORNER_NEIGHBOR_WEIGHT: Final = 5
"""The value of a square beside a taken corner in the modified weights."""


def count_difference(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the player's discs minus the opponent's.

    >>> from othello_bot.strategies.board import BLACK, initial_board, make_move, square_of
    >>> board = make_move(square_of("d3"), BLACK, initial_board())
    >>> count_difference(BLACK, board), count_difference(opponent(BLACK), board)
    (3, -3)
    """
    return board.count(player) - board.count(opponent(player))


def final_value(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the value of a finished game: won, lost, or 0 for a draw; the margin does not matter."""
    difference = count_difference(player, board)
    return WINNING_VALUE if difference > 0 else LOSING_VALUE if difference < 0 else 0


def final_score(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the disc difference of a finished game with the empty squares given to the winner, -64 to 64."""
    difference = count_difference(player, board)
    return difference + empties(board) * ((difference > 0) - (difference < 0))


def weighed(player: PlayerPiece, board: PaddedBoard, weights: Sequence[int]) -> int:
    """Return the weights of the player's squares minus those of the opponent's."""
    other = opponent(player)
    total = 0
    for square in ALL_SQUARES:
        piece = board[square]
        if piece == player:
            total += weights[square]
        elif piece == other:
            total -= weights[square]
    return total


def weighted_squares(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the weights of the player's squares minus those of the opponent's.

    >>> from othello_bot.strategies.board import BLACK, initial_board, make_move, square_of
    >>> weighted_squares(BLACK, initial_board())
    0
    >>> weighted_squares(BLACK, make_move(square_of("d3"), BLACK, initial_board()))
    9
    """
    return weighed(player, board, WEIGHTS)


def modified_weighted_squares(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the weighted squares, with 5 for a square beside a corner that either player has taken.

    C- and X-squares are bad because they give the corner away; once the corner is taken, they are like other squares.

    >>> from othello_bot.strategies.board import BLACK, empty_board
    >>> board = empty_board()
    >>> board[11] = board[12] = BLACK
    >>> weighted_squares(BLACK, board), modified_weighted_squares(BLACK, board)
    (100, 125)
    """
    total = weighted_squares(player, board)
    for corner in CORNERS:
        if board[corner] != EMPTY:
            for square in NEIGHBORS[corner]:
                if board[square] != EMPTY:
                    correction = TAKEN_CORNER_NEIGHBOR_WEIGHT - WEIGHTS[square]
                    total += correction if board[square] == player else -correction
    return total


def mobilities(player: PlayerPiece, board: PaddedBoard) -> tuple[int, int]:
    """Return the player's current and potential mobility.

    Current mobility is the number of legal moves. Potential mobility is the number of empty squares beside an opposing
    disc, including those of the legal moves.

    >>> from othello_bot.strategies.board import BLACK, initial_board
    >>> mobilities(BLACK, initial_board())
    (4, 10)
    """
    other = opponent(player)
    current = potential = 0
    for square in ALL_SQUARES:
        if board[square] == EMPTY and _touches(square, other, board):
            potential += 1
            current += is_legal(square, player, board)
    return current, potential


def mobility(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the number of the player's legal moves."""
    return mobilities(player, board)[0]


def potential_mobility(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the number of empty squares beside an opposing disc."""
    return mobilities(player, board)[1]


def _touches(square: Square, other: PlayerPiece, board: PaddedBoard) -> bool:
    """Return whether a disc of `other` is next to the square."""
    return any(board[neighbor] == other for neighbor in NEIGHBORS[square])


EVALUATIONS: Final[dict[str, Evaluation]] = {
    "difference": count_difference,
    "weighted": weighted_squares,
    "modified": modified_weighted_squares,
    "mobility": mobility,
    "potential-mobility": potential_mobility,
}
"""The evaluations of the book by their names in the registry."""
