"""The referee: lets strategies play each other, one game or many, and forbids illegal moves.

A strategy is a function of a player and a board that returns a square. After "Paradigms of Artificial Intelligence
Programming", sections 18.2 and 18.8: games between deterministic strategies begin with random moves, and every such
opening is played twice with the colours swapped, so that both sides share the luck of the opening.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from othello_bot.strategies.board import (
    BLACK,
    PLAYER_NAMES,
    WHITE,
    Board,
    Player,
    Square,
    initial_board,
    legal_moves,
    make_move,
    move_number,
    names,
    next_to_play,
    square_name,
)
from othello_bot.strategies.evaluations import count_difference

Strategy = Callable[[Player, Board], Square]
"""Chooses a legal move. It is called only if there is one, with its own copy of the board, which it may change."""

RANDOM_OPENING_MOVES = 10
"""Random moves at the start of each pair of games, as in the book's series."""


class IllegalStrategyMove(ValueError):
    """A strategy chose an illegal move; the message names the player and the square."""

    def __init__(self, player: Player, move: object, board: Board) -> None:
        shown = square_name(move) if isinstance(move, int) else repr(move)
        super().__init__(
            f"{PLAYER_NAMES[player]}'s strategy chose the illegal move {shown}: "
            f"expected one of {names(legal_moves(player, board))}"
        )
        self.player = player
        self.move = move
        self.board = board


def get_move(strategy: Strategy, player: Player, board: Board) -> Square:
    """Return the strategy's move; raise IllegalStrategyMove if it is illegal.

    The strategy receives a copy of the board, so it cannot cheat by changing discs.
    """
    move = strategy(player, board[:])
    if move not in legal_moves(player, board):
        raise IllegalStrategyMove(player, move, board)
    return move


def play_game(black: Strategy, white: Strategy, board: Board | None = None, player: Player = BLACK) -> Board:
    """Play a game to its end and return the last board. It begins at the start, or at `board` with `player` to move."""
    board = initial_board() if board is None else board[:]
    turn = next_to_play(board, WHITE if player == BLACK else BLACK)
    while turn is not None:
        make_move(get_move(black if turn == BLACK else white, turn, board), turn, board)
        turn = next_to_play(board, turn)
    return board


def switch_strategies(first: Strategy, moves: int, then: Strategy) -> Strategy:
    """Return the strategy that plays `first` up to move number `moves` of the game, and `then` afterwards."""

    def strategy(player: Player, board: Board) -> Square:
        return (first if move_number(board) <= moves else then)(player, board)

    return strategy


def random_opening(moves: int, rng: random.Random) -> tuple[Board, Player]:
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


@dataclass(frozen=True)
class Series:
    """The result of a series: the disc difference of each game, from the first strategy's view."""

    scores: tuple[int, ...]

    @property
    def wins(self) -> float:
        """Games won by the first strategy, draws as half a win."""
        return sum(score > 0 for score in self.scores) + sum(score == 0 for score in self.scores) / 2

    @property
    def margin(self) -> int:
        """The sum of the disc differences."""
        return sum(self.scores)


def play_pair(first: Strategy, second: Strategy, board: Board, player: Player) -> tuple[int, int]:
    """Play both colours from a position and return the disc differences from the first strategy's view."""
    as_black = count_difference(BLACK, play_game(first, second, board, player))
    as_white = count_difference(WHITE, play_game(second, first, board, player))
    return as_black, as_white


def random_series(
    first: Strategy, second: Strategy, pairs: int, seed: int = 0, opening_moves: int = RANDOM_OPENING_MOVES
) -> Series:
    """Play `pairs` random openings, each with both colours, and return the series from the first strategy's view."""
    rng = random.Random(seed)
    scores: list[int] = []
    for _ in range(pairs):
        scores += play_pair(first, second, *random_opening(opening_moves, rng))
    return Series(tuple(scores))
