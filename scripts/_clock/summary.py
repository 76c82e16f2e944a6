"""What simulated games tell about a plan: a row of figures for each clock, and the use of time by stage of the game."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from othello_bot.arena.report import ReportTable

from .recorded import RecordedGame
from .simulation import Conditions, Side, SimulatedMove, play

STAGES = ((64, 45), (44, 35), (34, 29), (28, 25), (24, 21), (20, 0))
"""Stages of a game: most and fewest empties."""


@dataclass(frozen=True)
class SimulatedGames:
    """All sides of the games that were simulated under the same conditions."""

    conditions: Conditions
    sides: tuple[Side, ...]

    @classmethod
    def of(cls, games: Sequence[RecordedGame], conditions: Conditions) -> SimulatedGames:
        """Play all games."""
        return cls(conditions, tuple(side for game in games for side in play(game, conditions)))

    @property
    def used_share(self) -> float:
        """The mean share of the clock that was used when the game was solved."""
        return statistics.fmean(side.used_share for side in self.sides)

    @property
    def losses(self) -> list[int]:
        """Discs given away by each side before it had solved the game."""
        return [sum(move.loss for move in side.moves) for side in self.sides]

    @property
    def open_moves(self) -> list[SimulatedMove]:
        """The moves that were searched before the game was solved."""
        return [move for side in self.sides for move in side.moves if move.open]

    @property
    def forfeits(self) -> int:
        """Sides that lost on time."""
        return sum(side.forfeited for side in self.sides)


def figures(outcomes: Sequence[SimulatedGames], before: Sequence[SimulatedGames] = ()) -> ReportTable:
    """Return a row for each clock; with the outcomes of the same games under another plan, their differences as well.

    Errors are standard errors of the mean over the sides.
    """
    heads: tuple[str, ...]
    heads = ("clock", "sides", "used before solve", "left", "solved at", "best moves", "discs lost", "easy", "forfeits")
    rows = tuple(map(_figures, outcomes))
    if before:
        heads = (*heads, "discs more")
        more = (_more(outcome, other) for outcome, other in zip(outcomes, before, strict=True))
        rows = tuple((*row, text) for row, text in zip(rows, more, strict=True))
    return ReportTable("", heads, rows)


def _more(outcome: SimulatedGames, other: SimulatedGames) -> str:
    """Return how many discs more were lost by a side than under another plan: the same games, so the error is small."""
    differences = [now - then for now, then in zip(outcome.losses, other.losses, strict=True)]
    return f"{statistics.fmean(differences):+.2f} ± {_error(differences):.2f}"


def _error(values: Sequence[float]) -> float:
    """Return the standard error of a mean; NaN for a single value."""
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def _figures(outcome: SimulatedGames) -> tuple[str, ...]:
    sides, moves, losses = outcome.sides, outcome.open_moves, outcome.losses
    return (
        str(outcome.conditions.control),
        str(len(sides)),
        f"{100 * outcome.used_share:.1f} %",
        f"{1000 * statistics.fmean(side.left_at_solve_s for side in sides):.0f} ms",
        f"{statistics.fmean(side.solved_at or 0 for side in sides):.1f}",
        f"{100 * statistics.fmean(move.loss == 0 for move in moves):.1f} %",
        f"{statistics.fmean(losses):.2f} ± {_error(losses):.2f}",
        f"{100 * statistics.fmean(move.ended == 'easy move' for move in moves):.0f} %",
        str(outcome.forfeits),
    )


def stages(outcome: SimulatedGames) -> ReportTable:
    """Return a row for each stage of the game."""
    rows = []
    for most, fewest in STAGES:
        moves = [move for move in outcome.open_moves if fewest <= move.empties <= most]
        if not moves:
            continue
        rows.append(
            (
                f"{most}-{fewest}",
                str(len(moves)),
                f"{1000 * statistics.fmean(move.optimum_s for move in moves):.1f} ms",
                f"{1000 * statistics.fmean(move.used_s for move in moves):.1f} ms",
                f"{100 * statistics.fmean(move.loss == 0 for move in moves):.1f} %",
                f"{statistics.fmean(move.loss for move in moves):.3f}",
                " ".join(f"{name} {share:.0f} %" for name, share in _endings(moves)),
            )
        )
    heads = ("empties", "moves", "planned", "used", "best moves", "discs a move", "why they ended")
    return ReportTable(str(outcome.conditions.control), heads, tuple(rows))


def _endings(moves: Sequence[SimulatedMove]) -> list[tuple[str, float]]:
    reasons = [move.ended for move in moves]
    return [(name, 100 * reasons.count(name) / len(reasons)) for name in sorted(set(reasons))]
