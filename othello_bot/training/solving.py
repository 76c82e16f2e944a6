"""Tasks for the pool: scores of a few positions at a time, exact ones or those of deep searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from othello_bot.engine import fixed_depth
from othello_bot.evaluation import probcut
from othello_bot.kernel import Searcher
from othello_bot.training import boards
from othello_bot.training.labels import FULL_WIDTH
from othello_bot.training.steps import weights_of
from othello_bot.training.store import EXACT, Records

SELECTIVITY: Final = 0
"""The kernel's index of the selectivity of searches that do not solve, 73 percent."""

_POSITIONS_OF_A_TASK: Final = 20

_LONG_EMPTIES: Final = 26
"""From this many empties on, a task is one position: solving it takes half a minute, and a killed run loses its tasks.
"""

_HASH_MIB: Final = 32


def tasks(
    data: bytes | None, records: Records, depth_plies: int = EXACT
) -> Iterator[tuple[bytes | None, Records, int]]:
    """Yield the arguments of solve() that together solve the records, in order."""
    size = _positions_of_a_task(records, depth_plies)
    for start in range(0, len(records), size):
        yield data, records[start : start + size], depth_plies


def tasks_for(records: Records, depth_plies: int = EXACT) -> int:
    """Return the number of tasks that solve the records."""
    return -(-len(records) // _positions_of_a_task(records, depth_plies))


def _positions_of_a_task(records: Records, depth_plies: int) -> int:
    if depth_plies != EXACT or not len(records):
        return _POSITIONS_OF_A_TASK
    is_long = boards.empties(records["mover"], records["opponent"]).max() >= _LONG_EMPTIES
    return 1 if is_long else _POSITIONS_OF_A_TASK


def solve(data: bytes | None, records: Records, depth_plies: int = EXACT) -> list[int]:
    """Return the scores of the records in discs, mover's view, found with the weights in `data`.

    They are exact, or, with a depth, those of searches of so many plies at SELECTIVITY.
    """
    searcher = Searcher(_HASH_MIB)
    searcher.set_weights(weights_of(data))
    if data is not None:
        searcher.set_error_model(probcut.shipped())  # for the iterations before the last, which put moves in order
    pairs = zip(records["mover"].tolist(), records["opponent"].tolist(), strict=True)
    selectivity = FULL_WIDTH if depth_plies == EXACT else SELECTIVITY
    return [fixed_depth(searcher, mover, opponent, depth_plies, selectivity)[0].score for mover, opponent in pairs]
