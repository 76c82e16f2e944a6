"""The interface that the engine requires of a search; `othello_bot.engine.deepening.Search` implements it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from othello_bot.engine.limits import Limits
from othello_bot.engine.resumption import Resumption
from othello_bot.engine.time_manager import TimeBudget

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult
    from othello_bot.rules import Position

Chooser = Callable[["Position", Callable[[], bool]], int]
"""Chooses a move in place of a search; it calls its argument often to learn whether it should end with its current
result.
"""


class Searcher(Protocol):
    """A search with its table, as the engine sees it: it knows no colours and no game, only mover and opponent."""

    def run(
        self,
        mover: int,
        opponent: int,
        limits: Limits,
        budget: TimeBudget | None = None,
        asked_at_s: float | None = None,
        on_progress: Callable[[SearchResult], None] | None = None,
        resumption: Resumption | None = None,
    ) -> SearchResult:
        """Search until a limit or `stop`; called in the worker thread.

        The budget in seconds (None: that of the limits) counts from `asked_at_s` (`time.monotonic`; None: now).
        `resumption`: the table is filled by a search that came so far.
        """

    def stop(self) -> None:
        """Stop a run that has begun or is about to begin."""

    def arm(self) -> None:
        """Discard a previous `stop`."""

    def resize(self, hash_mib: int) -> None:
        """Change the table's size; raise MemoryError and keep the old table if it does not fit."""

    def set_threads(self, threads: int) -> None:
        """Change the number of search threads."""

    def set_evaluation(self, name: str, file: str | None = None) -> None:
        """Change the evaluation function; raise ValueError or OSError and keep the old one if it cannot be loaded."""

    def prepare(self) -> None:
        """Do in advance what the first searches would otherwise wait for; repeated calls cost almost nothing."""

    def clear(self) -> None:
        """Forget the table's content."""

    def evaluate(self, mover: int, opponent: int) -> float:
        """Return the static evaluation in discs, from the mover's view."""
