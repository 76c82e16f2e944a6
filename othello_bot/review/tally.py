"""What a player's moves add up to: discs lost, accuracy and slips, by phase of the game.

A loss is what `JudgedMove` reports: discs beyond the error of the search. Forced moves and passes count nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from othello_bot.review.judgement import JudgedMove
from othello_bot.rules import Game

HALF_LOSS_DISCS: Final = 6
"""A move that loses so many discs is worth half of one that loses none."""


class Phase(Enum):
    """A third of the game, by the number of empty squares before the move."""

    OPENING = "opening"
    MIDGAME = "midgame"
    ENDGAME = "endgame"


OPENING_EMPTIES: Final = 41
"""Fewest empties of the opening: the first 20 moves, as far as opening books and names go."""

MIDGAME_EMPTIES: Final = 21
"""Fewest empties of the midgame; from 20 on, the engine solves a position within a fraction of a second."""


class Grade(Enum):
    """What a loss is called, from the fewest discs that it stands for."""

    INACCURACY = 1
    MISTAKE = 6
    BLUNDER = 12

    @property
    def plural(self) -> str:
        """Its name for several: "inaccuracies", "mistakes", "blunders"."""
        return "inaccuracies" if self is Grade.INACCURACY else f"{self.name.lower()}s"


def phase_of(empties: int) -> Phase:
    """Return the phase of a move that is made with so many empties on the board."""
    if empties >= OPENING_EMPTIES:
        return Phase.OPENING
    return Phase.MIDGAME if empties >= MIDGAME_EMPTIES else Phase.ENDGAME


def grade_of(loss: int) -> Grade | None:
    """Return the grade of a loss in discs; None for no loss."""
    return next((grade for grade in reversed(Grade) if loss >= grade.value), None)


@dataclass(slots=True)
class Tally:
    """Sums over moves: their number, the discs they lost, their points (see `accuracy`) and slips by grade."""

    moves: int = 0
    loss: int = 0
    points: float = 0.0
    slips: dict[Grade, int] = field(default_factory=lambda: dict.fromkeys(Grade, 0))

    def add(self, loss: int) -> None:
        """Count one move."""
        self.moves += 1
        self.loss += loss
        self.points += 0.5 ** (loss / HALF_LOSS_DISCS)
        grade = grade_of(loss)
        if grade is not None:
            self.slips[grade] += 1

    def add_all(self, other: Tally) -> None:
        """Count the moves of another tally."""
        self.moves += other.moves
        self.loss += other.loss
        self.points += other.points
        for grade, count in other.slips.items():
            self.slips[grade] += count

    @property
    def mean_loss(self) -> float | None:
        """Discs lost a move; None without moves."""
        return self.loss / self.moves if self.moves else None

    @property
    def accuracy(self) -> float | None:
        """Percent: the mean over the moves of 100 for no loss, 50 for `HALF_LOSS_DISCS`; None without moves."""
        return 100 * self.points / self.moves if self.moves else None


@dataclass(slots=True)
class PlayerTally:
    """A player's tally over one or more games, by phase."""

    games: int = 0
    phases: dict[Phase, Tally] = field(default_factory=lambda: {phase: Tally() for phase in Phase})

    @property
    def total(self) -> Tally:
        """The tally of all phases."""
        total = Tally()
        for tally in self.phases.values():
            total.add_all(tally)
        return total

    def add_game(self, losses: Iterable[tuple[int, int]]) -> None:
        """Count a game from pairs (empties before the move, loss in discs), one for each move with a choice."""
        self.games += 1
        for empties, loss in losses:
            self.phases[phase_of(empties)].add(loss)


def had_choice(game: Game, move: JudgedMove) -> bool:
    """Return whether the player had more than one legal move."""
    return game.position_at(move.ply - 1).legal_bits.bit_count() > 1
