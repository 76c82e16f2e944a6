"""Metareasoning: thinking about whether to think on.

After S. Russell and E. Wefald (1989) as told in "Paradigms of Artificial Intelligence Programming", section 18.13: each
candidate move has a value and a variance, how far the value may still move. When the best move is clearly better than
the next, or when neither will move any more, further search would not change the choice. Only two close and restless
moves are worth more time. The variance of a move is taken from the values that the rounds of iterative deepening gave
it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.strategies.board import Square

CLEAR_DEVIATIONS: Final = 2.0
"""Standard deviations of the difference by which the best move must lead to be clearly better."""

LOW_DEVIATION: Final = 2.0
"""Standard deviation, in units of the evaluation, up to which a value counts as at rest."""

MINIMUM_ROUNDS: Final = 3
"""Values needed before a variance means anything; two may agree by chance."""


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
        """How much the value has moved between the latest rounds; infinite as long as there are too few of them.

        >>> Candidate(11, [5, 5, 5]).variance, Candidate(11, [5]).variance
        (0, inf)
        """
        if len(self.values) < MINIMUM_ROUNDS:
            return math.inf
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
