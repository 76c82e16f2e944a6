"""A player's report: openings by colour with results, opponents, and where the lost games began to be lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from othello_bot.base.errors import InputError, counted
from othello_bot.base.notation import Color, move_name
from othello_bot.base.visible import table_lines
from othello_bot.explorer.base import BaseGame, Counts, GameBase
from othello_bot.explorer.selection import Selection
from othello_bot.explorer.showing import COUNTS_HEAD, counts_cells, results_text
from othello_bot.review import GameReview, Grade, Phase, grade_of, phase_of, stored_reviews
from othello_bot.rules import Position

NAMED_PLIES: Final = 24
"""Plies in which an opening gets its name."""

SHOWN: Final = 15
"""Rows of a table of openings or opponents."""


@dataclass(slots=True)
class Line:
    """What some games of the player have in common."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    scored: int = 0
    discs: int = 0

    def add(self, game: BaseGame, color: Color) -> None:
        """Count a game."""
        self.games += 1
        if game.winner is not None:
            self.won += game.winner is color
            self.lost += game.winner is not color
        elif game.result is not None:
            self.drawn += 1
        if game.result is not None:
            self.scored += 1
            self.discs += game.result if color is Color.BLACK else -game.result

    @property
    def counts(self) -> Counts:
        """The counts from the player's view."""
        mean = self.discs / self.scored if self.scored else None
        return Counts(self.games, self.won, self.drawn, self.lost, mean)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The move with which the player began to lose a game: the first mistake or blunder in a game that he lost."""

    game: BaseGame
    ply: int
    move: int
    loss: int
    phase: Phase


@dataclass(slots=True)
class PlayerReport:
    """What a base says about a player; a key of `openings` is his colour and a name, "" for none."""

    openings: dict[tuple[Color, str], Line] = field(default_factory=dict)
    opponents: dict[str, Line] = field(default_factory=dict)
    turning_points: list[TurningPoint] = field(default_factory=list)
    reviewed: int = 0
    """Games that he lost of which there is a review."""

    def total(self, color: Color) -> Counts:
        """Return the counts of all games with a colour."""
        total = Line()
        for (its, _), line in self.openings.items():
            if its is color:
                for name in ("games", "won", "drawn", "lost", "scored", "discs"):
                    setattr(total, name, getattr(total, name) + getattr(line, name))
        return total.counts


def player_report(
    base: GameBase,
    selection: Selection,
    name: Callable[[Position], str | None],
    store: Path | None = None,
    level: int | None = None,
) -> PlayerReport:
    """Return the report about the player of a selection.

    `name` gives the names of openings. `store` is a file of reviews, which need not exist, and `level` that of the
    reviews. Raise InputError for a selection without a player.
    """
    if not selection.player:
        raise InputError("report", "", "the name of a player")
    report = PlayerReport()
    lost: list[tuple[BaseGame, Color]] = []
    named = cache(name)
    for color in Color:
        if selection.color not in (None, color):
            continue
        for game in base.all_games(replace(selection, color=color)):
            report.openings.setdefault((color, _opening(game, named)), Line()).add(game, color)
            opponent = game.white if color is Color.BLACK else game.black
            report.opponents.setdefault(opponent, Line()).add(game, color)
            if game.winner is not None and game.winner is not color:
                lost.append((game, color))
    if store is not None and store.is_file():
        _add_turning_points(report, lost, store, level)
    return report


def _opening(game: BaseGame, name: Callable[[Position], str | None]) -> str:
    position = Position.start() if game.start is None else Position.parse(game.start)
    found = ""
    for move in game.moves[:NAMED_PLIES]:
        if position.must_pass:
            position = position.play("pass")
        position = position.play(move)
        found = name(position) or found
    return found


def _add_turning_points(
    report: PlayerReport, lost: Sequence[tuple[BaseGame, Color]], store: Path, level: int | None
) -> None:
    for (game, color), review in zip(lost, stored_reviews(store, [one.game() for one, _ in lost], level), strict=True):
        if review is None:
            continue
        report.reviewed += 1
        point = _turning_point(game, color, review)
        if point is not None:
            report.turning_points.append(point)


def _turning_point(game: BaseGame, color: Color, review: GameReview) -> TurningPoint | None:
    for move in review.moves:
        if move.color is color and grade_of(move.loss or 0) in (Grade.MISTAKE, Grade.BLUNDER):
            empties = review.game.position_at(move.ply - 1).empties
            return TurningPoint(game, move.ply, move.played.move, int(move.loss or 0), phase_of(empties))
    return None


def report_lines(report: PlayerReport, columns: int | None = None) -> list[str]:
    """Return a report as text."""
    lines: list[str] = []
    for color in Color:
        total = report.total(color)
        if not total.games:
            continue
        rows = {name or "(no name)": line for (its, name), line in report.openings.items() if its is color}
        lines += [f"as {color.name.lower()}: {counted(total.games, 'game')}, {results_text(total)}", ""]
        lines += [*_table("opening", rows, columns), ""]
    if not lines:
        return ["no game of such a player is in the base, or none that the filters take"]
    lines += [*_table("opponent", {name or "?": line for name, line in report.opponents.items()}, columns), ""]
    if not report.reviewed:
        return [
            *lines,
            "where losses begin: none of the lost games is in the store of reviews; `othello-bot review` adds them",
        ]
    begun = Counter(point.phase for point in report.turning_points)
    where = ", ".join(f"{phase.value} {begun[phase]}" for phase in Phase)
    slow = report.reviewed - len(report.turning_points)
    lines.append(
        f"where losses begin, in {counted(report.reviewed, 'reviewed game')}: {where}, without a mistake {slow}"
    )
    for point in sorted(report.turning_points, key=lambda point: -point.loss)[:SHOWN]:
        lines.append(
            f"  game {point.game.number}, move {point.ply} {move_name(point.move)}: {counted(point.loss, 'disc')} lost"
        )
    return lines


def _table(head: str, rows: dict[str, Line], columns: int | None) -> list[str]:
    table: list[tuple[str, ...]] = [(head, *COUNTS_HEAD)]
    ordered = sorted(rows.items(), key=lambda row: (-row[1].games, row[0]))
    for name, line in ordered[:SHOWN]:
        table.append((name, *counts_cells(line.counts)))
    hidden = len(ordered) - SHOWN
    return [*table_lines(table, columns=columns), *([f"... and {hidden} more"] if hidden > 0 else [])]


def report_objects(report: PlayerReport) -> Iterable[dict[str, Any]]:
    """Yield an object for each opening, opponent, and lost game with the move where the loss began."""
    for (color, name), line in sorted(report.openings.items(), key=lambda row: -row[1].games):
        yield {"opening": name, "color": color.name.lower(), **_object(line)}
    for name, line in sorted(report.opponents.items(), key=lambda row: -row[1].games):
        yield {"opponent": name, **_object(line)}
    for point in report.turning_points:
        begun = {"ply": point.ply, "move": move_name(point.move), "loss": point.loss, "phase": point.phase.value}
        yield {"lost_game": point.game.number, **begun}


def _object(line: Line) -> dict[str, Any]:
    counts = line.counts
    mean = None if counts.mean_discs is None else round(counts.mean_discs, 2)
    return {"games": line.games, "won": line.won, "drawn": line.drawn, "lost": line.lost, "mean_discs": mean}
