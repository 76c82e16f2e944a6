"""The compiled rules against the naive ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot import kernel
from othello_bot.rules.position import ALL_SQUARES, squares_of
from tests import oracle

POSITIONS = 40_000
START = (oracle.discs(oracle.start_board(), "X"), oracle.discs(oracle.start_board(), "O"))
PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]
"""Published numbers of lines from the start by depth; passes first occur at depth 9."""


@pytest.mark.slow
def test_positions_of_random_games() -> None:
    rng = random.Random(20)
    seen = games = passes = 0
    while seen < POSITIONS:
        games += 1
        board, player, passed = oracle.start_board(), "X", False
        while True:
            other = oracle.OTHER[player]
            mover, opponent = oracle.discs(board, player), oracle.discs(board, other)
            moves = oracle.all_moves(board, player)
            assert kernel.legal_moves(mover, opponent) == oracle.bits(list(moves)), oracle.text_of(board)
            for cell, turned in moves.items():
                square = oracle.SQUARE_OF[cell]
                assert kernel.flips(mover, opponent, square) == oracle.bits(turned), oracle.text_of(board)
            seen += 1
            if moves:
                cell = rng.choice(list(moves))
                oracle.play(board, cell, moves[cell], player)
            elif passed:
                assert kernel.final_score(mover, opponent) == oracle.score(board, player), oracle.text_of(board)
                break
            else:
                passes += 1
            passed = not moves
            player = other
    assert games > 400 and passes > 400


def boards() -> st.SearchStrategy[str]:
    """Draw any filling of the board; no game reaches most of them."""
    return st.text("XO-", min_size=64, max_size=64)


@given(boards())
def test_any_board(text: str) -> None:
    board = oracle.board_of(text)
    mover, opponent = oracle.discs(board, "X"), oracle.discs(board, "O")
    moves = oracle.all_moves(board, "X")
    assert kernel.legal_moves(mover, opponent) == oracle.bits(list(moves))
    for square in squares_of(ALL_SQUARES & ~mover & ~opponent):
        assert kernel.flips(mover, opponent, square) == oracle.bits(moves.get(oracle.CELLS[square], []))
    assert kernel.final_score(mover, opponent) == oracle.score(board, "X")
    assert kernel.final_score(opponent, mover) == -oracle.score(board, "X")


@pytest.mark.parametrize("depth", range(len(PERFT)))
def test_perft_from_the_start(depth: int) -> None:
    assert kernel.perft(*START, depth) == PERFT[depth]


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X"),
        ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", "X"),
        ("XOOOOOO-" + "-" * 56, "O"),
        ("-" * 64, "X"),
    ],
)
def test_perft_where_players_pass_and_games_end(text: str, player: str) -> None:
    board = oracle.board_of(text)
    mover, opponent = oracle.discs(board, player), oracle.discs(board, oracle.OTHER[player])
    for depth in range(4):
        assert kernel.perft(mover, opponent, depth) == oracle.perft(board, player, depth)
