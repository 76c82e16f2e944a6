"""Which searches judge a move: those of a level, which are made for the review of a game, or the same for each move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from othello_bot.engine import SELECTIVITIES, Limits, Line, exact_empties

DEFAULT_LEVEL: Final = 16
"""Level of a review unless another one is given."""

SELECTIVE_EMPTIES: Final = 2
"""So many empties before the exact searches begin selective ones to the end of the game. The levels begin them six
empties before; the four between cost several times the rest of the review.
"""

SELECTIVE_FROM_LEVEL: Final = 11
"""From this level on, a level prunes selectively."""


STRIDE: Final = 4
"""Plies between the iterations of a search: the table knows much of a position from the search of the one before."""


class Plan(ABC):
    """The limits of the searches that judge the moves of a game."""

    @abstractmethod
    def limits(self, empties: int) -> Limits:
        """Return the limits of a search for the best move, with this number of empties."""

    @abstractmethod
    def comparison(self, best: Line, move: int) -> Limits:
        """Return the limits of the search that compares a move with the best line, to its depth and selectivity.

        It finds the score of the move, and may find that of the best one again.
        """

    @abstractmethod
    def goes_backwards(self, empties: int) -> bool:
        """Return whether a position with this number of empties is judged by the position after it.

        Its search then reaches the end of the game. Forced moves are judged so wherever they are made, and searched
        only if no position is.
        """

    @property
    def searches_forced_moves(self) -> bool:
        """Whether forced moves are searched like others."""
        return False


@dataclass(frozen=True, slots=True)
class LevelPlan(Plan):
    """The searches of a level: a review costs a fraction of playing the game at the same level."""

    level: int

    def limits(self, empties: int) -> Limits:
        """Return a search to the depth of the level; it is exact wherever the level plays perfectly."""
        exact = exact_empties(self.level)
        if empties <= exact or self.level < SELECTIVE_FROM_LEVEL:
            return Limits(level=self.level, stride=STRIDE)
        depth = empties if empties <= exact + SELECTIVE_EMPTIES else self.level
        return Limits(depth=depth, selectivity=SELECTIVITIES[0], stride=STRIDE)

    def comparison(self, best: Line, move: int) -> Limits:
        """Return a search of the move alone: the score of the best one is known."""
        alone = frozenset((move,))
        return Limits(depth=best.depth, selectivity=best.selectivity, considered=alone, stride=STRIDE)

    def goes_backwards(self, empties: int) -> bool:
        """Return whether the search reaches the end of the game."""
        lead = SELECTIVE_EMPTIES if self.level >= SELECTIVE_FROM_LEVEL else 0
        return empties <= max(exact_empties(self.level) + lead, self.level, 1)


@dataclass(frozen=True, slots=True)
class EqualPlan(Plan):
    """The same limits for each position, whatever they are: depth, time, nodes or a level as in a game."""

    each: Limits

    def limits(self, empties: int) -> Limits:
        """Return the limits."""
        return self.each

    def comparison(self, best: Line, move: int) -> Limits:
        """Return a search of both moves: that for the best one may have been cut short, by time for example."""
        both = frozenset((best.move, move))
        return Limits(depth=max(1, best.depth), selectivity=best.selectivity, multi_pv=2, considered=both)

    def goes_backwards(self, empties: int) -> bool:
        """Return False: limits may end a search before the end of the game."""
        return False

    @property
    def searches_forced_moves(self) -> bool:
        """Whether forced moves are searched like others: they are."""
        return True
