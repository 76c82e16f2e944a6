"""How the engine chooses a move: from the book, by a search, with early moves varied on request, or as an amateur.

`choose` is a generator: it yields a `SearchRequest`, receives the result and ends in a `Choice`, so that a session can
listen in the meantime; `choose_now` waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.requests import SearchRequest, carried_out
from othello_bot.engine.strength import step
from othello_bot.rules import Position
from protocol.dataclass import dataclass
from protocol.notation import PASS

if TYPE_CHECKING:
    from othello_bot.engine.deepening import SearchResult


@dataclass(frozen=True, slots=True)
class Choice:
    """A move chosen for the side to move, and its source: `search`, `amateur`, `book`, `strategy`, `rules` (a pass)."""

    move: int
    source: str
    result: SearchResult | None = None


def choose(
    engine: Engine,
    position: Position,
    limits: Limits,
    on_report: Callable[[SearchResult], None] | None = None,
) -> Generator[SearchRequest, SearchResult, Choice]:
    """Return steps that end in the engine's choice in a position that is not over."""
    if position.must_pass:
        return Choice(PASS, "rules")
    strength = step(engine.options.strength)
    known = engine.choose_from_book(position) if 60 - position.empties < strength.book_plies else None
    if known is not None:
        return Choice(known.move, "book")
    if strength.faculties is not None:
        from othello_bot.engine.amateur import Amateur  # imported here: most sessions play at full strength

        amateur = Amateur(strength.faculties, engine.seed)
        chosen = yield SearchRequest(position, limits, chooser=amateur.choose)
        return Choice(chosen.move, "amateur")
    if strength.level is not None:
        limits = Limits(level=strength.level, move_time_s=limits.move_time_s, clock=limits.clock)
    from othello_bot.engine import (
        variety,  # imported here: it imports the book, which would delay the start of a session
    )

    randomness, most_loss = engine.options.book_randomness, engine.options.book_loss
    comparison = variety.comparison(position, limits, randomness)
    if comparison is not None:
        result = variety.drawn((yield SearchRequest(position, comparison)), randomness, most_loss, engine.random)
        if result is not None:
            return Choice(result.move, "search", result)
    result = yield SearchRequest(position, limits, on_report)
    return Choice(result.move, "search", result)


def choose_now(
    engine: Engine,
    position: Position,
    limits: Limits,
    search: Callable[[SearchRequest], SearchResult] | None = None,
) -> Choice:
    """Return the engine's choice in a position that is not over; block until then. `search` replaces the engine's own.
    """
    return carried_out(choose(engine, position, limits), search or engine.answer)
