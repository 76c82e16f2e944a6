"""Reviews as text for people, as JSON objects for programs, and as CSV with a row for each player of each game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from othello_bot.base.errors import counted
from othello_bot.base.notation import Color, format_transcript, move_name
from othello_bot.base.visible import csv_line, csv_text, table_lines, visible
from othello_bot.engine import people
from othello_bot.review.game_review import GameReview
from othello_bot.review.judgement import FEW, MANY, Grade, JudgedMove, LossTally, Phase, PlayerTally, grade_of
from othello_bot.review.store import Heading

HEADS: Final = (
    "player",
    "games",
    "accuracy",
    "rating",
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
            review.add_to(tally, color)

    def ranking(self) -> list[tuple[str, PlayerTally]]:
        """Return the players, those with the smallest loss a move first."""
        return sorted(self.players.items(), key=lambda entry: (entry[1].total.mean_loss or 0.0, entry[0]))


def player_name(heading: Heading, color: Color) -> str:
    """Return a player's name, with his colour if both have this name, or his colour alone if nothing else is known."""
    name = heading.black if color is Color.BLACK else heading.white
    is_enough = name and heading.black != heading.white
    return name if is_enough else f"{name} ({color.name.lower()})".lstrip()


def cells(name: str, tally: PlayerTally) -> tuple[str, ...]:
    """Return the row of a player, as texts in the order of `HEADS`."""
    total = tally.total
    phases = (number(tally.phases[phase].mean_loss, 2) for phase in Phase)
    slips = (str(total.slips[grade]) for grade in Grade)
    rating = "-" if tally.rating is None else str(tally.rating)
    return (name, str(tally.games), number(total.accuracy, 1), rating, number(total.mean_loss, 2), *phases, *slips)


def number(value: float | None, digits: int) -> str:
    """Return a number with this many decimals; a dash for None."""
    return "-" if value is None else f"{value:.{digits}f}"


NAME_COLUMNS: Final = 30
"""Most columns of a player's name in the table."""

SHOWN_PLIES: Final = 8
"""Plies shown of the line behind a better move."""

_MOVE_HEADS: Final = ("move", "played", "score", "best", "score", "loss", "grade", "line")


def player_lines(table: PlayerTable, columns: int | None = None) -> list[str]:
    """Return the table of players, for a terminal of this many columns if it is given."""
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
    """Yield the moves of a game that lost discs, with what was better, as a table, and what few or many people find."""
    slips = review.mistakes()
    if not slips:
        yield "no move lost discs"
    ratings = review.ratings()
    rows = [
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
    ]
    if slips:
        yield from table_lines([_MOVE_HEADS, *rows], left=(0, 7))
    for move in review.moves:
        if said := people_words(move, ratings[move.color]):
            yield f"{move.ply} {move.color.name.lower()} {move_name(move.move)}: {said}"


def review_lines(review: GameReview) -> Iterator[str]:
    """Yield what a review found, for people: how far it came if it was stopped, the slips, and a line for each side."""
    if not review.complete:
        yield f"stopped: {len(review.moves)} of {counted(review.game.ply, 'move')} reviewed"
    yield from slip_lines(review)
    for color in Color:
        yield _side_line(review, color)


def _side_line(review: GameReview, color: Color) -> str:
    """Return how well a side played, in one line."""
    player = review.player(color)
    total = player.total
    accuracy = "no move with a choice" if total.accuracy is None else f"accuracy {total.accuracy:.0f} %"
    lost = f"{counted(total.loss, 'disc')} lost"
    slips = [
        counted(total.slips[grade], grade.name.lower(), grade.plural) for grade in reversed(Grade) if total.slips[grade]
    ]
    rating = [] if player.rating is None else [f"plays like a player rated {player.rating}"]
    return f"{color.name.lower()}: {', '.join([accuracy, lost, *slips, *rating])}"


