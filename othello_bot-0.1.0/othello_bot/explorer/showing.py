"""What a base says, as text for people and as JSON for programs: the same for command line, session, page and tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from othello_bot.base.errors import counted
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import format_transcript, move_name
from othello_bot.base.visible import json_line, table_lines
from othello_bot.explorer.base import BaseGame, Counts, Explored, ExploredMove, Novelty
from othello_bot.explorer.selection import Selection
from othello_bot.rules import Position


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the counts of moves: values from a book or a search, how likely people of a rating are to play
    them, and the name of the opening after a position.
    """

    values: Mapping[int, EvaluatedMove] = field(default_factory=dict)
    chances: Mapping[int, float] = field(default_factory=dict)
    name: Callable[[Position], str | None] = lambda position: None


def explored_objects(explored: Explored, beside: Beside = Beside()) -> list[dict[str, Any]]:
    """Return an object for each move that was played, the most played first."""
    return [_move_object(explored.position, one, beside) for one in explored.moves]


def position_object(explored: Explored) -> dict[str, Any]:
    """Return an object for the position as a whole, from the view of the player to move."""
    return {**_counts_object(explored.counts), "ended": explored.ended}


def _counts_object(counts: Counts) -> dict[str, Any]:
    return {
        "games": counts.games,
        "won": counts.won,
        "drawn": counts.drawn,
        "lost": counts.lost,
        "mean_discs": None if counts.mean_discs is None else round(counts.mean_discs, 2),
        "mean_rating": None if counts.mean_rating is None else round(counts.mean_rating, 1),
        "first_year": counts.first_year,
        "last_year": counts.last_year,
    }


def _move_object(position: Position, one: ExploredMove, beside: Beside) -> dict[str, Any]:
    value = beside.values.get(one.move)
    same = (one.move, *one.symmetric)
    chances = [beside.chances[move] for move in same if move in beside.chances]
    return {
        "move": move_name(one.move),
        **_counts_object(one.counts),
        "symmetric": [move_name(move) for move in one.symmetric],
        "value": None if value is None else value.score,
        "value_source": None if value is None else str(value.source),
        "value_depth": None if value is None else value.depth,
        "probability": round(sum(chances), 6) if chances else None,
        "opening": beside.name(position.play(one.move)),
    }


def none_found(selection: Selection, move: int | None = None) -> str:
    """Return what is said where no game of a selection reaches a position, or goes on with a move there."""
    games = "no game of the base" if selection.takes_all else "no game of the base that fits the filters"
    return f"{games} reaches this position{'' if move is None else f' and goes on with {move_name(move)}'}"


def explored_lines(explored: Explored, beside: Beside, selection: Selection, columns: int | None = None) -> list[str]:
    """Return a table of the moves, the most played first, and before it a line about the position, and its name."""
    counts = explored.counts
    if not counts.games:
        return [none_found(selection)]
    name = beside.name(explored.position)
    lines = [f"opening: {name}"] if name else []
    lines.append(f"{counted(counts.games, 'game')}, {results_text(counts)} for the player to move{_years(counts)}")
    if explored.ended:
        lines.append(f"{counted(explored.ended, 'game')} ended here")
    if not explored.moves:
        return lines
    objects = explored_objects(explored, beside)
    columns_known: list[tuple[str, str, Callable[[float], str]]] = [
        ("value", "value", lambda found: f"{found:+g}"),
        ("probability", "people", lambda found: f"{100 * found:.0f} %"),
        ("mean_rating", "rating", lambda found: f"{found:.0f}"),
    ]
    optional = [one for one in columns_known if any(found[one[0]] is not None for found in objects)]
    head = ["move", *COUNTS_HEAD, "years", *(one[1] for one in optional), "opening"]
    rows = [head]
    for move, found in zip(explored.moves, objects, strict=True):
        known = ("" if found[name] is None else show(found[name]) for name, _, show in optional)
        rows.append([found["move"], *counts_cells(move.counts), _range(move.counts), *known, found["opening"] or ""])
    return [*lines, "", *table_lines(rows, left=(0, len(head) - 1), columns=columns)]


COUNTS_HEAD: Final = ("games", "won", "drawn", "lost", "score", "discs")


def counts_cells(counts: Counts) -> tuple[str, ...]:
    """Return the cells of a table below COUNTS_HEAD; empty for what is unknown."""
    score = "" if counts.score is None else f"{100 * counts.score:.1f} %"
    discs = "" if counts.mean_discs is None else f"{counts.mean_discs:+.1f}"
    return (*map(str, (counts.games, counts.won, counts.drawn, counts.lost)), score, discs)


def results_text(counts: Counts) -> str:
    """Return the results as words."""
    return f"{counts.won} won, {counts.drawn} drawn, {counts.lost} lost"


def _range(counts: Counts) -> str:
    if counts.first_year is None:
        return ""
    return (
        str(counts.first_year) if counts.first_year == counts.last_year else f"{counts.first_year}-{counts.last_year}"
    )


def _years(counts: Counts) -> str:
    years = _range(counts)
    return f", {years}" if years else ""


def game_object(game: BaseGame) -> dict[str, Any]:
    """Return an object for a game behind a number."""
    return {
        "game": game.number,
        "black": game.black,
        "white": game.white,
        "event": game.event,
        "date": game.date,
        "black_rating": game.black_rating,
        "white_rating": game.white_rating,
        "result": game.result,
        "winner": None if game.winner is None else game.winner.name.lower(),
        "start": game.start,
        "moves": game.transcript,
        "ply": game.ply,
    }


def game_line(game: BaseGame) -> str:
    """Return a game as one line: number, date, players with ratings, result, event and moves."""
    result = "?" if game.winner is None and game.result is None else _result(game)
    black, white = _player(game.black, game.black_rating), _player(game.white, game.white_rating)
    parts = [
        f"{game.number}",
        game.date or "?",
        f"{black} - {white}",
        result,
        game.event,
        format_transcript(game.moves),
    ]
    return "  ".join(filter(None, parts))


def _player(name: str, rating: int | None) -> str:
    return f"{name or '?'} ({rating})" if rating else name or "?"


def _result(game: BaseGame) -> str:
    if game.result is None:
        return "1-0" if game.winner is not None and not game.winner else "0-1"
    return f"{32 + game.result // 2}-{32 - game.result // 2}"


def novelty_object(novelty: Novelty) -> dict[str, Any]:
    """Return an object for where a game leaves what had been played."""
    return {
        "ply": novelty.ply,
        "move": None if novelty.move is None else move_name(novelty.move),
        "games": novelty.games,
        "followed": [game_object(game) for game in novelty.followed],
    }


def novelty_lines(novelty: Novelty) -> list[str]:
    """Return where a game leaves what had been played, as text."""
    if novelty.move is None:
        head = f"nothing new: {counted(novelty.games, 'game')} had come to the last position"
    else:
        before = f"{counted(novelty.games, 'game')} had come so far" if novelty.games else "no game begins so"
        head = f"new with move {novelty.ply + 1}, {move_name(novelty.move)}; {before}"
    return [head, *(f"  {game_line(game)}" for game in novelty.followed)]


def json_lines(explored: Explored, beside: Beside) -> list[str]:
    """Return the objects of the moves as lines, or one of the position with the move null if there is none."""
    objects = explored_objects(explored, beside) or [{"move": None, **position_object(explored)}]
    return list(map(json_line, objects))
