"""Marappan and Hingorani's Reversi: the points grid, suggestions, the analysis mode."""

from __future__ import annotations

import pytest

from othello_bot.strategies.board import BLACK, WHITE, initial_board, legal_moves, parse_board, square_of
from othello_bot.strategies.marappan import POINTS, Marappan, RandomGames, analyze, points
from othello_bot.strategies.searchers import maximizer, minimax, random_strategy
from tests.strategies.conftest import random_positions


def test_points_grid() -> None:
    expected = {"a1": 5, "h8": 5, "b2": -2, "g7": -2, "a2": -1, "b1": -1, "h7": -1, "c3": 2, "f6": 2, "d5": 2}
    expected |= {"c1": 1, "d1": 1, "b3": 1, "g5": 1, "c2": 1, "f7": 1}
    assert {name: POINTS[square_of(name)] for name in expected} == expected
    assert sum(POINTS) == 4 * 5 - 8 - 4 * 2 + 16 * 2 + 32


def test_a_skipped_turn_is_worth_five_points() -> None:
    # Black must pass: six black discs on b1..g1, white everywhere else but a1.
    board = parse_board(".XXXXXXO" + "O" * 56)
    black = -1 + 1 + 1 + 1 + 1 - 1
    assert points(BLACK, board) == black - (sum(POINTS) - 5 - black) - 5
    assert points(WHITE, board) == -points(BLACK, board)
    # Where neither can move nobody skips.
    full = parse_board("X" * 64)
    assert points(BLACK, full) == sum(POINTS)


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
def test_both_algorithms_play_a_best_move(algorithm: str) -> None:
    for player, board in random_positions(5, seed=2):
        value, move = Marappan(2, algorithm).suggest(player, board)
        assert value == minimax(player, board, 2, points)[0]
        assert Marappan(2, algorithm)(player, board) == move


def test_suggestions_list_every_move_with_its_value() -> None:
    for player, board in random_positions(4, seed=6):
        found = Marappan(2).suggestions(player, board)
        assert found[0][0] == minimax(player, board, 2, points)[0]
        assert found == sorted(found, key=lambda pair: -pair[0])
        assert sorted(move for _, move in found) == legal_moves(player, board)
    assert [value for value, _ in Marappan(1).suggestions(BLACK, initial_board())] == [6] * 4


def test_unknown_algorithm() -> None:
    with pytest.raises(ValueError, match="expected one of minimax, alpha-beta"):
        Marappan(2, "negamax")


def test_analysis_counts_games() -> None:
    analysis = analyze(maximizer(points), games=6, seed=1)
    assert analysis.games == 6
    assert analysis.win_percentage == 100 * analysis.wins / 6
    again = analyze(maximizer(points), games=6, seed=1)
    assert (again.wins, again.draws, again.losses) == (analysis.wins, analysis.draws, analysis.losses)
    assert analyze(random_strategy(), games=50, should_stop=lambda: True).games == 1
    assert str(RandomGames(3, 1, 0, 2.5)) == "4 games: 3 won, 1 drawn, 0 lost; 75.0 % won, 2.50 s"


def test_a_stopped_analysis_counts_the_games_that_ended() -> None:
    asked = [0]

    def should_stop() -> bool:
        asked[0] += 1
        return asked[0] > 2000  # in the middle of a game

    found = analyze(Marappan(1), games=10**6, should_stop=should_stop)
    assert 0 < found.games < 100
    assert analyze(Marappan(30), games=5, should_stop=should_stop).games == 0
