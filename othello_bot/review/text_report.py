"""Reviews as text for people: the table of players, and the moves of a game that lost discs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from othello_bot.base.notation import Color, format_transcript, move_name
from othello_bot.base.visible import table_lines, visible
from othello_bot.review.game_review import GameReview
from othello_bot.review.store import Heading
from othello_bot.review.table import HEADS, PlayerTable, cells, player_name
from othello_bot.review.tally import grade_of

NAME_COLUMNS: Final = 30
"""Most columns of a player's name in the table."""

SHOWN_PLIES: Final = 8
"""Plies shown of the line behind a better move."""

_MOVE_HEADS: Final = ("move", "played", "score", "best", "score", "loss", "grade", "line")


def player_lines(table: PlayerTable, columns: int | None = None) -> list[str]:
    """Return the table of players, for a terminal of so many columns if it is given."""
    rows = (cells(visible(name, NAME_COLUMNS), tally) for name, tally in table.ranking())
    return table_lines([HEADS, *rows], columns=columns)


def game_lines(heading: Heading, review: GameReview, opening: str | None) -> Iterator[str]:
    """Yield a game's heading and the moves that lost discs, with what was better."""
    players = " - ".join(player_name(heading, color) for color in Color)
    about = [text for text in (result_text(heading), heading.event, heading.date, opening) if text]
    yield visible("  ".join([players, *about]))
    yield visible(f"{heading.file}, {heading.place}")
    yield from slip_lines(review)


def slip_lines(review: GameReview) -> Iterator[str]:
    """Yield the moves of a game that lost discs, with what was better, as a table."""
    slips = review.mistakes()
    if not slips:
        yield "no move lost discs"
        return
    rows = (
        (
            f"{move.ply} {move.color.name.lower()}",
            move_name(move.move),
            f"{move.score:+d}",
            move_name(move.best.move),
            f"{move.best.score:+d}",
            str(move.loss),
            grade_name(move.loss),
            format_transcript(move.best.pv[:SHOWN_PLIES], separator=" "),
        )
        for move in slips
    )
    yield from table_lines([_MOVE_HEADS, *rows], left=(0, 7))


def grade_name(loss: int) -> str:
    """Return the name of a loss: "inaccuracy", "mistake" or "blunder"; "" for none."""
    grade = grade_of(loss)
    return "" if grade is None else grade.name.lower()


def result_text(heading: Heading) -> str:
    """Return the discs of both players, "" if the result is unknown."""
    if heading.result is None:
        return ""
    return f"{32 + heading.result / 2:g}-{32 - heading.result / 2:g}"
