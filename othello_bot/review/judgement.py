"""The judgement on a move: the discs that it gave away.

The played move and the best one are compared at the same depth; symmetric moves count as one. A loss that a deeper
search would probably reverse is not reported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import Line
from othello_bot.rules import SYMMETRIES, Position, transform_square

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
