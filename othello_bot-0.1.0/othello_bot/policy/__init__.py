"""How people play: the probability that a person of some rating plays each move.

The model never searches. Callers that have scores of searches pass them in, which makes the prediction better;
docs/development/policy.md says how the model was fitted and how well it predicts.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.policy.model_file import PolicyError, Tables, name, pack, shipped, unpack
from othello_bot.rules import Position, squares_of

__all__ = [
    "DEPTHS",
    "LEAST_RATING",
    "MOST_RATING",
    "MOST_RATING_ALONE",
    "PolicyError",
    "Tables",
    "clamped",
    "name",
    "pack",
    "probabilities",
    "shipped",
    "unpack",
]

DEPTHS: Final = (1, 3, 5)
"""The plies of the searches whose scores are taken; the last counts to the end of the game from `EXACT_EMPTIES` on."""

EXACT_EMPTIES: Final = 10

LEAST_RATING, MOST_RATING = 500, 1950
"""Ratings beyond these mean the same as these: the data end there. Seven players of the fit reached 1950, in 448 games; the
highest rating is 2023, the lowest 729 (docs/development/policy.md).
"""

NO_MOVE: Final = 64
_ILLEGAL: Final = 127


MOST_RATING_ALONE: Final = 1800
"""The same for those who ask without scores: beyond it, what people see at a glance is no better, and the model alone would
lose more.
"""


def clamped(rating: float, *, alone: bool = False) -> float:
    """Return the nearest rating that the model is asked for, `alone` or with scores; one that is not finite as it is."""
    most = MOST_RATING_ALONE if alone else MOST_RATING
    return min(max(rating, LEAST_RATING), most) if math.isfinite(rating) else rating


def probabilities(
    position: Position,
    rating: float | None,
    last: int | None = None,
    scores: Sequence[Mapping[int, int]] | None = None,
) -> dict[int, float]:
    """Return the probability that a person of this rating (None: of unknown strength) plays each legal move.

    Ratings below `LEAST_RATING` or above `MOST_RATING` count as these.

    `last` is the square of the last move, None without one. `scores`: for each of DEPTHS the score of every legal move,
    in discs from the mover's view; None for what people see at a glance. Raise InputError for a rating that is not
    finite.
    """
    if rating is not None and not math.isfinite(rating):
        raise InputError("rating", rating, "a finite number")
    table = None
    if scores is not None:
        table = memoryview(array("b", bytes([_ILLEGAL]) * 64 * len(DEPTHS))).cast("B").cast("b", (len(DEPTHS), 64))
        for depth, found in enumerate(scores):
            for square, score in found.items():
                table[depth, square] = score
    chances = shipped().probabilities(
        position.mover,
        position.opponent,
        NO_MOVE if last is None else last,
        math.nan if rating is None else clamped(rating),
        table,
    )
    return dict(zip(squares_of(position.legal_bits), chances, strict=True))
