"""One search on its way through the engine's worker thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from othello_bot.engine.limits import Limits
from othello_bot.engine.ponder import FreeTime, PonderedResult
from othello_bot.engine.searcher import Chooser
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.rules import Position
from protocol.dataclass import replace

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult


class Task:
    """A search in the worker thread."""

    def __init__(
        self,
        position: Position,
        limits: Limits,
        budget: TimeBudget,
        asked_at_s: float,
        on_progress: Callable[[SearchResult], None] | None,
        on_done: Callable[[SearchResult | BaseException], None] | None,
        chooser: Chooser | None,
    ) -> None:
        self.position = position
        self.limits = limits
        self.budget = budget
        self.asked_at_s = asked_at_s
        self.on_progress = on_progress
        self.on_done = on_done
        self.chooser = chooser
        self.stopped = False
        """Set when the task should end; a chooser polls it, the search is stopped separately."""
        self.outcome: SearchResult | BaseException | None = None
        """The result, or the error that ended the search; None until then."""
        self.finished = threading.Event()
        self.hit: PonderedResult | None = None
        """What thinking ahead found about the position, where the search goes on from it."""

    def resume(self, hit: PonderedResult | None, free_time: FreeTime) -> None:
        """Take over what thinking ahead found, None for nothing, with a budget that counts the free time.

        A complete result is the outcome, and costs nothing.
        """
        self.budget = free_time.spend(self.budget, hit)
        if hit is not None and hit.complete:
            self.outcome = replace(hit.result, nodes=0, time_s=0.0)
        else:
            self.hit = hit


def chosen(task: Task, chooser: Chooser) -> SearchResult:
    """Return a result that has only a move."""
    from othello_bot.engine.deepening import Line, SearchResult

    began_s = time.monotonic()

    def should_stop() -> bool:
        return task.stopped or time.monotonic() - task.asked_at_s >= task.budget.maximum_s

    move = chooser(task.position, should_stop)
    line = Line(move=move, score=0, pv=(move,), depth=0, selectivity=100, exact=False, bound="lower")
    return SearchResult((line,), nodes=0, time_s=time.monotonic() - began_s, stopped=should_stop())
