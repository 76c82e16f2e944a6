"""The judgement on a move: the discs that it gave away, how many people find it, what a player's moves add up to by phase.

A loss is what `JudgedMove` reports: discs beyond the error of the search. Forced moves and passes count nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import people
from othello_bot.kernel import canonical_afters
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square

MIDGAME_MARGINS: Final = ((1, 10), (4, 6), (8, 4), (10, 3))
"""Pairs (depth, discs): of a loss found at this depth or deeper, short of the end of the game, a much deeper search
takes back at most this many discs in 95 % of cases, and at most 5 % of larger losses entirely (docs/analysis.md).
"""

SELECTIVE_MARGIN: Final = 2
"""The same for a selective search to the end of the game: one step of final scores. A full-width one is never wrong."""


FEW: Final = 0.1
"""A good move that no more than this share of people play is one that few find."""

MANY: Final = 0.4
"""A bad move that at least this share of people play is one that many make."""

USUAL: Final = (1300, 1700)
"""Ratings between which half of the players of tournaments are."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely people of each of `people.RATINGS` are to play the played move and the best one, as logarithms.

    Moves that lead to the same position but for symmetry count together. `only`: no other move is as good.
    """

    played: tuple[float, ...]
    best: tuple[float, ...]
    only: bool = False

    def played_by(self, rating: float) -> float:
        """Return the share of people of a rating who play the played move."""
        return min(1.0, math.exp(people.between(self.played, rating)))

    def found_by(self, rating: float) -> float:
        """Return the share of people of a rating who play the best move."""
        return min(1.0, math.exp(people.between(self.best, rating)))


class People:
    """What people of all `people.RATINGS` play after the first `ply` moves of a game."""

    def __init__(self, people_model: people.PeopleModel, game: Game, ply: int) -> None:
        position = game.position_at(ply)
        last = next((move for move in reversed(game.moves[:ply]) if move != PASS), None)
        self._afters = canonical_afters(position.mover, position.opponent)
        self.choose = len(set(self._afters.values())) > 1
        self._by_rating = people_model.chances_of_each(position, people.RATINGS, last) if self.choose else []

    def logarithms(self, move: int) -> tuple[float, ...]:
        """Return the logarithms of the probabilities of a move, together with those symmetric to it, in hundredths."""
        after = self._afters[move]
        totals = (
            math.fsum(chance for one, chance in chances.items() if self._afters[one] == after)
            for chances in self._by_rating
        )
        return tuple(round(math.log(max(total, people.RAREST)), 2) for total in totals)

    def may_miss(self, move: int) -> bool:
        """Return whether few people of a usual strength play a move."""
        played = self.logarithms(move)
        return self.choose and min(people.between(played, rating) for rating in USUAL) <= math.log(FEW)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a game: `ply` counts from 1, `played` and `best` are lines of one depth, scores are the mover's.

    If no move is better, `best` is `played`. `loss`: discs given away, 0 if the difference is within the error of the
    search. `chances`: how many people find either, if that was asked and there was a choice.
    """

    ply: int
    color: Color
    played: EvaluatedMove
    best: EvaluatedMove
    loss: int
    chances: Chances | None = None

    @property
    def move(self) -> int:
        """The played move."""
        return self.played.move

    @property
    def score(self) -> int:
        """Discs, from the view of the player who made the move."""
        return self.played.discs

    def __str__(self) -> str:
        played = f"{self.ply}. {move_name(self.move)} {self.score:+d}"
        best = f"best {move_name(self.best.move)} {self.best.score:+d}, loss {self.loss}"
        return f"{played}, {best}" if self.loss else played


def compared(ply: int, position: Position, played: EvaluatedMove, best: EvaluatedMove) -> JudgedMove:
    """Return the judgement on the move that follows `ply` moves, from its line and that of the best move."""
    if played.discs >= best.discs:
        best = played
    difference = best.discs - played.discs
    loss = difference if difference > margin(best, position.empties) else 0
    return JudgedMove(ply + 1, position.color, played, best, loss)


def margin(line: EvaluatedMove, empties: int) -> int:
    """Return the largest loss in discs that is not reported, after a search that found `line`."""
    if line.exact:
        return 0
    if line.depth >= empties:
        return SELECTIVE_MARGIN
    return next((discs for depth, discs in reversed(MIDGAME_MARGINS) if line.depth >= depth), MIDGAME_MARGINS[0][1])


def same_as_best(position: Position, move: int, best: EvaluatedMove) -> EvaluatedMove | None:
    """Return the line of a move with the value of the best one: itself, its mirror image, or a pass."""
    if move in (best.move, PASS):
        return best
    after = position.play(best.move)
    for index in SYMMETRIES:
        if after.transform(index) == position.play(move):
            return replace(best, move=move, pv=(move, *(transform_square(square, index) for square in best.pv[1:])))
    return None


HALF_LOSS_DISCS: Final = 6
"""A move that loses this many discs is worth half of one that loses none."""


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
    """Return the phase of a move that is made with this many empties on the board."""
    if empties >= OPENING_EMPTIES:
        return Phase.OPENING
    return Phase.MIDGAME if empties >= MIDGAME_EMPTIES else Phase.ENDGAME


def grade_of(loss: int) -> Grade | None:
    """Return the grade of a loss in discs; None for no loss."""
    return next((grade for grade in reversed(Grade) if loss >= grade.value), None)


@dataclass(slots=True)
class LossTally:
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

    def add_all(self, other: LossTally) -> None:
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
    """A player's tally over one or more games, by phase.

    `logarithms`: sums over his moves of the logarithms of their chances, see `Chances`.
    """

    games: int = 0
    logarithms: list[float] = field(default_factory=list)
    phases: dict[Phase, LossTally] = field(default_factory=lambda: {phase: LossTally() for phase in Phase})

    @property
    def total(self) -> LossTally:
        """The tally of all phases."""
        total = LossTally()
        for tally in self.phases.values():
            total.add_all(tally)
        return total

    @property
    def rating(self) -> people.RatingEstimate | None:
        """The rating that his moves look like; None if the chances of none are known."""
        return people.estimate(self.logarithms) if self.logarithms else None

    def add_game(self, losses: Iterable[tuple[int, int]], chances: Iterable[Chances] = ()) -> None:
        """Count a game from pairs (empties before the move, loss in discs), one for each move with a choice, and from
        the chances of these moves.
        """
        self.games += 1
        for one in chances:
            self.logarithms = [
                a + b for a, b in zip(self.logarithms or [0.0] * len(people.RATINGS), one.played, strict=True)
            ]
        for empties, loss in losses:
            self.phases[phase_of(empties)].add(loss)


def had_choice(game: Game, move: JudgedMove) -> bool:
    """Return whether the player had more than one legal move."""
    return game.position_at(move.ply - 1).legal_bits.bit_count() > 1
