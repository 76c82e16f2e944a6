"""What the engine asks of a search, as a type; `othello_bot.engine.deepening.Search` is the one that ships."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from othello_bot.engine.limits import Limits
from othello_bot.engine.time_manager import TimeBudget

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult
    from othello_bot.rules import Position

Chooser = Callable[["Position", Callable[[], bool]], int]
"""Chooses a move in place of a search, and asks, often, whether it should come to an end with what it has."""


class Searcher(Protocol):
    """A search with its table, seen from the engine: it knows no colours and no game, only mover and opponent."""

    def run(
        self,
        mover: int,
        opponent: int,
        limits: Limits,
        budget: TimeBudget | None = None,
        asked_at_s: float | None = None,
        on_progress: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """Search until a limit or `stop`; called in the worker thread.

        The budget's seconds (None: what the limits give) count from `asked_at_s` (`time.monotonic`; None: from now).
        """

    def stop(self) -> None:
        """End a run that has begun or is about to begin."""

    def arm(self) -> None:
        """Forget a previous `stop`."""

    def resize(self, hash_mib: int) -> None:
        """Change the table's size; raises MemoryError and keeps the old table."""

    def set_threads(self, threads: int) -> None:
        """Change the number of search threads."""

    def set_evaluation(self, name: str, file: str = "") -> None:
        """Change the evaluation function; raises ValueError or OSError, and keeps the old one, for a file without."""

    def prepare(self) -> None:
        """Prepare what the first searches would otherwise wait for; repeated calls cost almost nothing."""

    def clear(self) -> None:
        """Forget the table's content."""

    def evaluate(self, mover: int, opponent: int) -> float:
        """Return the static evaluation in discs, from the mover's view."""
