"""Every alpha-beta finds what minimax finds, and the simple players do what they say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from othello_bot.strategies.board import (
    ALL_SQUARES,
    BLACK,
    WHITE,
    PaddedBoard,
    PlayerPiece,
    Square,
    Strategy,
    after_move,
    initial_board,
    legal_moves,
    opponent,
    parse_board,
    square_of,
)
from othello_bot.strategies.evaluations import (
    EVALUATIONS,
    LOSING_VALUE,
    STATIC_ORDER,
    WINNING_VALUE,
    Evaluation,
    count_difference,
    weighted_squares,
)
from othello_bot.strategies.iago import iago_evaluation
from othello_bot.strategies.marappan import points
from othello_bot.strategies.mini_othello import heuristic
from othello_bot.strategies.searchers import (
    Node,
    ValuedMove,
    alpha_beta,
    alpha_beta_killer,
    alpha_beta_searcher,
    alpha_beta_sorted,
    killer_searcher,
    maximizer,
    minimax,
    minimax_searcher,
    random_strategy,
    sorted_searcher,
    static_order_searcher,
)
from tests.strategies.conftest import random_positions

ALL_EVALUATIONS = {**EVALUATIONS, "mini-othello": heuristic, "marappan": points, "iago": iago_evaluation(30)}


def plain(player: PlayerPiece, board: PaddedBoard, ply: int, evaluate: Evaluation) -> ValuedMove:
    return alpha_beta(player, board, LOSING_VALUE, WINNING_VALUE, ply, evaluate)


def static(player: PlayerPiece, board: PaddedBoard, ply: int, evaluate: Evaluation) -> ValuedMove:
    return alpha_beta(player, board, LOSING_VALUE, WINNING_VALUE, ply, evaluate, STATIC_ORDER)


def ordered(player: PlayerPiece, board: PaddedBoard, ply: int, evaluate: Evaluation) -> ValuedMove:
    root = Node(None, board, evaluate(player, board))
    return alpha_beta_sorted(player, root, LOSING_VALUE, WINNING_VALUE, ply, evaluate)


def killer(player: PlayerPiece, board: PaddedBoard, ply: int, evaluate: Evaluation) -> ValuedMove:
    boards = [initial_board() for _ in range(ply + 1)]
    return alpha_beta_killer(player, board, LOSING_VALUE, WINNING_VALUE, ply, evaluate, None, boards)


VARIANTS = {"plain": plain, "static": static, "sorted": ordered, "killer": killer}


def value_of(player: PlayerPiece, board: PaddedBoard, move: Square, ply: int, evaluate: Evaluation) -> int:
    """Return minimax's value of a move."""
    return -minimax(opponent(player), after_move(move, player, board), ply - 1, evaluate)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_EVALUATIONS)
def test_every_alpha_beta_finds_the_value_of_minimax(name: str) -> None:
    evaluate = ALL_EVALUATIONS[name]
    for number, (player, board) in enumerate(random_positions(8, seed=len(name), last_move=54)):
        before = board[:]
        for ply in (1, 2, 3) if number % 4 == 1 else (1, 2):
            moves = {move: value_of(player, board, move, ply, evaluate) for move in legal_moves(player, board)}
            assert ply > 2 or minimax(player, board, ply, evaluate)[0] == max(moves.values())
            for variant in VARIANTS.values():
                value, move = variant(player, board, ply, evaluate)
                assert value == max(moves.values())
                assert move is not None and moves[move] == value
        assert board == before


def test_every_alpha_beta_agrees_to_the_end_of_the_game() -> None:
    # With few squares left there are passes and finished games in the tree.
    for player, board in random_positions(10, seed=3, first_move=54, last_move=57):
        for ply in (4, 7):
            value = minimax(player, board, ply, weighted_squares)[0]
            assert {variant(player, board, ply, weighted_squares)[0] for variant in VARIANTS.values()} == {value}


def test_minimax_by_hand() -> None:
    # From the start all four moves are alike: four discs to one, and every reply takes one back, three to three.
    assert minimax(BLACK, initial_board(), 1, count_difference) == (3, square_of("d3"))
    assert minimax(BLACK, initial_board(), 2, count_difference) == (0, square_of("d3"))


def test_minimax_passes_and_ends() -> None:
    # Black, to move, must pass; then white takes the last square a1 and everything on the first row.
    board = parse_board(".XXXXXXO" + "O" * 56)
    assert minimax(BLACK, board, 1, count_difference) == (-(56 + 1 - 6), None)
    assert minimax(BLACK, board, 3, count_difference) == (LOSING_VALUE, None)
    assert minimax(WHITE, board, 2, count_difference) == (WINNING_VALUE, square_of("a1"))


def test_fewer_boards_are_evaluated_than_by_minimax() -> None:
    calls: list[str] = []

    def counting(name: str) -> Evaluation:
        def evaluate(player: PlayerPiece, board: PaddedBoard) -> int:
            calls.append(name)
            return weighted_squares(player, board)

        return evaluate

    player, board = random_positions(5, seed=12, first_move=20, last_move=30)[0]
    for name, search in (("minimax", minimax), ("plain", plain), ("killer", killer)):
        search(player, board, 4, counting(name))
    assert calls.count("killer") < calls.count("plain") < calls.count("minimax") / 3


def test_maximizer_takes_the_best_board_of_its_own() -> None:
    greedy = maximizer(count_difference)
    for player, board in random_positions(10, seed=5):
        gains = [count_difference(player, after_move(move, player, board)) for move in legal_moves(player, board)]
        assert count_difference(player, after_move(greedy(player, board), player, board)) == max(gains)


def test_random_strategy_repeats_itself_with_its_seed() -> None:
    positions = random_positions(20, seed=1)
    chosen = {seed: [random_strategy(seed)(*position) for position in positions] for seed in (1, 1, 2)}
    first, again = random_strategy(9), random_strategy(9)
    assert [first(*position) for position in positions] == [again(*position) for position in positions]
    assert chosen[1] != chosen[2]
    assert all(move in legal_moves(*position) for move, position in zip(chosen[1], positions, strict=True))


@pytest.mark.parametrize(
    "make",
    [minimax_searcher, alpha_beta_searcher, static_order_searcher, sorted_searcher, killer_searcher],
)
def test_searchers_make_strategies_that_play_a_best_move(make: Callable[[int, Evaluation], Strategy]) -> None:
    for player, board in random_positions(5, seed=8):
        move = make(2, weighted_squares)(player, board[:])
        assert value_of(player, board, move, 2, weighted_squares) == minimax(player, board, 2, weighted_squares)[0]


@pytest.mark.parametrize("make", [minimax_searcher, alpha_beta_searcher, sorted_searcher, killer_searcher])
def test_a_strategy_cannot_be_asked_to_pass(make: Callable[[int, Evaluation], Strategy]) -> None:
    with pytest.raises(ValueError, match="without a legal one"):
        make(2, count_difference)(BLACK, parse_board(".XXXXXXO" + "O" * 56))


def test_order_of_squares_is_the_callers() -> None:
    assert legal_moves(BLACK, initial_board(), reversed(ALL_SQUARES)) == list(
        reversed(legal_moves(BLACK, initial_board()))
    )