def people_words(move: JudgedMove, rating: people.RatingEstimate | None) -> str:
    """Return what is said of how many people of a rating find a move; "" if that is not worth a word."""
    note = people_note(move, rating)
    if note is None or move.chances is None or rating is None:
        return ""
    players, best = f"players rated {rating.rating}", move_name(move.best.move)
    played, found = (percent(share(rating.rating)) for share in (move.chances.played_by, move.chances.found_by))
    if note == "many_make":
        return f"{played} of {players} make this {grade_name(move.loss)}; {found} find {best}"
    return f"only {found} of {players} find {'this' if note == 'few_find' else best}"


def people_note(move: JudgedMove, rating: people.RatingEstimate | None) -> str | None:
    """Return what is worth telling of how many people find a move, as JSON has it; None for nothing.

    `few_find`: few play this good move. `many_make`: many play this bad one. `few_find_best`: few play the better one.
    """
    if move.chances is None or rating is None:
        return None
    played, found = move.chances.played_by(rating.rating), move.chances.found_by(rating.rating)
    if not move.loss:
        return "few_find" if move.chances.only and played <= FEW else None
    return "many_make" if played >= MANY else "few_find_best" if found <= FEW else None


def percent(share: float) -> str:
    """Return a share of people in percent, at least 1 %."""
    return f"{max(1, round(100 * share))} %"


def grade_name(loss: int) -> str:
    """Return the name of a loss: "inaccuracy", "mistake" or "blunder"; "" for none."""
    grade = grade_of(loss)
    return "" if grade is None else grade.name.lower()


def result_text(heading: Heading) -> str:
    """Return the discs of both players, "" if the result is unknown."""
    if heading.result is None:
        return ""
    return f"{32 + heading.result / 2:g}-{32 - heading.result / 2:g}"


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
    "rating",
    "rating_error",
    *(f"{phase.value}_{name}" for phase in Phase for name in _SUMS),
    "inaccuracies",
    "mistakes",
    "blunders",
)
"""The columns of the CSV output. `result`: discs from the player's view. `loss`: discs in all, not a move."""

_DECIMALS: Final = 2


def json_line(heading: Heading, review: GameReview) -> str:
    """Return a game as a JSON object on one line."""
    ratings = review.ratings()
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
        "moves": [move_object(review, move) | people_object(move, ratings[move.color]) for move in review.moves],
    }
    return json.dumps(content)


def player_object(player: PlayerTally) -> dict[str, Any]:
    """Return what a player's moves add up to, in all and by phase."""
    phases = {phase.value: _tally_object(tally) for phase, tally in player.phases.items()}
    return {"total": _tally_object(player.total), **phases, **_rating_object(player.rating)}


def _rating_object(rating: people.RatingEstimate | None) -> dict[str, int | None]:
    return dict(zip(("rating", "rating_error"), (None, None) if rating is None else rating, strict=True))


def people_object(move: JudgedMove, rating: people.RatingEstimate | None) -> dict[str, Any]:
    """Return how many people of a rating find a move and the best one, and what is worth telling; nulls if unknown."""
    played = found = None
    if move.chances is not None and rating is not None:
        played, found = (round(share(rating.rating), 3) for share in (move.chances.played_by, move.chances.found_by))
    return {"played_by": played, "found_by": found, "note": people_note(move, rating)}


def _tally_object(tally: LossTally) -> dict[str, Any]:
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
    return csv_line(CSV_COLUMNS)


def csv_lines(heading: Heading, review: GameReview) -> str:
    """Return the rows of a game: Black's, then White's."""
    return "".join(csv_line(_csv_row(heading, review, color)) for color in Color)


def _csv_row(heading: Heading, review: GameReview, color: Color) -> list[object]:
    player = review.player(color)
    result = heading.result if heading.result is None or color is Color.BLACK else -heading.result
    where = [*map(csv_text, (heading.file, heading.place, heading.event, heading.date)), color.name.lower()]
    names = (player_name(heading, one) for one in (color, color.opponent))
    who = [*map(csv_text, names), result, review.level]
    sums = [*_sums(player.total), *_rating_object(player.rating).values()]
    sums += [value for phase in Phase for value in _sums(player.phases[phase])]
    return [*where, *who, *sums, *(player.total.slips[grade] for grade in Grade)]


def _sums(tally: LossTally) -> list[float | None]:
    return [tally.moves, tally.loss, _rounded(tally.accuracy)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
