"""The hand-made evaluation against the same terms counted square by square."""

from __future__ import annotations

import random

from othello_bot import kernel
from tests import oracle
from tests.kernel.positions import BitboardPair, empties_of, filled, played

CORNERS = {11: (22, (12, 21)), 18: (27, (17, 28)), 81: (72, (71, 82)), 88: (77, (78, 87))}
"""The cells of the corners, with the X-square and the C-squares of each."""
PLAIN_EDGES = (13, 14, 15, 16, 31, 41, 51, 61, 38, 48, 58, 68, 83, 84, 85, 86)


def board_of(mover: int, opponent: int) -> list[str]:
    """Return the oracle's board, the mover as X."""
    return oracle.board_of("".join("-XO"[(mover >> i & 1) + 2 * (opponent >> i & 1)] for i in range(64)))


def frontier(board: list[str], player: str) -> int:
    """Return the number of empty cells next to the other player's discs."""
    other = oracle.OTHER[player]
    return sum(board[cell] == "." and any(board[cell + d] == other for d in oracle.DIRECTIONS) for cell in oracle.CELLS)


def squares_value(board: list[str], player: str) -> int:
    """Return what one side's discs on corners, edges and next to empty corners are worth, in 1/128 disc."""
    value = 60 * sum(board[cell] == player for cell in PLAIN_EDGES)
    for corner, (x_square, c_squares) in CORNERS.items():
        value += 1000 * (board[corner] == player)
        if board[corner] == ".":
            value -= 450 * (board[x_square] == player) + 180 * sum(board[cell] == player for cell in c_squares)
    return value


def value_of(mover: int, opponent: int) -> float:
    board = board_of(mover, opponent)
    empties = empties_of(mover, opponent)
    moves = len(oracle.all_moves(board, "X")) - len(oracle.all_moves(board, "O"))
    potential = frontier(board, "X") - frontier(board, "O")
    value = int((110 * moves + 45 * potential) * (min(empties, 20) + 8) / 28)
    value += squares_value(board, "X") - squares_value(board, "O")
    stable = kernel.stable_discs(mover, opponent).bit_count() - kernel.stable_discs(opponent, mover).bit_count()
    value += 160 * stable
    if empties < 20:
        value += int((board.count("X") - board.count("O")) * (20 - empties) * 128 / 40)
    if empties % 2 == 0:
        value -= 160
    return value / 128


def test_value_is_the_sum_of_its_terms() -> None:
    rng = random.Random(21)
    positions: list[BitboardPair] = [played(rng, empties) for empties in range(1, 60) for _ in range(3)]
    positions += [filled(rng, rng.randrange(50), rng.random()) for _ in range(100)]
    for mover, opponent in positions:
        assert kernel.handmade_value(mover, opponent) == value_of(mover, opponent)
