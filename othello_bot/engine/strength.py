"""The steps of playing strength, from a beginner to the champion: what each sees, knows and gets wrong.

The lower steps play as people do (`othello_bot.engine.amateur`), the upper ones are levels of the engine, and the
champion is the engine itself under its own limits. Only the champion depends on time. `scripts/measure strength-ladder`
measures how each does against its neighbours; docs/strength.md has the results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Faculties:
    """The abilities of a person; values are in discs unless stated otherwise.

    sight         plies that he looks ahead, including his own move
    inattention   how often he misses a move, his own or an answer: 0 never, 1 nearly always where it is hard to see
    greed         value of a disc on the board to him now
    corners       value of a corner to him, in addition to its disc
    advice        how much he follows books for beginners (mobility, corners, edges, stable discs): 0 to 1
    misjudgement  standard deviation of his error about a position
    counting      empty squares from which he counts the game to its end
    training      how much he judges by the engine's learned evaluation in place of greed, corners and advice: 0 to 1
    """

    sight: int
    inattention: float = 0.0
    greed: float = 0.0
    corners: float = 0.0
    advice: float = 0.0
    misjudgement: float = 0.0
    counting: int = 0
    training: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a person with `faculties`, or the engine at a `level`; both None for the champion.

    `book_plies`: the plies at the start of a game that it plays from the opening book.
    """

    faculties: Faculties | None = None
    level: int | None = None
    book_plies: int = 60


_AMATEURS: Final = (
    # Sight 1: the board after his own move. The first knows nothing but discs, the next two learn of corners and edges.
    (0, Faculties(1, 0.80, 1.00, 0.0, 0.00, 1.00, 0)),
    (0, Faculties(1, 0.69, 0.94, 2.6, 0.11, 1.60, 0)),
    (1, Faculties(1, 0.55, 0.88, 6.0, 0.25, 2.40, 1)),
    # Sight 2: the answer too. The first to see it fears for corners most; then discs and corners count less and less,
    # what books say more and more.
    (1, Faculties(2, 0.27, 1.00, 28.0, 0.00, 4.20, 1)),
    (2, Faculties(2, 0.27, 0.72, 12.0, 0.24, 3.10, 2)),
    (2, Faculties(2, 0.24, 0.52, 4.8, 0.48, 2.22, 2)),
    (3, Faculties(2, 0.19, 0.36, 3.3, 0.64, 2.10, 3)),
    (4, Faculties(2, 0.18, 0.24, 2.1, 0.76, 1.44, 3)),
    (4, Faculties(2, 0.11, 0.09, 0.8, 0.90, 1.05, 4)),
    # Sight 3: his own next move as well.
    (5, Faculties(3, 0.14, 0.00, 0.0, 1.00, 1.45, 5)),
    (6, Faculties(3, 0.07, 0.00, 0.0, 1.00, 0.70, 5)),
    (8, Faculties(3, 0.00, 0.00, 0.0, 1.00, 0.00, 6)),
    # A trained eye judges a position so well that it needs to see less of what follows. It knows more with each step,
    # and the last sees his own next move again.
    (8, Faculties(2, 0.03, 0.00, 0.0, 1.00, 0.40, 5, training=0.21)),
    (10, Faculties(2, 0.03, 0.00, 0.0, 1.00, 0.40, 5, training=0.31)),
    (12, Faculties(2, 0.02, 0.00, 0.0, 1.00, 0.40, 5, training=0.52)),
    (14, Faculties(2, 0.01, 0.00, 0.0, 1.00, 0.40, 5, training=0.95)),
    (16, Faculties(3, 0.00, 0.00, 0.0, 1.00, 0.40, 6, training=0.60)),
)
"""Book plies and faculties of the lower steps. The numbers were chosen by matches, so that each step scores 60 to 75 %
against the one before it; within a sight every faculty goes one way.
"""

_LEVELS: Final = (3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17)
"""Levels of the upper steps, chosen the same way."""

STEPS: Final = (
    *(Step(faculties=faculties, book_plies=plies) for plies, faculties in _AMATEURS),
    *(Step(level=level) for level in _LEVELS),
    Step(),
)
"""The steps by number; the first is 1."""

CHAMPION: Final = len(STEPS)

NAMES: Final = (
    ("beginner", 1),
    ("novice", 4),
    ("casual", 7),
    ("hobbyist", 10),
    ("club", 13),
    ("strong", 16),
    ("expert", 19),
    ("master", 22),
    ("grandmaster", 26),
    ("champion", CHAMPION),
)
"""Names of some steps, the weakest first."""


def step(number: int) -> Step:
    """Return the step of a number from 1 to `CHAMPION`."""
    return STEPS[number - 1]
