"""Mini-Othello: heuristic by hand, the end against minimax, the corner quiescence."""

from __future__ import annotations

import pytest

from othello_bot.strategies.board import (
    BLACK,
    WHITE,
    PaddedBoard,
    PlayerPiece,
    after_move,
    empty_board,
    legal_moves,
    opponent,
    parse_board,
    square_of,
)
from othello_bot.strategies.mini_othello import (
    EndSolver,
    MiniOthello,
    close_to,
    heuristic,
    quiescence_moves,
)
from othello_bot.strategies.searchers import minimax
from tests.strategies.conftest import exact_score, random_positions

ENDS = random_positions(12, seed=21, first_move=53, last_move=57)


def test_heuristic_by_hand() -> None:
    board = empty_board()
    board[11], board[12] = BLACK, WHITE
    # One disc each, one legal move to none, one corner.
    assert heuristic(BLACK, board) == 0 + 100 + 1000 == -heuristic(WHITE, board)


@pytest.mark.parametrize(("player", "board"), ENDS)
def test_both_modes_of_the_end(player: PlayerPiece, board: PaddedBoard) -> None:
    exact = exact_score(player, board)
    before = board[:]
    solver = EndSolver()
    assert solver.solve(player, board, -64, 64) == exact
    assert solver.nodes > 0
    assert board == before
    largest = MiniOthello(3, 14)
    value, move = largest.search(player, board)
    assert value == exact
    assert -exact_score(opponent(player), after_move(move, player, board)) == exact
    outcome, move = MiniOthello(3, 14, win_only=True).search(player, board)
    sign = (exact > 0) - (exact < 0)
    assert (outcome > 0) - (outcome < 0) == sign
    reached = -exact_score(opponent(player), after_move(move, player, board))
    assert (reached > 0) - (reached < 0) == sign


def test_end_begins_where_it_is_set() -> None:
    player, board = next(position for position in ENDS if position[1].count(0) == 6)
    assert MiniOthello(1, 6).search(player, board)[0] == exact_score(player, board)
    midgame = MiniOthello(1, 5).search(player, board)[0]
    children = [-heuristic(opponent(player), after_move(move, player, board)) for move in legal_moves(player, board)]
    assert midgame == max(children)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_midgame_search_is_minimax(depth: int) -> None:
    for player, board in random_positions(4, seed=depth, last_move=40):
        assert MiniOthello(depth, 0).search(player, board)[0] == minimax(player, board, depth, heuristic)[0]


def test_moves_close_to_the_last_one_first() -> None:
    squares = [square_of(name) for name in ("h8", "d4", "e5", "f7", "e6")]
    assert close_to(square_of("e6"), squares)[:3] == [square_of("e6"), square_of("e5"), square_of("f7")]
    assert close_to(None, squares) == squares


CORNERS_OPEN = parse_board(
    """
    O . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . O X . . . . X
    """
)
WEDGE = parse_board(
    """
    O O . O O O X .
    . . . . . . . .
    . . X . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    """
)


def test_a_corner_is_traded_for_a_corner() -> None:
    assert quiescence_moves(BLACK, CORNERS_OPEN, (None, 11)) == [81]
    assert quiescence_moves(BLACK, CORNERS_OPEN, (88, 33)) == [81]
    assert quiescence_moves(BLACK, CORNERS_OPEN, (33, 34)) == [], "no corner was taken, the position counts as quiet"
    assert quiescence_moves(WHITE, CORNERS_OPEN, (None, 88)) == []


def test_no_wedge_where_it_captures_nothing_or_leads_nowhere() -> None:
    # c1 takes the white discs between it and g1, but h1 cannot be taken over a black edge.
    assert quiescence_moves(BLACK, WEDGE, (None, 11)) == []


def test_a_wedge_that_attacks_the_far_corner() -> None:
    board = WEDGE[:]
    board[17] = WHITE  # now c1 needs a capture elsewhere, d2 over to e3, and then takes h1 along the edge
    board[24], board[35] = WHITE, BLACK
    assert quiescence_moves(BLACK, board, (None, 11)) == [square_of("c1")]
    assert quiescence_moves(BLACK, board, (11, 35)) == [], "the wedge answers the corner at once or not at all"


def test_quiescence_sees_the_corner_that_comes_back() -> None:
    player, board = WHITE, CORNERS_OPEN[:]
    board[11] = 0
    board[12], board[13] = BLACK, WHITE  # white can take a1; then black takes a8
    assert 11 in legal_moves(WHITE, board)
    plain = MiniOthello(1, 0).search(player, board)[0]
    wise = MiniOthello(1, 0, quiescence=True).search(player, board)[0]
    assert plain - wise > 500
