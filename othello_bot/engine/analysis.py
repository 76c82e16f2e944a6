"""Judge the moves of a game: how many discs each gave away.

The played move and the best one are searched together, from the same position, to the same depth, with an empty table
before the first position; symmetric moves count as one. A loss that a deeper search would probably reverse is not
reported.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Final

from othello_bot.engine.deepening import Line, SearchResult
from othello_bot.engine.limits import Limits
from othello_bot.engine.requests import SearchRequest
from othello_bot.errors import InputError
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square
from protocol.notation import PASS, Color, move_name

MIDGAME_MARGINS: Final = ((1, 10), (4, 6), (8, 4), (10, 3))
"""Pairs (depth, discs): of a loss found at this depth or deeper, short of the end of the game, a much deeper search
takes back at most this many discs in 95 % of cases, and at most 5 % of larger losses entirely. Measured by
scripts/analysis-margin; see docs/analysis.md.
"""

SELECTIVE_MARGIN: Final = 2
"""The same for a selective search to the end of the game: one step of final scores. A full-width one is never wrong."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a game: `ply` counts from 1, `played` and `best` are lines of one search, scores are the mover's.

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


def judge(
    game: Game, first_ply: int, limits: Limits, stopped: Callable[[], bool] = lambda: False
) -> Generator[SearchRequest, SearchResult, list[JudgedMove]]:
    """Return the moves from `first_ply` (0 is the first) on; yield the searches to make, and receive their results.

    The table must be empty at the start. Once `stopped` returns true, the result holds the moves judged so far. Raise
    `InputError` for anything but a game.
    """
    if not isinstance(game, Game):
        raise InputError("game", game, "a Game")
    judged: list[JudgedMove] = []
    for ply in range(first_ply, game.ply):
        position, move = game.position_at(ply), game.moves[ply]
        label = f"move {ply + 1} of {game.ply}"
        best = (yield SearchRequest(position, limits, label=label)).best
        if stopped():
            break
        played = same_as_best(position, move, best)
        if played is None:
            pair = Limits(
                depth=max(1, best.depth),
                selectivity=best.selectivity,
                multi_pv=2,
                considered=frozenset((best.move, move)),
            )
            lines = {line.move: line for line in (yield SearchRequest(position, pair, label=label)).lines}
            if stopped():
                break
            played, best = lines[move], lines[best.move]
        judged.append(compared(ply, position, played, best))
    return judged


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
