"""Results of searches as text, and as JSON for scripts: the only module that formats scores, lines and depths."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import counted
from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.notation import Color, move_name
from othello_bot.base.visible import table_lines, visible
from othello_bot.game import EndedBy, Ending
from othello_bot.kernel import VARIANT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from othello_bot.book import BookMove
    from othello_bot.engine import FreeTime, PonderedResult, SearchResult, TimeBudget
    from othello_bot.review import JudgedMove
    from othello_bot.rules import Position


def signed(score: float) -> str:
    """Return a score in discs with its sign: `+2`, `-1.25`, `0`."""
    if isinstance(score, int):
        return f"{score:+d}" if score else "0"
    return f"{score:+.2f}"


def pv_text(pv: tuple[int, ...]) -> str:
    """Return the moves of a line with spaces between them."""
    return " ".join(map(move_name, pv))


def standing(position: Position) -> str:
    """Return the discs of both sides, and, if the game is over, the winner; empty squares count for the winner."""
    black, white, empties = position.black.bit_count(), position.white.bit_count(), position.empties
    discs = f"black {black}, white {white}"
    if not position.is_over:
        return discs
    won = winner(position)
    squares = "1 empty square counts" if empties == 1 else f"{empties} empty squares count"
    counts = f", and {squares} for the winner" if empties and position.black_score() else ""
    return f"{won}; {discs}{counts}"


def winner(position: Position) -> str:
    """Return who won a game that ends in this position: `black wins by 12`, `a draw`."""
    score = position.black_score()
    return f"{'black' if score > 0 else 'white'} wins by {abs(score)}" if score else "a draw"


_LOST: Final = {EndedBy.RESIGNATION: "resigns", EndedBy.TIME: "has no time left and forfeits"}


def verdict(position: Position, ending: Ending | None = None) -> str:
    """Return how a game ended, `the game is over: black wins by 12`, `black resigns: white wins`; empty while it goes
    on. `ending` is that of a game which was resigned or lost on time.
    """
    if ending is None:
        return f"the game is over: {winner(position)}" if position.is_over else ""
    loser = Color((ending.black_score or 0) > 0)
    return f"{loser.name.lower()} {_LOST[ending.by]}: {loser.opponent.name.lower()} wins"


def hint_lines(result: SearchResult) -> list[str]:
    """Return one line a move, best first: rank, move, score, depth, principal variation."""
    return [
        f"{rank} {move_name(line.move)} {signed(line.discs)} {line.reached()} {pv_text(line.pv)}"
        for rank, line in enumerate(result.lines, start=1)
    ]


def hint_table(result: SearchResult, columns: int | None = None) -> list[str]:
    """Return the best moves as a table for people, with a header: move, score in discs, depth, principal variation.

    On a terminal of this many columns, the variations are cut to its width.
    """
    rows = [("move", "score", "depth", "expected")]
    rows += [(move_name(line.move), signed(line.discs), line.reached(), pv_text(line.pv)) for line in result.lines]
    return [visible(line, columns) for line in table_lines(rows, left=(0, 3))]


def known_text(known: BookMove) -> str:
    """Return what a book says about a move: score, depth, and number of games."""
    return f"{signed(known.discs)} {known.reached()} {counted(known.games, 'game')}"


def judged_line(judged: JudgedMove, known: BookMove | None = None) -> str:
    """Return one line for a move of a game: number, colour, move, score, best move, its score, loss, depth, and what
    the book says about the move, if it is `known`.
    """
    played, best = judged.played, judged.best
    return (
        f"{judged.ply} {judged.color.letter} {move_name(played.move)} {signed(played.discs)}"
        f" best {move_name(best.move)} {signed(best.discs)} loss {judged.loss} {best.reached()}"
        + (f" book loss {known.loss} {known.reached()}" if known is not None else "")
    )


def bounds(line: EvaluatedMove) -> tuple[int, int]:
    """Return the bounds of a line's true score in discs, lower and upper; they are equal if it is exact."""
    if not line.depth:
        return -64, 64  # a search that was stopped at once has only a legal move
    return (-64 if line.bound is Bound.UPPER else line.discs, 64 if line.bound is Bound.LOWER else line.discs)


