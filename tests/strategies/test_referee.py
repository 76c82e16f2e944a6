"""The referee: illegal moves are named, openings are played twice, results add up."""

from __future__ import annotations

import random

import pytest

from othello_bot.strategies.board import BLACK, EMPTY, WHITE, Board, Player, initial_board, legal_moves, square_of
from othello_bot.strategies.evaluations import count_difference
from othello_bot.strategies.referee import (
    IllegalStrategyMove,
    Series,
    get_move,
    play_game,
    play_pair,
    random_opening,
    random_series,
    switch_strategies,
)
from othello_bot.strategies.searchers import maximizer, random_strategy


@pytest.mark.parametrize(("move", "shown"), [(square_of("e3"), "e3"), (11, "a1"), (0, "0"), (99, "99"), (None, "None")])
def test_an_illegal_move_names_the_player_and_the_square(move: object, shown: str) -> None:
    with pytest.raises(IllegalStrategyMove, match=f"^black's strategy .* illegal move {shown}: .* d3 c4 f5 e6"):
        play_game(lambda player, board: move, random_strategy())  # type: ignore[arg-type,return-value]


def test_white_is_named_too() -> None:
    with pytest.raises(IllegalStrategyMove, match=r"^white's"):
        play_game(random_strategy(), lambda player, board: square_of("a1"))


def test_a_strategy_cannot_cheat_by_changing_the_board() -> None:
    board = initial_board()

    def cheat(player: Player, view: Board) -> int:
        view[11:89] = [player] * 78
        return square_of("d3")

    assert get_move(cheat, BLACK, board) == square_of("d3")
    assert board == initial_board()


def test_a_game_ends_when_nobody_can_move() -> None:
    board = play_game(random_strategy(1), random_strategy(2))
    assert not legal_moves(BLACK, board) and not legal_moves(WHITE, board)
    assert board.count(BLACK) + board.count(WHITE) + board.count(EMPTY) == 64


def test_random_openings_have_their_length_and_a_player_who_can_move() -> None:
    rng = random.Random(3)
    for moves in (0, 1, 10, 55):
        board, player = random_opening(moves, rng)
        assert 60 - board.count(EMPTY) == moves
        assert legal_moves(player, board)


def test_a_pair_of_games_swaps_the_colours() -> None:
    greedy = maximizer(count_difference)
    board, player = random_opening(10, random.Random(5))
    as_black, as_white = play_pair(greedy, greedy, board, player)
    assert as_black == -as_white, "a strategy against itself gets back what it gives"
    assert random_series(greedy, greedy, pairs=3, seed=1).wins == 3
    assert random_series(greedy, greedy, pairs=3, seed=1).margin == 0


def test_series_counts_draws_as_half() -> None:
    assert Series((4, -2, 0, 0, 10)).wins == 3
    assert Series((4, -2, 0, 0, 10)).margin == 12


def test_switching_strategies_by_move_number() -> None:
    def first_move(player: Player, board: Board) -> int:
        return legal_moves(player, board)[0]

    def last_move(player: Player, board: Board) -> int:
        return legal_moves(player, board)[-1]

    switching = switch_strategies(first_move, 1, last_move)
    assert switching(BLACK, initial_board()) == square_of("d3")
    board, player = random_opening(1, random.Random(0))
    assert switching(player, board) == legal_moves(player, board)[-1]
