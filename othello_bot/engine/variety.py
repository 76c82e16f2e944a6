"""Variety of openings beyond the book: early moves by lot among those that a quick search finds nearly equal.

The book knows few replies to what people play, and a search always plays the same. Where `book_randomness` is above 0,
the first moves outside the book are therefore drawn as the book draws: the less a move loses, the likelier it is.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from othello_bot.book import allowed_loss, likelihood_of_loss
from othello_bot.engine.limits import Limits
from othello_bot.rules import Position

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult

VARIED_PLIES: Final = 14
"""Plies of a game in which moves are varied; later on a disc given away is a disc lost."""

COMPARED_DEPTH: Final = 8
"""Plies to which all moves are compared: a few milliseconds, and right to about two discs this early."""

LEAD: Final = 4
"""Discs: of a larger lead nothing need be kept, so that there is variety against weak moves too."""


def comparison(position: Position, limits: Limits, randomness: int) -> Limits | None:
    """Return the limits of the quick search that `drawn` needs, within those of the move; None where nothing is
    varied."""
    choices = position.legal_bits.bit_count()
    if randomness <= 0 or choices < 2 or position.empties <= 60 - VARIED_PLIES:
        return None
    return replace(limits, depth=min(limits.depth or COMPARED_DEPTH, COMPARED_DEPTH), multi_pv=choices)


def drawn(compared: SearchResult, randomness: int, rng: random.Random) -> SearchResult | None:
    """Return the comparison with the move that was drawn put first; None where that is the best one, worth a real
    search."""
    best = compared.best
    # In a search that was cut short the lines are not equally deep, and their scores cannot be compared.
    losses = {line: max(0, min(best.score, LEAD) - line.score) for line in compared.lines if line.depth == best.depth}
    near = [line for line, loss in losses.items() if loss <= allowed_loss(randomness)]
    (chosen,) = rng.choices(near, [likelihood_of_loss(losses[line], randomness) for line in near])
    if chosen is best:
        return None
    return replace(compared, lines=(chosen, *(line for line in compared.lines if line is not chosen)))
