"""The judgement on a move, the discs that it gave away, and what a player's moves add up to by phase of the game.

A loss is what `JudgedMove` reports: discs beyond the error of the search. Forced moves and passes count nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import Line
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square

MIDGAME_MARGINS: Final = ((1, 10), (4, 6), (8, 4), (10, 3))
"""Pairs (depth, discs): of a loss found at this depth or deeper, short of the end of the game, a much deeper search
takes back at most this many discs in 95 % of cases, and at most 5 % of larger losses entirely (docs/analysis.md).
"""

SELECTIVE_MARGIN: Final = 2
"""The same for a selective search to the end of the game: one step of final scores. A full-width one is never wrong."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a game: `ply` counts from 1, `played` and `best` are lines of one depth, scores are the mover's.

    If no move is better, `best` is `played`. `loss`: discs given away, 0 if the difference is within the error of the
    search.
    """

    ply: int
    color: Color
    played: Line
    best: Line
    loss: int

    @property
    def move(self) -> int:
        """The played move."""
        return self.played.move

    @property
    def score(self) -> int:
        """Discs, from the view of the player who made the move."""
        return self.played.score

    def __str__(self) -> str:
        played = f"{self.ply}. {move_name(self.move)} {self.score:+d}"
        best = f"best {move_name(self.best.move)} {self.best.score:+d}, loss {self.loss}"
        return f"{played}, {best}" if self.loss else played


def compared(ply: int, position: Position, played: Line, best: Line) -> JudgedMove:
    """Return the judgement on the move that follows `ply` moves, from its line and that of the best move."""
    if played.score >= best.score:
        best = played
    difference = best.score - played.score
    loss = difference if difference > margin(best, position.empties) else 0
    return JudgedMove(ply + 1, position.color, played, best, loss)


def margin(line: Line, empties: int) -> int:
    """Return the largest loss in discs that is not reported, after a search that found `line`."""
    if line.exact:
        return 0
    if line.depth >= empties:
        return SELECTIVE_MARGIN
    return next((discs for depth, discs in reversed(MIDGAME_MARGINS) if line.depth >= depth), MIDGAME_MARGINS[0][1])


def same_as_best(position: Position, move: int, best: Line) -> Line | None:
    """Return the line of a move with the value of the best one: itself, its mirror image, or a pass."""
    if move in (best.move, PASS):
        return best
    after = position.play(best.move)
    for index in SYMMETRIES:
        if after.transform(index) == position.play(move):
            return replace(best, move=move, pv=(move, *(transform_square(square, index) for square in best.pv[1:])))
    return None


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
