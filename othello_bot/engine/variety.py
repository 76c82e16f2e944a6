"""Variety of openings beyond the book: draw early moves from those that a quick search finds nearly equal.

The book has few replies to what people play, and a search always plays the same move. If `book_randomness` is above 0,
the first moves outside the book are therefore drawn like book moves: the less a move loses, the likelier it is.
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
"""Plies of a game in which moves are varied; later, a disc given away is lost."""

COMPARED_DEPTH: Final = 8
"""Depth in plies of the comparison: a few milliseconds, with an error of about two discs this early."""

LEAD: Final = 4
"""Lead in discs above which the rest may be given away, so that play against weak moves varies too."""


def comparison(position: Position, limits: Limits, randomness: int) -> Limits | None:
    """Return the limits of the quick search that `drawn` needs, within those of the move; None if moves are not varied.
    """
    choices = position.legal_bits.bit_count()
    if randomness <= 0 or choices < 2 or position.empties <= 60 - VARIED_PLIES:
        return None
    return replace(limits, depth=min(limits.depth or COMPARED_DEPTH, COMPARED_DEPTH), multi_pv=choices)


def drawn(compared: SearchResult, randomness: int, most_loss: int, rng: random.Random) -> SearchResult | None:
    """Return the comparison with the drawn move put first; None if that is the best one, which deserves a full search.
    """
    best = compared.best
    # After an interrupted search the lines differ in depth, so their scores cannot be compared.
    losses = {line: max(0, min(best.score, LEAD) - line.score) for line in compared.lines if line.depth == best.depth}
    near = [line for line, loss in losses.items() if loss <= allowed_loss(randomness, most_loss)]
    (chosen,) = rng.choices(near, [likelihood_of_loss(losses[line], randomness) for line in near])
    if chosen is best:
        return None
    return replace(compared, lines=(chosen, *(line for line in compared.lines if line is not chosen)))
