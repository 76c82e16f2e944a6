"""Marappan and Hingorani's Reversi: points for squares, Min-Max and Alpha-Beta, measured against random play.

A student project that compares Min-Max with Alpha-Beta at depths 1 to 6. The value of a board is the points of a
player's squares minus those of the opponent's: a corner 5, the X-square across from it -2, the C-squares beside it -1,
each of the "sweet sixteen" in the middle 2, everything else 1; and 5 points if the opponent must skip his turn. Its
analysis mode plays games against random moves and prints the percentage won and the time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from othello_bot.base.errors import counted
from othello_bot.strategies.board import (
    BLACK,
    WHITE,
    PaddedBoard,
    PlayerPiece,
    Square,
    Strategy,
    after_move,
    any_legal_move,
    legal_moves,
    opponent,
    play_game,
)
from othello_bot.strategies.evaluations import LOSING_VALUE, WINNING_VALUE, count_difference, weighed
from othello_bot.strategies.searchers import Interrupted, alpha_beta, interruptible, minimax, random_strategy

SKIPPED_TURN_POINTS: Final = 5

# fmt: off
POINTS: Final = (
    0,  0,  0, 0, 0, 0, 0,  0,  0, 0,
    0,  5, -1, 1, 1, 1, 1, -1,  5, 0,
    0, -1, -2, 1, 1, 1, 1, -2, -1, 0,
    0,  1,  1, 2, 2, 2, 2,  1,  1, 0,
    0,  1,  1, 2, 2, 2, 2,  1,  1, 0,
    0,  1,  1, 2, 2, 2, 2,  1,  1, 0,
    0,  1,  1, 2, 2, 2, 2,  1,  1, 0,
    0, -1, -2, 1, 1, 1, 1, -2, -1, 0,
    0,  5, -1, 1, 1, 1, 1, -1,  5, 0,
    0,  0,  0, 0, 0, 0, 0,  0,  0, 0,
)
# fmt: on
"""The points grid."""

ALGORITHMS: Final = ("minimax", "alpha-beta")


def points(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the points of the player's squares minus those of the opponent's, plus 5 for a skipped turn.

    The skipped turn counts for the side that can move while the other cannot.

    >>> from othello_bot.strategies.board import BLACK, initial_board, make_move, square_of
    >>> points(BLACK, make_move(square_of("d3"), BLACK, initial_board()))  # four discs of 2 to one
    6
    """
    skipped = any_legal_move(player, board) - any_legal_move(opponent(player), board)
    return weighed(player, board, POINTS) + SKIPPED_TURN_POINTS * skipped


class Marappan:
    """The program's player at a depth in plies; `algorithm` is one of ALGORITHMS, ValueError for any other."""

    def __init__(self, depth: int, algorithm: str = "alpha-beta") -> None:
        if algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm {algorithm!r}: expected one of {', '.join(ALGORITHMS)}")
        self.depth = depth
        self.algorithm = algorithm

    def __call__(self, player: PlayerPiece, board: PaddedBoard) -> Square:
        """Return the move to play."""
        return self.suggest(player, board)[1]

    def suggest(self, player: PlayerPiece, board: PaddedBoard) -> tuple[int, Square]:
        """Return the points that the best move leads to, and that move; raise ValueError if there is no legal move.

        >>> from othello_bot.strategies.board import BLACK, initial_board, square_name
        >>> value, move = Marappan(1).suggest(BLACK, initial_board())
        >>> value, square_name(move)
        (6, 'd3')
        """
        if self.algorithm == "minimax":
            value, move = minimax(player, board, self.depth, points)
        else:
            value, move = alpha_beta(player, board, LOSING_VALUE, WINNING_VALUE, self.depth, points)
        if move is None:
            raise ValueError("a suggestion was asked for without a legal move: expected at least one")
        return value, move

    def suggestions(self, player: PlayerPiece, board: PaddedBoard) -> list[tuple[int, Square]]:
        """Return every legal move with the points it leads to, the best first."""
        other = opponent(player)
        found = []
        for move in legal_moves(player, board):
            child = after_move(move, player, board)
            value, _ = alpha_beta(other, child, LOSING_VALUE, WINNING_VALUE, self.depth - 1, points)
            found.append((-value, move))
        return sorted(found, key=lambda pair: -pair[0])


@dataclass(frozen=True)
class RandomGames:
    """The results of games against random moves; the time is that of all games, including the random player's moves."""

    wins: int
    draws: int
    losses: int
    time_s: float

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def win_percentage(self) -> float:
        """Games won, in percent; draws do not count as wins."""
        return 100.0 * self.wins / self.games if self.games else 0.0

    def __str__(self) -> str:
        return (
            f"{counted(self.games, 'game')}: {self.wins} won, {self.draws} drawn, {self.losses} lost; "
            f"{self.win_percentage:.1f} % won, {self.time_s:.2f} s"
        )


def analyze(
    strategy: Strategy,
    games: int,
    seed: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
) -> RandomGames:
    """Play games against random moves and return their results; the strategy plays black and white in turn.

    `should_stop` is checked at every board of a search and after each game; finished games count.
    """
    margins: list[int] = []
    rng = random.Random(seed)
    begin = time.perf_counter()
    for number in range(games):
        try:
            with interruptible(should_stop):
                margins.append(versus_random(strategy, rng.getrandbits(32), BLACK if number % 2 == 0 else WHITE))
        except Interrupted:
            break
        if should_stop():
            break
    return RandomGames(
        wins=sum(margin > 0 for margin in margins),
        draws=margins.count(0),
        losses=sum(margin < 0 for margin in margins),
        time_s=time.perf_counter() - begin,
    )


def versus_random(strategy: Strategy, seed: int, color: PlayerPiece) -> int:
    """Play a game of the strategy as `color` against random moves and return its disc difference."""
    other = random_strategy(seed)
    black, white = (strategy, other) if color == BLACK else (other, strategy)
    return count_difference(color, play_game(black, white))
