"""Iago: its evaluation at boards worked out by hand, and whole games."""

from __future__ import annotations

import itertools
import random

import pytest

from othello_bot.strategies.board import BLACK, WHITE, empty_board, initial_board, play_game
from othello_bot.strategies.evaluations import count_difference, modified_weighted_squares
from othello_bot.strategies.iago import (
    EDGES,
    board_edge_index,
    current_mobility_coefficient,
    edge_coefficient,
    edge_index,
    edge_stability,
    edge_table,
    iago,
    iago_evaluation,
)
from othello_bot.strategies.searchers import killer_searcher, random_strategy
from tests.strategies.conftest import random_opening


def test_the_four_edges_run_from_x_square_to_x_square() -> None:
    for edge in EDGES:
        assert edge[0] in (22, 27, 72) and edge[-1] in (27, 77, 72)
        steps = {after - before for before, after in itertools.pairwise(edge[1:9])}
        assert steps in ({1}, {10})


def test_edge_index_of_a_board_is_seen_by_the_player() -> None:
    board = empty_board()
    board[11], board[12], board[27] = BLACK, WHITE, WHITE
    assert board_edge_index(BLACK, board, EDGES[0]) == edge_index((0, 1, 2, 0, 0, 0, 0, 0, 0, 2))
    assert board_edge_index(WHITE, board, EDGES[0]) == edge_index((0, 2, 1, 0, 0, 0, 0, 0, 0, 1))


def test_edge_stability_adds_the_four_edges() -> None:
    board = empty_board()
    for square in EDGES[0]:
        board[square] = BLACK
    # The top edge is full; on the left and on the right stand a corner and its X-square.
    side = edge_table()[edge_index((1, 1, 0, 0, 0, 0, 0, 0, 0, 0))]
    assert edge_stability(BLACK, board) == 7800 + side + side + 0


def test_evaluation_by_hand() -> None:
    # No edges, four legal moves and ten beside opposing discs for either player.
    assert iago_evaluation(1)(BLACK, initial_board()) == 0
    # b1 can be captured from c1 by the black corner: one legal move, four beside a white disc; white has none and two.
    board = empty_board()
    board[11], board[12] = BLACK, WHITE
    edges = round(edge_coefficient(10) * edge_stability(BLACK, board) / 32_000)
    current = round(current_mobility_coefficient(10) * 1 / 3)
    potential = round(20_000 * 2 / 8)
    assert current == 23_333 and potential == 5_000
    assert iago_evaluation(10)(BLACK, board) == edges + current + potential


def test_coefficients_of_the_book() -> None:
    assert edge_coefficient(20) == 312_000 + 124_800
    assert current_mobility_coefficient(10) == 70_000
    assert current_mobility_coefficient(60) == 135_000


@pytest.mark.slow
def test_iago_plays_legal_games_and_beats_random_play() -> None:
    # The referee raises on any illegal move; random play hardly ever wins against three plies.
    margins = []
    for seed in range(3):
        board, player = random_opening(4, random.Random(seed))
        margins.append(count_difference(BLACK, play_game(iago(2), random_strategy(seed), board, player)))
        margins.append(count_difference(WHITE, play_game(random_strategy(seed), iago(2), board, player)))
    assert sum(margin > 0 for margin in margins) >= 5


def test_iago_against_modified_weighted_squares_ends() -> None:
    board = play_game(iago(2), killer_searcher(2, modified_weighted_squares))
    assert board == play_game(iago(2), killer_searcher(2, modified_weighted_squares)), "Iago has no luck in it"
