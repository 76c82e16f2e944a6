"""How the engines of a match use their clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.games import MoveReport
from othello_bot.arena.statistics import RunningMoments
from othello_bot.arena.stored import StoredGame, StoredMatch
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
    overtime_s  seconds of a game by which it exceeded its clock
    overtime_most_s  the most in one game
    forfeits    games that it lost on time
    """

    games: int = 0
    used: RunningMoments = field(default_factory=RunningMoments)
    left_s: RunningMoments = field(default_factory=RunningMoments)
    solved_at: RunningMoments = field(default_factory=RunningMoments)
    over_plan: RunningMoments = field(default_factory=RunningMoments)
    overtime_s: RunningMoments = field(default_factory=RunningMoments)
    overtime_most_s: float = 0.0
    forfeits: int = 0

    def add(self, game: StoredGame, color: Color, increment_s: float) -> None:
        """Count one side of a game whose clock gets `increment_s` after each move."""
        moved = [move for move in game.played if move.color is color]
        self.forfeits += game.result.ending is Ending.TIME and game.result.loser is color
        overtime_s = game.result.overtimes_s[color]
        self.overtime_s.add(overtime_s)
        self.overtime_most_s = max(self.overtime_most_s, overtime_s)
        self.games += bool(moved)
        # A time for each move leaves nothing for later ones.
        own = [move for move in moved if move.left_s is not None]
        if not own:
            return
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
        for color, slot in zip(Color, game.result.slots, strict=True):
            limits = match.config.engines[slot].limits
            if limits.settings is not None:
                uses[slot].add(game, color, 0.0 if limits.control is None else limits.control.increment_s)
    return uses


def _empties(game: StoredGame, move: MoveReport) -> int:
    replayed = Game(Position.parse(game.start))
    replayed.play_moves(parse_moves(game.moves))
    return replayed.position_at(move.ply).empties
