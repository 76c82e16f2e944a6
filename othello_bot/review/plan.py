"""Which search judges a position of a game: a review costs a fraction of playing the game at the same level."""

from __future__ import annotations

from typing import Final

from othello_bot.engine import SELECTIVITIES, Limits, exact_empties

DEFAULT_LEVEL: Final = 16
"""Level of a review unless another one is given."""

SELECTIVE_EMPTIES: Final = 2
"""So many empties before the exact searches begin selective ones to the end of the game. The levels begin them six
empties before; the four between cost several times the rest of the review.
"""

SELECTIVE_FROM_LEVEL: Final = 11
"""From this level on, a level prunes selectively."""


def limits_at(level: int, empties: int) -> Limits:
    """Return the limits of a search that judges a position with this number of empties.

    The depth is that of the level, and the search is exact wherever the level plays perfectly.
    """
    exact = exact_empties(level)
    if empties <= exact or level < SELECTIVE_FROM_LEVEL:
        return Limits(level=level, sparse=True)
    depth = empties if empties <= exact + SELECTIVE_EMPTIES else level
    return Limits(depth=depth, selectivity=SELECTIVITIES[0], sparse=True)


def reaches_the_end(level: int, empties: int) -> bool:
    """Return whether that search reaches the end of the game."""
    lead = SELECTIVE_EMPTIES if level >= SELECTIVE_FROM_LEVEL else 0
    return empties <= max(exact_empties(level) + lead, level, 1)
