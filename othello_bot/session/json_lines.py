"""Results as JSON for scripts, one object a line. Moves are names, scores are discs from the mover's view."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from othello_bot.base.notation import move_name
from othello_bot.kernel import VARIANT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from othello_bot.book import BookMove
    from othello_bot.engine import FreeTime, Line, PonderedResult, SearchResult, TimeBudget
    from othello_bot.review import JudgedMove
    from othello_bot.rules import Position


def hint_objects(result: SearchResult, opening: str | None, book: Mapping[int, BookMove]) -> list[str]:
    """Return a line for each of the best moves, best first, with what the `book` says about it, if it does."""
    return [
        _text({"rank": rank, **_line(line), "opening": opening, **_book(book.get(line.move))})
        for rank, line in enumerate(result.lines, start=1)
    ]


def no_hint_object(position: Position) -> str:
    """Return the line for a position without a legal move: a pass, or the final score."""
    if position.must_pass:
        return _text({"rank": 1, "move": "pass"})
    return _text({"game_over": True, "score": position.score()})


def judged_object(judged: JudgedMove, known: BookMove | None = None) -> str:
    """Return the line for a move of a game, with what the book says about it, if it is `known`."""
    played = _line(judged.played)
    best = {"best": move_name(judged.best.move), "best_score": judged.best.score, "loss": judged.loss}
    return _text({"ply": judged.ply, "color": judged.color.name.lower(), **played, **best, **_book(known)})


def _book(known: BookMove | None) -> dict[str, Any]:
    """Return what a book says about a move; nothing about an unknown one."""
    if known is None:
        return {}
    search = {"depth": known.depth, "selectivity": known.selectivity, "exact": known.exact}
    return {"book": {"score": known.score, "loss": known.loss, **search, "games": known.games}}


def evaluation_object(position: Position, score: float) -> str:
    """Return the line for a static evaluation."""
    return _text({"color": position.color.name.lower(), "empties": position.empties, "score": score})


def statistics_object(
    result: SearchResult, budget: TimeBudget, hit: PonderedResult | None, free_time: FreeTime
) -> str:
    """Return the line for the last search: its result, its time, and what thinking ahead gave to it."""
    best = _line(result.best) if result.lines else {}
    cost = {"nodes": result.nodes, "time_s": round(result.time_s, 6), "nodes_per_s": round(result.rate)}
    ending = {"stopped": result.stopped, "ended": result.ended}
    limited = math.isfinite(budget.maximum_s)
    planned = {
        "planned_s": round(budget.optimum_s, 6) if limited else None,
        "maximum_s": round(budget.maximum_s, 6) if limited else None,
    }
    ahead = {
        "thought_ahead_s": None if hit is None else round(hit.time_s, 6),
        "foreseen": free_time.hits,
        "replies": free_time.hits + free_time.misses,
    }
    return _text({**best, **cost, **ending, **planned, **ahead, "kernel": VARIANT})


def _line(line: Line) -> dict[str, Any]:
    return {
        "move": move_name(line.move),
        "score": line.score,
        "bound": line.bound,
        "depth": line.depth,
        "selectivity": line.selectivity,
        "exact": line.exact,
        "pv": [move_name(move) for move in line.pv],
    }


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, separators=(", ", ": "))
