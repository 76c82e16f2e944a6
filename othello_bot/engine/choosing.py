"""How the engine comes to a move: from the book, else by a search, with early moves varied on demand.

`choose` is a generator: it yields a `SearchRequest`, is sent the result and ends in a `Choice`, so that a session can
listen meanwhile; `choose_now` waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.requests import SearchRequest, carried_out
from othello_bot.rules import Position
from protocol.notation import PASS

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that was chosen for the player on turn, and by what: `search`, `book`, `strategy`, `rules` (a pass)."""

    move: int
    source: str
    result: SearchResult | None = None


def choose(
    engine: Engine,
    position: Position,
    limits: Limits,
    on_report: Callable[[SearchResult], None] | None = None,
) -> Generator[SearchRequest, SearchResult, Choice]:
    """Return steps that end in the engine's choice at a position that is not over."""
    from othello_bot.engine import (
        variety,  # imported here: it brings the book, for which a session's start need not wait
    )

    if position.must_pass:
        return Choice(PASS, "rules")
    known = engine.choose_from_book(position)
    if known is not None:
        return Choice(known.move, "book")
    randomness = engine.options.book_randomness
    comparison = variety.comparison(position, limits, randomness)
    if comparison is not None:
        result = variety.drawn((yield SearchRequest(position, comparison)), randomness, engine.random)
        if result is not None:
            return Choice(result.move, "search", result)
    result = yield SearchRequest(position, limits, on_report)
    return Choice(result.move, "search", result)


def choose_now(
    engine: Engine,
    position: Position,
    limits: Limits,
    search: Callable[[Position, Limits], SearchResult] | None = None,
) -> Choice:
    """Return the engine's choice at a position that is not over; blocks. `search` replaces the engine's own."""
    return carried_out(choose(engine, position, limits), search or engine.search)
