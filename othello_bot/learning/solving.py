"""A task of the pool: exact scores of positions of the store."""

from __future__ import annotations

from typing import Final

from othello_bot.kernel.searcher import Searcher
from othello_bot.learning.labels import FULL_WIDTH
from othello_bot.learning.steps import weights_of
from othello_bot.learning.store import EXACT, Records

#: Positions of a task.
SOLVED_AT_ONCE: Final = 20

_HASH_MIB: Final = 32


def solve(data: bytes | None, records: Records) -> list[int]:
    """Return the exact scores of the records in discs, mover's view, found with the weights in `data`."""
    searcher = Searcher(_HASH_MIB)
    searcher.set_weights(weights_of(data))
    pairs = zip(records["mover"].tolist(), records["opponent"].tolist(), strict=True)
    return [searcher.score(mover, opponent, EXACT, FULL_WIDTH)[0] for mover, opponent in pairs]
