"""The degrees of variety: how much moves may lose that are drawn, and what they have lost. `book_use` draws them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.rules import Game, Position

VARIED_PLIES: Final = 18
"""Plies of a game in which moves outside the book may lose something; later, a disc given away is lost."""

PROVEN_EMPTIES: Final = 24
"""Empty squares from which on moves are varied that are proven to be equal."""

CLOSE_DISCS: Final = 10
"""Largest score of either side at which such a move is drawn: beyond it, two searches differ by several discs."""


@dataclass(frozen=True, slots=True)
class Variety:
    """How moves are varied.

    `randomness` in percent; `most_loss`: discs that a move may lose at a randomness of 100 %, fewer below; `game_loss`:
    discs that the moves of one game may lose together.
    """

    randomness: int
    most_loss: int
    game_loss: float = math.inf

    def left(self, given_away: int) -> float:
        """Return the discs that the rest of a game may lose."""
        return max(0, self.game_loss - given_away)


VARIETIES: Final = {"off": Variety(0, 1), "little": Variety(12, 1, 2), "much": Variety(100, 2, 4)}
"""The values of the option `variety`."""

FOR_PEOPLE: Final = "little"
"""The variety of an opponent of people: in `play` and on the page. Everywhere else it is off."""


class GivenAway:
    """The discs that the engine has given away in its latest games, by the position after each of its moves."""

    LATEST: Final = 1000
    """Moves that are remembered: those of many games at once."""

    def __init__(self) -> None:
        self._discs: dict[Position, int] = {}

    def before(self, place: Position | Game) -> int:
        """Return the discs given away before a position: in its game, or in the one that its last two moves continue."""
        if isinstance(place, Game):
            color = place.position.color
            before = (place.position_at(ply) for ply in range(place.ply - 1, 0, -1))
            return next((self._discs[one] for one in before if one.color is not color and one in self._discs), 0)
        return max((discs for after, discs in self._discs.items() if _leads_to(after, place)), default=0)

    def note(self, after: Position, discs: int) -> None:
        """Remember the discs given away up to a position after an own move."""
        self._discs.pop(after, None)
        self._discs[after] = discs
        if len(self._discs) > self.LATEST:
            del self._discs[next(iter(self._discs))]


def _leads_to(after: Position, place: Position) -> bool:
    """Return whether one move, or a pass, leads from a position to another."""
    if after.empties - place.empties not in (0, 1):
        return False
    return not after.is_over and any(after.play(move) == place for move in after.legal_moves or (PASS,))
