"""The book's evaluations at positions worked out by hand."""

from __future__ import annotations

import pytest

from othello_bot.strategies.board import (
    ALL_SQUARES,
    BLACK,
    WHITE,
    empty_board,
    initial_board,
    opponent,
    parse_board,
    square_of,
)
from othello_bot.strategies.evaluations import (
    LOSING_VALUE,
    STATIC_ORDER,
    WEIGHTS,
    WINNING_VALUE,
    Evaluation,
    count_difference,
    final_score,
    final_value,
    mobilities,
    mobility,
    modified_weighted_squares,
    potential_mobility,
    weighted_squares,
)
from othello_bot.strategies.marappan import points
from othello_bot.strategies.mini_othello import heuristic
from tests.strategies.conftest import random_positions


@pytest.mark.parametrize(
    ("square", "weight"),
    [
        *[(name, 120) for name in ("a1", "h1", "a8", "h8")],
        *[(name, -20) for name in ("b1", "a2", "g1", "h2", "a7", "b8", "h7", "g8")],
        *[(name, -40) for name in ("b2", "g2", "b7", "g7")],
        *[(name, 20) for name in ("c1", "f1", "a3", "a6", "h3", "h6", "c8", "f8")],
        *[(name, 5) for name in ("d1", "e1", "a4", "a5", "h4", "h5", "d8", "e8")],
        *[(name, 15) for name in ("c3", "f3", "c6", "f6")],
        *[(name, 3) for name in ("d3", "e3", "c4", "d4", "e5", "f5", "d6")],
        *[(name, -5) for name in ("c2", "d2", "f2", "b3", "b6", "g4", "e7")],
    ],
)
def test_weight_of_each_kind_of_square(square: str, weight: int) -> None:
    assert WEIGHTS[square_of(square)] == weight
    board = empty_board()
    board[square_of(square)] = WHITE
    assert weighted_squares(WHITE, board) == weight == -weighted_squares(BLACK, board)


def test_static_order_tries_corners_first_and_x_squares_last() -> None:
    assert set(STATIC_ORDER[:4]) == {11, 18, 81, 88}
    assert set(STATIC_ORDER[-4:]) == {22, 27, 72, 77}
    assert sorted(STATIC_ORDER) == list(ALL_SQUARES)


def test_modified_weights_beside_a_taken_corner() -> None:
    board = empty_board()
    board[11] = WHITE  # by either player
    board[12], board[22], board[21] = BLACK, BLACK, WHITE
    assert weighted_squares(BLACK, board) == -20 - 40 + 20 - 120
    assert modified_weighted_squares(BLACK, board) == 5 + 5 - 5 - 120
    board[17] = BLACK  # its corner is empty, so nothing changes for it
    assert modified_weighted_squares(BLACK, board) == 5 + 5 - 5 - 120 - 20


def test_mobilities_by_hand() -> None:
    # d3 c4 f5 e6 are legal; white's d4 and e5 touch c3 d3 e3 c4 c5 and f4 f5 f6 e6 d6.
    assert mobilities(BLACK, initial_board()) == (4, 10)
    assert (mobility(WHITE, initial_board()), potential_mobility(WHITE, initial_board())) == (4, 10)
    board = empty_board()
    board[11], board[12] = BLACK, WHITE
    assert mobilities(BLACK, board) == (1, 4)  # c1 takes b1; a2, b2, c2 are only beside it
    assert mobilities(WHITE, board) == (0, 2)  # a2 and b2 are beside a1


def test_final_values() -> None:
    won = parse_board("X" * 40 + "O" * 24)
    assert (final_value(BLACK, won), final_value(WHITE, won)) == (WINNING_VALUE, LOSING_VALUE)
    drawn = parse_board("X" * 32 + "O" * 32)
    assert final_value(BLACK, drawn) == final_score(WHITE, drawn) == 0


def test_final_score_gives_the_empty_squares_to_the_winner() -> None:
    board = parse_board("X" * 10 + "O" * 4 + "." * 50)
    assert (final_score(BLACK, board), final_score(WHITE, board)) == (56, -56)
    assert final_score(BLACK, parse_board("X" * 10 + "O" * 10 + "." * 44)) == 0


@pytest.mark.parametrize(
    "evaluate", [count_difference, weighted_squares, modified_weighted_squares, final_score, heuristic, points]
)
def test_antisymmetric(evaluate: Evaluation) -> None:
    for player, board in random_positions(40, 7):
        assert evaluate(player, board) == -evaluate(opponent(player), board)
