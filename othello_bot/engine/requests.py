"""Requests for searches, independent of who runs them and who waits.

A generator that needs searches yields a `SearchRequest` and receives the result, so that a session can listen to its
input in the meantime; `carried_out` runs such a generator in a caller that can wait.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from othello_bot.engine.limits import Limits
from othello_bot.engine.searcher import Chooser
from othello_bot.rules import Position

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search to be made.

    `on_report` is called with each improvement, or, if `report_every_s` is set, with the latest result at that interval
    in seconds. A `chooser` replaces the search. `label` names one of several searches in a few words.
    """

    position: Position
    limits: Limits
    on_report: Callable[[SearchResult], None] | None = None
    report_every_s: float | None = None
    chooser: Chooser | None = None
    label: str = ""


def carried_out(
    steps: Generator[SearchRequest, SearchResult, T], search: Callable[[SearchRequest], SearchResult]
) -> T:
    """Return the result of the steps, with each request answered by `search`."""
    try:
        request = next(steps)
        while True:
            request = steps.send(search(request))
    except StopIteration as end:
        result: T = end.value
        return result
