"""Reviews as text for people: the table of players, and the moves of a game that lost discs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from othello_bot.base.notation import Color, format_transcript, move_name
from othello_bot.base.visible import table_lines, visible
from othello_bot.review.game_review import GameReview
from othello_bot.review.judgement import Grade, Phase, PlayerTally, grade_of
from othello_bot.review.store import Heading

HEADS: Final = (
    "player",
    "games",
    "accuracy",
    "loss",
    *(phase.value for phase in Phase),
    *(grade.plural for grade in Grade),
)
"""The columns of a table of players."""


class PlayerTable:
    """The players of many games; a player without a name is named after the colour if the game stands alone."""

    def __init__(self) -> None:
        self.games = 0
        self.players: dict[str, PlayerTally] = {}

    def add(self, heading: Heading, review: GameReview) -> None:
        """Count a game."""
        self.games += 1
        for color in Color:
            tally = self.players.setdefault(player_name(heading, color), PlayerTally())
            tally.add_game(review.losses(color))

    def ranking(self) -> list[tuple[str, PlayerTally]]:
        """Return the players, those with the smallest loss a move first."""
        return sorted(self.players.items(), key=lambda entry: (entry[1].total.mean_loss or 0.0, entry[0]))


def player_name(heading: Heading, color: Color) -> str:
    """Return a player's name, or his colour if nothing else is known."""
    name = heading.black if color is Color.BLACK else heading.white
    return name or f"({color.name.lower()})"


def cells(name: str, tally: PlayerTally) -> tuple[str, ...]:
    """Return the row of a player, as texts in the order of `HEADS`."""
    total = tally.total
    phases = (number(tally.phases[phase].mean_loss, 2) for phase in Phase)
    slips = (str(total.slips[grade]) for grade in Grade)
    return (name, str(tally.games), number(total.accuracy, 1), number(total.mean_loss, 2), *phases, *slips)


def number(value: float | None, digits: int) -> str:
    """Return a number with so many decimals; a dash for None."""
    return "-" if value is None else f"{value:.{digits}f}"


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