def bounds_line(result: SearchResult) -> str:
    """Return the state of a stateless search in one line."""
    line = result.best
    lower, upper = bounds(line)
    return (
        f"move {move_name(line.move)} depth {line.depth}@{line.selectivity}%"
        f" score {signed(lower)} <= v <= {signed(upper)}"
        f" nodes {result.nodes} time {result.time_s:.3f} pv {pv_text(line.pv)}"
    )


def statistics(result: SearchResult, budget: TimeBudget, hit: PonderedResult | None, free_time: FreeTime) -> list[str]:
    """Return the figures of the last search, one a line: its result, its time, and what thinking ahead gave to it."""
    lines = [f"depth {result.reached()}"]
    if result.lines:
        lines.append(f"score {signed(result.best.discs)}")
    lines += [f"nodes {result.nodes}", f"time {result.time_s:.3f} s", f"rate {result.rate:.0f} nodes/s"]
    if result.ended:
        lines.append(f"ended {result.ended}")
    if result.lines:
        lines.append(f"pv {pv_text(result.pv)}")
    if math.isfinite(budget.maximum_s):
        lines.append(f"planned {budget.optimum_s:.3f} s, at most {budget.maximum_s:.3f} s")
    if hit is not None:
        lines.append(f"thought ahead {hit.time_s:.3f} s")
    replies = free_time.hits + free_time.misses
    if replies:
        lines.append(f"thinking ahead {free_time.hits} of {replies} replies, {free_time.gained_s:.3f} s in all")
    return lines


# -- JSON: one object a line; moves are names --------------------------------------------------------------------------


def hint_objects(result: SearchResult, opening: str | None, book: Mapping[int, BookMove]) -> list[dict[str, Any]]:
    """Return an object for each of the best moves, best first, with what the `book` says about it, if it does."""
    return [
        ({"rank": rank, **_line(line), "opening": opening, **_book(book.get(line.move))})
        for rank, line in enumerate(result.lines, start=1)
    ]


def no_hint_object(position: Position) -> dict[str, Any]:
    """Return the object for a position without a legal move: a pass, or the final score."""
    if position.must_pass:
        return {"rank": 1, "move": "pass"}
    return {"game_over": True, "score": position.score()}


def probability_objects(chances: Sequence[tuple[int, float]]) -> list[dict[str, Any]]:
    """Return an object for each move with how likely people are to play it, in the order given."""
    return [({"move": move_name(move), "probability": round(chance, 6)}) for move, chance in chances]


def judged_object(judged: JudgedMove, known: BookMove | None = None) -> dict[str, Any]:
    """Return the object for a move of a game, with what the book says about it, if it is `known`."""
    played = _line(judged.played)
    best = {"best": move_name(judged.best.move), "best_score": judged.best.score, "loss": judged.loss}
    return {"ply": judged.ply, "color": judged.color.name.lower(), **played, **best, **_book(known)}


def _book(known: BookMove | None) -> dict[str, Any]:
    """Return what a book says about a move; nothing about an unknown one."""
    if known is None:
        return {}
    search = {"depth": known.depth, "selectivity": known.selectivity, "exact": known.exact}
    return {"book": {"score": known.score, "loss": known.loss, **search, "games": known.games}}


def evaluation_object(position: Position, score: float) -> dict[str, Any]:
    """Return the object for a static evaluation."""
    return {"color": position.color.name.lower(), "empties": position.empties, "score": score}


def statistics_object(
    result: SearchResult, budget: TimeBudget, hit: PonderedResult | None, free_time: FreeTime
) -> dict[str, Any]:
    """Return the object for the last search: its result, its time, and what thinking ahead gave to it."""
    best = _line(result.best) if result.lines else {}
    cost = {"nodes": result.nodes, "time_s": round(result.time_s, 6), "nodes_per_s": round(result.rate)}
    ending = {"stopped": result.stopped, "ended": result.ended or ""}
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
    return {**best, **cost, **ending, **planned, **ahead, "kernel": VARIANT}


def _line(line: EvaluatedMove) -> dict[str, Any]:
    return {
        "move": move_name(line.move),
        "score": line.score,
        "bound": line.bound.name.lower(),
        "depth": line.depth,
        "selectivity": line.selectivity,
        "exact": line.exact,
        "pv": [move_name(move) for move in line.pv],
    }
