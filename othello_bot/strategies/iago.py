"""Iago: mobility, potential mobility and edge stability, weighed by the number of the move.

P. Rosenbloom's champion of 1981 ("A World-Championship-Level Othello Program", Artificial Intelligence 19, 1982), in
the simplified form of "Paradigms of Artificial Intelligence Programming", section 18.12, with its coefficients.
"""

from __future__ import annotations

from typing import Final

from othello_bot.strategies.board import BLACK, EMPTY, Board, Player, Square, move_number, opponent
from othello_bot.strategies.edge_table import edge_table
from othello_bot.strategies.evaluations import Evaluation, mobilities
from othello_bot.strategies.referee import Strategy
from othello_bot.strategies.searchers import killer_searcher

EDGES: Final = (
    (22, 11, 12, 13, 14, 15, 16, 17, 18, 27),
    (72, 81, 82, 83, 84, 85, 86, 87, 88, 77),
    (22, 11, 21, 31, 41, 51, 61, 71, 81, 72),
    (27, 18, 28, 38, 48, 58, 68, 78, 88, 77),
)
"""The squares of the four edges, each with its X-squares at the ends."""

_DIGITS: Final = {player: {EMPTY: 0, player: 1, opponent(player): 2} for player in (BLACK, opponent(BLACK))}
"""The digit of each piece in an edge's number, by the player who looks at it."""


def board_edge_index(player: Player, board: Board, squares: tuple[Square, ...]) -> int:
    """Return the number of an edge of a board as the player sees it: the index into the edge table."""
    digits = _DIGITS[player]
    index = 0
    for square in squares:
        index = 3 * index + digits[board[square]]
    return index


def edge_stability(player: Player, board: Board) -> int:
    """Return the value of the four edges for the player to move.

    >>> from othello_bot.strategies.board import initial_board
    >>> edge_stability(BLACK, initial_board())
    0
    """
    table = edge_table()
    return sum(table[board_edge_index(player, board, squares)] for squares in EDGES)


def edge_coefficient(number: int) -> int:
    """Return the weight of the edges at move `number`.

    >>> edge_coefficient(1), edge_coefficient(60)
    (318240, 686400)
    """
    return 312_000 + 6_240 * number


def current_mobility_coefficient(number: int) -> int:
    """Return the weight of the legal moves at move `number`.

    >>> current_mobility_coefficient(24), current_mobility_coefficient(25)
    (98000, 100000)
    """
    return 50_000 + 2_000 * number if number < 25 else 75_000 + 1_000 * number


POTENTIAL_MOBILITY_COEFFICIENT: Final = 20_000
EDGE_SCALE: Final = 32_000


def iago_evaluation(number: int) -> Evaluation:
    """Return Iago's evaluation with the weights of move `number`.

    In a search, that is the number of the move to choose, not of the moves in the tree.
    """
    edges, current = edge_coefficient(number), current_mobility_coefficient(number)

    def evaluate(player: Player, board: Board) -> int:
        own, own_potential = mobilities(player, board)
        other, other_potential = mobilities(opponent(player), board)
        return (
            round(edges * edge_stability(player, board) / EDGE_SCALE)
            + round(current * (own - other) / (own + other + 2))
            + round(
                POTENTIAL_MOBILITY_COEFFICIENT
                * (own_potential - other_potential)
                / (own_potential + other_potential + 2)
            )
        )

    return evaluate


def iago(depth: int) -> Strategy:
    """Return Iago at this search depth: alpha-beta with killer moves on Iago's evaluation."""

    def strategy(player: Player, board: Board) -> Square:
        return killer_searcher(depth, iago_evaluation(move_number(board)))(player, board)

    return strategy
