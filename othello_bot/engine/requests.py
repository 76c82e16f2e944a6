"""Searches that somebody wants made, without knowing who makes them and who waits.

Whoever needs searches is a generator that yields a `SearchRequest` and is sent the result, so that a session can go on
listening meanwhile; `carried_out` is for those who have nothing else to do.
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
    """A search that is to be made.

    `on_report` is called with each improvement, or, where `report_every_s` is set, with the latest result each time
    that many seconds have gone by. A `chooser` takes the place of the search. `label` says in a few words which one of
    several searches this is.
    """

    position: Position
    limits: Limits
    on_report: Callable[[SearchResult], None] | None = None
    report_every_s: float | None = None
    chooser: Chooser | None = None
    label: str = ""


def carried_out(
    steps: Generator[SearchRequest, SearchResult, T], search: Callable[[Position, Limits], SearchResult]
) -> T:
    """Return what the steps end in, each request answered by `search`."""
    try:
        request = next(steps)
        while True:
            request = steps.send(search(request.position, request.limits))
    except StopIteration as end:
        result: T = end.value
        return result
