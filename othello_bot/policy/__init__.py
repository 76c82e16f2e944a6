"""How people play: the probability that a person of some rating plays each move.

The model never searches. Callers that have scores of searches pass them in, which makes the prediction better;
docs/policy.md says how the model was fitted and how well it predicts.
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
    "PolicyError",
    "Tables",
    "name",
    "pack",
    "probabilities",
    "shipped",
    "unpack",
]

DEPTHS: Final = (1, 3, 5)
"""The plies of the searches whose scores are taken; the last counts to the end of the game from `EXACT_EMPTIES` on."""

EXACT_EMPTIES: Final = 10

LEAST_RATING, MOST_RATING = 500, 2500
"""Ratings beyond these mean the same as these."""

NO_MOVE: Final = 64
_ILLEGAL: Final = 127


def probabilities(
    position: Position,
    rating: float | None,
    last: int | None = None,
    scores: Sequence[Mapping[int, int]] | None = None,
) -> dict[int, float]:
    """Return the probability that a person of this rating (None: of unknown strength) plays each legal move.

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
        math.nan if rating is None else rating,
        table,
    )
    return dict(zip(squares_of(position.legal_bits), chances, strict=True))
