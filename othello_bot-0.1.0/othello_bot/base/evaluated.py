"""The one value for a move with what is known about it: from a search, a book, a model of people, a rule, a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from othello_bot.base.notation import RESIGN, move_name


class Bound(IntEnum):
    """How a score relates to the true one: equal to it, at most it (a lower bound), or at least it (an upper bound)."""

    EXACT = 0
    LOWER = 1
    UPPER = 2


class ChosenBy(str, Enum):
    """The source of a move."""

    SEARCH = "search"
    PERSON = "person"
    BOOK = "book"
    STRATEGY = "strategy"
    RULES = "rules"
    """A forced pass."""

    __str__ = str.__str__


@dataclass(frozen=True, slots=True)
class EvaluatedMove:
    """A move with its score, and where both come from. What is not known is None, or empty.

    Attributes:
        move: 0..63, 64 for a pass; `RESIGN` if the player resigns.
        score: discs from the mover's view: whole ones from our own searches and books.
        pv: the principal variation, which begins with the move; a pass in it is 64.
        depth: plies of the search that the score comes from.
        selectivity: of that search in percent; 100 is full width.
        exact: the score is proven, full width to the end of the game, or a wipe-out.
        bound: whether the score is only a bound of the true one.
        source: where the move comes from.
        by: who says it: the name of a program; empty for this one.
        words: the depth in that program's own words.
        nodes: positions searched.
        time_s: seconds that it took.
        planned_s: seconds that the player wanted to use.
    """

    move: int
    score: float | None = None
    pv: tuple[int, ...] = ()
    depth: int = 0
    selectivity: int = 100
    exact: bool = False
    bound: Bound = Bound.EXACT
    source: ChosenBy = ChosenBy.SEARCH
    by: str = field(default="", compare=False)
    words: str = ""
    nodes: int | None = None
    time_s: float | None = None
    planned_s: float | None = None

    def __repr__(self) -> str:
        move = "resigns" if self.move == RESIGN else move_name(self.move)
        score = "" if self.score is None else f" {self.score:+g}"
        pv = f" pv {' '.join(map(move_name, self.pv))}" if self.pv else ""
        return f"<EvaluatedMove {move}{score} {self.reached()} {self.bound.name.lower()}{pv}>"

    @property
    def discs(self) -> int:
        """The score in whole discs; ValueError without one."""
        if self.score is None:
            raise ValueError(f"no score is known of {self!r}")
        return round(self.score)

    @property
    def expected(self) -> int | None:
        """The reply that the principal variation expects; None if it ends before."""
        return self.pv[1] if len(self.pv) > 1 else None

    def reached(self) -> str:
        """Return the depth of the search in words: "14@73%", "22@98%" or "exact", or the program's own."""
        return self.words or ("exact" if self.exact else f"{self.depth}@{self.selectivity}%")
