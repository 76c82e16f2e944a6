"""The steps of playing strength, from a beginner to the champion.

The lower steps are people: rated, they draw their moves from what people of that rating play (`engine/people.py`). The
upper ones are levels of the engine, and the champion is the engine itself under its own limits. Only the champion
depends on time. `scripts/measure strength-ladder` measures how each does against its neighbours;
docs/development/strength.md has the results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MEAN_RATING: Final = 1500
"""The mean rating of players with 30 games or more in the tournaments of 2015 to 2023."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays as people of a `rating` do.

    `look`: how much he looks ahead: 0 is what people see at a glance, 1 what they play in tournaments, and more counts the
    search for more. `width`: how evenly he chooses among the moves that he considers; 1 as people of his rating do.
    """

    rating: int
    look: float = 1.0
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class StrengthStep:
    """One step: a `person`, or the engine at a `level`; both None for the champion.

    `book_plies`: the plies at the start of a game that it plays from the opening book. People know their own openings.
    """

    person: Person | None = None
    level: int | None = None
    book_plies: int = 60


_PEOPLE: Final = (
    # Weaker than tournament players: people of the lowest rating in the model, choosing more evenly than those do.
    Person(500, 0.0, 3.0),
    Person(500, 0.0, 1.4),
    # They play what they see at a glance.
    Person(525, 0.0),
    Person(610, 0.0),
    Person(740, 0.0),
    Person(915, 0.0),
    Person(1020, 0.6),
    # They play as people of their rating do.
    Person(1105),
    Person(1230),
    Person(1350),
    Person(1480),
    Person(1640),
    Person(1790),
    # The best look a little further than the model says.
    Person(1950, 1.25),
)
"""The people, chosen by matches, so that each step scores 60 to 75 % against the one before it."""

_LEVELS: Final = (3, 4, 5, 6, 7, 8, 9, 11, 14, 17)
"""Levels of the upper steps, chosen the same way."""

STEPS: Final = (
    *(StrengthStep(person=person, book_plies=0) for person in _PEOPLE),
    *(StrengthStep(level=level) for level in _LEVELS),
    StrengthStep(),
)
"""The steps by number; the first is 1."""

CHAMPION: Final = len(STEPS)

NAMES: Final = (
    ("beginner", 1),
    ("novice", 4),
    ("casual", 6),
    ("hobbyist", 8),
    ("club", 10),
    ("strong", 13),
    ("expert", 16),
    ("master", 19),
    ("grandmaster", 23),
    ("champion", CHAMPION),
)
"""Names of some steps, the weakest first."""

NEWCOMERS: Final = 6
"""The step of the opponent that people meet who name none, `casual`: at the terminal, on the page, in the environments.

A first game should be neither lost to the champion nor won against random moves; `casual` plays what a player without
tournaments sees. Programs that name no limits meet the champion at the default level.
"""

HIGHEST_PERSON: Final = max(one.rating for one in _PEOPLE)
"""The rating of the strongest person, which is the highest that the model of people is asked for (`policy`)."""

LEAST_RATING: Final = 100
MOST_RATING: Final = 3000


def step(number: int) -> StrengthStep:
    """Return the step of a number from 1 to `CHAMPION`."""
    return STEPS[number - 1]


def nearest_to(number: int) -> int:
    """Return the step with a number from 1 to CHAMPION or, for a rating, the person whose rating is nearest.

    Of two equally near ones, return the higher step. Raise ValueError for any other number.
    """
    if 1 <= number <= CHAMPION:
        return number
    if not LEAST_RATING <= number <= MOST_RATING:
        raise ValueError(f"{number} is neither a step nor a rating")
    ratings = {place: one.person.rating for place, one in enumerate(STEPS, 1) if one.person is not None}
    return min(ratings, key=lambda place: (abs(ratings[place] - number), -place))


def in_words(number: int) -> str:
    """Return what a step is: `rated 1350`, `the engine at level 4`, `the engine`."""
    one = step(number)
    if one.person is not None:
        return f"rated {one.person.rating}"
    return "the engine" if one.level is None else f"the engine at level {one.level}"
