"""How engines use their clocks: the share used before a game is solved, what is left then, and late moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.games import MoveReport, StoredGame, StoredMatch
from othello_bot.arena.report import ReportTable
from othello_bot.arena.statistics import RunningMoments
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import Color
from othello_bot.rules import Game, Position, parse_moves

SOLVED: Final = "exact"
"""The depth that our engine reports for a proven result."""


@dataclass(slots=True)
class ClockUse:
    """One engine's use of its clock in the games of a match.

    games       in which it had a clock and moved
    used        share of the time given until its first proven move that it had used after it
    left_s      seconds left then
    solved_at   empties at that move, in the games that it solved
    over_plan   moves before it that took longer than planned, of those with a plan: 0 or 1
    forfeits    games that it lost on time
    """

    games: int = 0
    used: RunningMoments = field(default_factory=RunningMoments)
    left_s: RunningMoments = field(default_factory=RunningMoments)
    solved_at: RunningMoments = field(default_factory=RunningMoments)
    over_plan: RunningMoments = field(default_factory=RunningMoments)
    forfeits: int = 0

    def add(self, game: StoredGame, color: Color, increment_s: float) -> None:
        """Count one side of a game whose clock gets `increment_s` after each move."""
        own = [move for move in game.played if move.color is color and move.left_s is not None]
        self.forfeits += game.result.ending is Ending.TIME and game.result.loser is color
        if not own:
            return
        self.games += 1
        place = next((place for place, move in enumerate(own) if move.depth == SOLVED), None)
        until = own if place is None else own[: place + 1]
        used_s = sum(move.used_s for move in until)
        # The increment that this move itself brought could not be used for it.
        left_s = max(0.0, (until[-1].left_s or 0.0) - increment_s)
        if used_s + left_s > 0:
            self.used.add(used_s / (used_s + left_s))
        self.left_s.add(left_s)
        if place is not None:
            self.solved_at.add(_empties(game, until[-1]))
        for move in until:
            if move.planned_s is not None:
                self.over_plan.add(move.used_s > move.planned_s)


def clock_uses(match: StoredMatch, games: Iterable[StoredGame]) -> list[ClockUse]:
    """Return how each engine of a match, by slot, used its clock."""
    uses = [ClockUse() for _ in match.config.engines]
    for game in games:
        for color, slot in ((Color.BLACK, game.result.black), (Color.WHITE, game.result.white)):
            control = match.config.engines[slot].limits.control
            if control is not None:
                uses[slot].add(game, color, control.increment_s)
    return uses


def clock_table(store: MatchStore, match: StoredMatch) -> ReportTable:
    """Return one row for each engine that has a clock."""
    heads = ("engine", "clock", "games", "used before solve", "left", "solved at", "over plan", "lost on time")
    return ReportTable("use of the clock", heads, tuple(_rows(match, clock_uses(match, store.games(match.id)))))


def _rows(match: StoredMatch, uses: Sequence[ClockUse]) -> Iterable[tuple[str, ...]]:
    for name, engine, use in zip(match.shown_names, match.config.engines, uses, strict=True):
        if engine.limits.control is not None:
            yield (
                name,
                str(engine.limits.control),
                str(use.games),
                _mean(use.used, 100, " %"),
                _mean(use.left_s, 1000, " ms"),
                _mean(use.solved_at),
                _mean(use.over_plan, 100, " %"),
                str(use.forfeits),
            )


def _mean(moments: RunningMoments, scale: float = 1.0, unit: str = "") -> str:
    """Return a mean, "-" if there is none."""
    return "-" if not moments.count else f"{scale * moments.mean:.1f}{unit}"


def _empties(game: StoredGame, move: MoveReport) -> int:
    replayed = Game(Position.parse(game.start))
    replayed.play_moves(parse_moves(game.moves))
    return replayed.position_at(move.ply).empties
