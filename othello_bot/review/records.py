"""Reviews for programs: one JSON object for each game, or CSV with a row for each player of each game."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any, Final

from othello_bot.base.notation import Color, format_transcript, move_name
from othello_bot.base.visible import csv_text
from othello_bot.review.game_review import GameReview
from othello_bot.review.judgement import Grade, JudgedMove, Phase, PlayerTally, Tally, grade_of
from othello_bot.review.store import Heading
from othello_bot.review.text_report import player_name

_SUMS: Final = ("moves", "loss", "accuracy")

CSV_COLUMNS: Final = (
    "file",
    "place",
    "event",
    "date",
    "color",
    "player",
    "opponent",
    "result",
    "level",
    *_SUMS,
    *(f"{phase.value}_{name}" for phase in Phase for name in _SUMS),
    "inaccuracies",
    "mistakes",
    "blunders",
)
"""The columns of the CSV output. `result`: discs from the player's view. `loss`: discs in all, not a move."""

_DECIMALS: Final = 2


def json_line(heading: Heading, review: GameReview) -> str:
    """Return a game as a JSON object on one line."""
    content: dict[str, Any] = {
        "file": heading.file,
        "place": heading.place,
        "black": heading.black,
        "white": heading.white,
        "event": heading.event,
        "date": heading.date,
        "result": heading.result,
        "start": review.game.start.to_string(),
        "game": review.game.transcript(),
        "level": review.level,
        "players": {color.name.lower(): player_object(review.player(color)) for color in Color},
        "moves": [move_object(review, move) for move in review.moves],
    }
    return json.dumps(content)


def player_object(player: PlayerTally) -> dict[str, Any]:
    """Return what a player's moves add up to, in all and by phase."""
    phases = {phase.value: _tally_object(tally) for phase, tally in player.phases.items()}
    return {"total": _tally_object(player.total), **phases}


def _tally_object(tally: Tally) -> dict[str, Any]:
    slips = {grade.plural: count for grade, count in tally.slips.items()}
    return {"moves": tally.moves, "loss": tally.loss, "accuracy": _rounded(tally.accuracy), **slips}


def move_object(review: GameReview, move: JudgedMove) -> dict[str, Any]:
    """Return the judgement on a move."""
    grade = grade_of(move.loss)
    return {
        "ply": move.ply,
        "color": move.color.name.lower(),
        "move": move_name(move.move),
        "score": move.score,
        "best": move_name(move.best.move),
        "best_score": move.best.score,
        "loss": move.loss,
        "grade": None if grade is None else grade.name.lower(),
        "phase": review.phase(move).value,
        "reached": move.best.reached(),
        "line": format_transcript(move.best.pv),
    }


def csv_head() -> str:
    """Return the line with the names of the columns."""
    return _csv_line(CSV_COLUMNS)


def csv_lines(heading: Heading, review: GameReview) -> str:
    """Return the rows of a game: Black's, then White's."""
    return "".join(_csv_line(_csv_row(heading, review, color)) for color in Color)


def _csv_row(heading: Heading, review: GameReview, color: Color) -> list[object]:
    player = review.player(color)
    result = heading.result if heading.result is None or color is Color.BLACK else -heading.result
    where = [*map(csv_text, (heading.file, heading.place, heading.event, heading.date)), color.name.lower()]
    names = (player_name(heading, one) for one in (color, color.opponent))
    who = [*map(csv_text, names), result, review.level]
    tallies = (player.total, *(player.phases[phase] for phase in Phase))
    sums = [value for one in tallies for value in (one.moves, one.loss, _rounded(one.accuracy))]
    return [*where, *who, *sums, *(player.total.slips[grade] for grade in Grade)]


def _csv_line(fields: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
