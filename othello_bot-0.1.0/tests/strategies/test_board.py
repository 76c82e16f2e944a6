"""The 100-square board against the engine's rules, and the examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import othello_bot.strategies
from othello_bot.base.notation import Color
from othello_bot.rules.position import Position
from othello_bot.strategies.board import (
    ALL_SQUARES,
    BLACK,
    OUTER,
    WHITE,
    after_move,
    any_legal_move,
    draw,
    engine_square,
    from_position,
    initial_board,
    legal_moves,
    make_move,
    next_to_play,
    parse_board,
    square_name,
    square_of,
)
from tests.strategies.conftest import random_positions

MODULES = [module.name for module in pkgutil.iter_modules(othello_bot.strategies.__path__)]
WITH_EXAMPLES = {
    "board",
    "choice",
    "edge_stability",
    "edge_table",
    "evaluations",
    "forward_pruning",
    "iago",
    "interruption",
    "marappan",
    "metareasoning",
    "mini_othello",
    "registry",
    "searchers",
    "techniques",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"othello_bot.strategies.{name}"))
    assert results.failed == 0
    assert (results.attempted > 0) == (name in WITH_EXAMPLES)


def test_border_surrounds_sixty_four_squares() -> None:
    board = initial_board()
    assert len(board) == 100 and board.count(OUTER) == 36
    assert ALL_SQUARES[0] == 11 and ALL_SQUARES[-1] == 88 and len(ALL_SQUARES) == 64


def to_position(player: int, board: list[int]) -> Position:
    bits = {BLACK: 0, WHITE: 0}
    for square in ALL_SQUARES:
        if board[square] in bits:
            bits[board[square]] |= 1 << engine_square(square)
    return Position.from_colors(bits[BLACK], bits[WHITE], Color.BLACK if player == BLACK else Color.WHITE)


@pytest.mark.parametrize("seed", range(4))
def test_moves_and_flips_are_the_engines(seed: int) -> None:
    for player, board in random_positions(25, seed):
        position = to_position(player, board)
        moves = legal_moves(player, board)
        assert tuple(map(engine_square, moves)) == position.legal_moves
        assert from_position(position) == (player, board)
        for move in moves:
            after = position.play(engine_square(move))
            assert from_position(after)[1] == after_move(move, player, board)


def test_after_move_leaves_the_board_alone() -> None:
    board = initial_board()
    after_move(square_of("d3"), BLACK, board)
    assert board == initial_board()
    assert make_move(square_of("d3"), BLACK, board) is board


def test_pass_and_end() -> None:
    # Black has captured all but h1, and only white can move (to a1, over b1).
    board = parse_board(".XO" + "O" * 61)
    assert not any_legal_move(WHITE, parse_board("X" * 63 + "."))
    assert next_to_play(board, WHITE) == WHITE
    assert next_to_play(parse_board("X" * 63 + "."), BLACK) is None
    assert next_to_play(initial_board(), WHITE) == BLACK


@pytest.mark.parametrize("text", ["", "X" * 63, "X" * 65, "Q" + "." * 63])
def test_bad_board_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected (64 cells|X, O or - at a1)"):
        parse_board(text)


@pytest.mark.parametrize("name", ["", "i1", "a9", "1A", "a10"])
def test_bad_square_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"expected a square \(a1 to h8\)"):
        square_of(name)


def test_a_square_is_named_in_any_case() -> None:
    assert square_of("A1") == square_of("a1") == 11


def test_names_of_squares_round_trip() -> None:
    assert [square_of(square_name(square)) for square in ALL_SQUARES] == list(ALL_SQUARES)
    assert parse_board(draw(initial_board()).split("\n", 1)[1].translate(str.maketrans("", "", "12345678"))) == (
        initial_board()
    )
