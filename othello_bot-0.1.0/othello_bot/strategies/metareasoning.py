"""Which moves deserve a search: forward pruning, and when further search would not change the choice.

After "Paradigms of Artificial Intelligence Programming", section 18.13: Bill's plausible moves, and nonspeculative
pruning, which is based on the largest change of the disc difference by one move.

After S. Russell and E. Wefald (1989) as described in "Paradigms of Artificial Intelligence Programming", section 18.13:
each candidate move has a value and a variance, which tells how much the value may still change. If the best move is
clearly better than the next, or if neither will change any more, further search would not affect the choice. Only two
close moves with changing values are worth more time. The variance of a move is computed from the values in the rounds
of iterative deepening.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.strategies.board import CORNERS, EMPTY, NEIGHBORS, PaddedBoard, Square

CLEAR_DEVIATIONS: Final = 2.0
"""Lead of a clearly better move, in standard deviations of the difference."""

LOW_DEVIATION: Final = 2.0
"""Largest standard deviation of a settled value, in units of the evaluation."""

MINIMUM_ROUNDS: Final = 3
"""Fewest values for a meaningful variance; two may agree by chance."""


class Verdict(Enum):
    """Whether to search on."""

    CONTINUE = "continue"
    CLEAR = "the best move is clearly better"
    SETTLED = "both candidates are at rest"


@dataclass(frozen=True)
class Candidate:
    """A move and its values from the rounds so far, the latest last."""

    move: Square
    values: Sequence[int]

    @property
    def value(self) -> int:
        """The latest value."""
        return self.values[-1]

    @property
    def variance(self) -> float:
        """Variance of the value over the latest rounds; infinite while there are too few of them.

        >>> Candidate(11, [5, 5, 5]).variance, Candidate(11, [5]).variance
        (0, inf)
        """
        if len(self.values) < MINIMUM_ROUNDS:
            return math.inf
        import statistics  # imported here: a listing of the strategies does not need it

        return statistics.pvariance(self.values[-MINIMUM_ROUNDS:])


def verdict(best: Candidate, second: Candidate) -> Verdict:
    """Return whether more search could change the choice between the two best moves.

    >>> verdict(Candidate(11, [90, 91, 90]), Candidate(12, [3, 2, 3])).name
    'CLEAR'
    >>> verdict(Candidate(11, [4, 4, 4]), Candidate(12, [4, 4, 3])).name
    'SETTLED'
    >>> verdict(Candidate(11, [40, 4, 44]), Candidate(12, [4, 50, 43])).name
    'CONTINUE'
    """
    uncertainty = best.variance + second.variance
    if uncertainty == math.inf:
        return Verdict.CONTINUE
    if max(best.variance, second.variance) <= LOW_DEVIATION**2 and best.value - second.value <= LOW_DEVIATION:
        return Verdict.SETTLED
    if best.value - second.value > CLEAR_DEVIATIONS * math.sqrt(uncertainty):
        return Verdict.CLEAR
    return Verdict.CONTINUE


LARGEST_DISC_GAIN: Final = 37
"""The largest gain of a move in disc difference: its own disc, and 18 flipped ones, from a corner."""
CENTER_DISC_GAIN: Final = 39
"""The same for the four central squares, which are occupied from the start in every usual game."""
CENTER: Final = (44, 45, 54, 55)

CORNER_OF_NEIGHBOR: Final = {square: corner for corner in CORNERS for square in NEIGHBORS[corner]}
"""The corner beside each C- and X-square."""


def largest_gain(board: PaddedBoard) -> int:
    """Return the largest gain in disc difference of any move on this board or later in the game.

    >>> from othello_bot.strategies.board import empty_board, initial_board
    >>> largest_gain(initial_board()), largest_gain(empty_board())
    (37, 39)
    """
    return CENTER_DISC_GAIN if EMPTY in map(board.__getitem__, CENTER) else LARGEST_DISC_GAIN


def plausible_moves(moves: list[Square], board: PaddedBoard) -> list[Square]:
    """Return the moves without those beside an empty corner, or all of them if no others are left.

    >>> from othello_bot.strategies.board import empty_board
    >>> plausible_moves([12, 22, 33], empty_board()), plausible_moves([12, 22], empty_board())
    ([33], [12, 22])
    """
    kept = [move for move in moves if move not in CORNER_OF_NEIGHBOR or board[CORNER_OF_NEIGHBOR[move]] != EMPTY]
    return kept or moves
