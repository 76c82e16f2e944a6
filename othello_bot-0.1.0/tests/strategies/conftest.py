"""Random positions, and their exact scores."""

from __future__ import annotations

import random

from othello_bot.strategies.board import (
    BLACK,
    PaddedBoard,
    PlayerPiece,
    after_move,
    any_legal_move,
    empties,
    initial_board,
    legal_moves,
    make_move,
    next_to_play,
    opponent,
)
from othello_bot.strategies.evaluations import final_score


def random_opening(moves: int, rng: random.Random) -> tuple[PaddedBoard, PlayerPiece]:
    """Return a board after that many random moves, and the player to move; discard games that end earlier."""
    while True:
        board, turn = initial_board(), BLACK
        for _ in range(moves):
            make_move(rng.choice(legal_moves(turn, board)), turn, board)
            following = next_to_play(board, turn)
            if following is None:
                break
            turn = following
        else:
            return board, turn


def random_positions(
    count: int, seed: int, first_move: int = 4, last_move: int = 50
) -> list[tuple[PlayerPiece, PaddedBoard]]:
    """Return positions from random games with a player who has a move, after a number of moves within limits."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        board, player = random_opening(rng.randint(first_move, last_move), rng)
        found.append((player, board))
    assert len({empties(board) for _, board in found}) > count // 4
    return found


def exact_score(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the final score of best play by trying everything."""
    other = opponent(player)
    moves = legal_moves(player, board)
    if moves:
        return max(-exact_score(other, after_move(move, player, board)) for move in moves)
    return -exact_score(other, board) if any_legal_move(other, board) else final_score(player, board)
