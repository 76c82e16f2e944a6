"""The referee: illegal moves are named."""

from __future__ import annotations

import pytest

from othello_bot.strategies.board import (
    BLACK,
    EMPTY,
    WHITE,
    IllegalStrategyMove,
    PaddedBoard,
    PlayerPiece,
    get_move,
    initial_board,
    legal_moves,
    play_game,
    square_of,
)
from othello_bot.strategies.searchers import random_strategy


@pytest.mark.parametrize(("move", "shown"), [(square_of("e3"), "e3"), (11, "a1"), (0, "0"), (99, "99"), (None, "None")])
def test_an_illegal_move_names_the_player_and_the_square(move: object, shown: str) -> None:
    with pytest.raises(IllegalStrategyMove, match=f"^black's strategy .* illegal move {shown}: .* d3 c4 f5 e6"):
        play_game(lambda player, board: move, random_strategy())  # type: ignore[arg-type,return-value]


def test_white_is_named_too() -> None:
    with pytest.raises(IllegalStrategyMove, match=r"^white's"):
        play_game(random_strategy(), lambda player, board: square_of("a1"))


def test_a_strategy_cannot_cheat_by_changing_the_board() -> None:
    board = initial_board()

    def cheat(player: PlayerPiece, view: PaddedBoard) -> int:
        view[11:89] = [player] * 78
        return square_of("d3")

    assert get_move(cheat, BLACK, board) == square_of("d3")
    assert board == initial_board()


def test_a_game_ends_when_nobody_can_move() -> None:
    board = play_game(random_strategy(1), random_strategy(2))
    assert not legal_moves(BLACK, board) and not legal_moves(WHITE, board)
    assert board.count(BLACK) + board.count(WHITE) + board.count(EMPTY) == 64
