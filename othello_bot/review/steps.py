"""The searches of a review, and in which order they are made so that each helps the next.

Positions whose search does not reach the end of the game are searched first, from the first to the last: the table
then never holds a deeper search of a position, so the played move and the best one are compared at the same depth and
parity. The rest is searched from the end of the game backwards: the value of the played move is that of the position
after it, which is known, and the table holds its proof.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from othello_bot.engine import (
    MAXIMUM_SCORE,
    JudgedMove,
    Limits,
    Line,
    SearchRequest,
    SearchResult,
    compared,
    same_as_best,
)
from othello_bot.errors import InputError
from othello_bot.review.plan import limits_at, reaches_the_end
from othello_bot.rules import Game, Position
from protocol.notation import PASS

Search = Generator[SearchRequest, SearchResult, Line | None]
"""A step that needs searches; it ends with the line found, or None if it was stopped."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Progress of a review: the number of judged moves, the number of all moves, and the move judged last."""

    done: int
    total: int
    move: JudgedMove


Observer = Callable[[ReviewProgress], None]


def review_steps(
    game: Game,
    level: int,
    observer: Observer | None = None,
    stopped: Callable[[], bool] = lambda: False,
    first_ply: int = 0,
) -> Generator[SearchRequest, SearchResult, list[JudgedMove]]:
    """Return the judged moves in their order; yield the searches to make and receive their results.

    The moves before `first_ply` (0 is the first) are left out. The table must be empty at the start. Once `stopped`
    returns true, the result holds the moves judged so far.
    `observer` is called after each move; moves are not judged in their order. Raise `InputError` for anything but a
    game, `LimitError` for a level out of range.
    """
    if not isinstance(game, Game):
        raise InputError("game", game, "a Game")
    Limits(level=level)  # raises LimitError if it is out of range
    return (yield from _Review(game, level, observer, stopped, first_ply).steps())


class _Review:
    """One review in progress."""

    def __init__(
        self, game: Game, level: int, observer: Observer | None, stopped: Callable[[], bool], first_ply: int
    ) -> None:
        self._game = game
        self._level = level
        self._observer = observer
        self._stopped = stopped
        self._first_ply = first_ply
        self._judged: dict[int, JudgedMove] = {}
        self._first_to_the_end = next(
            (ply for ply in range(game.ply) if reaches_the_end(level, game.position_at(ply).empties)), game.ply
        )

    def steps(self) -> Generator[SearchRequest, SearchResult, list[JudgedMove]]:
        """Judge all moves; see `review_steps`."""
        free = range(self._first_ply, self._first_to_the_end)
        completed = True
        for ply in free:
            if not _is_forced(self._game.position_at(ply)):
                completed = completed and (yield from self._compare(ply))
        after = (yield from self._last_line()) if completed and not self._stopped() else None
        for ply in range(self._game.ply - 1, self._first_ply - 1, -1):
            if after is None:
                break
            if ply in self._judged:
                after = self._judged[ply].best
            elif _is_forced(self._game.position_at(ply)):
                after = self._judge(ply, played := self._extended(ply, after), played)
            else:
                after = yield from self._compare_to_the_end(ply, after)
        return [self._judged[ply] for ply in sorted(self._judged)]

    def _compare(self, ply: int) -> Generator[SearchRequest, SearchResult, bool]:
        """Judge a move by two searches of one depth; return False if stopped."""
        position, move = self._game.position_at(ply), self._game.moves[ply]
        best = yield from self._searched(ply, limits_at(self._level, position.empties))
        if best is None:
            return False
        played = same_as_best(position, move, best)
        if played is None:
            alone = frozenset((move,))
            limits = Limits(depth=best.depth, selectivity=best.selectivity, considered=alone, sparse=True)
            played = yield from self._searched(ply, limits)
            if played is None:
                return False
        self._judge(ply, played, best)
        return True

    def _compare_to_the_end(self, ply: int, after: Line) -> Search:
        """Judge a move by the line found after it and a search to the end for a better one; return the best line, None
        if stopped.

        The search is only asked whether another move scores more than the played one: proving that none does costs a
        part of finding the score of the best.
        """
        position, played = self._game.position_at(ply), self._extended(ply, after)
        others = frozenset(move for move in position.legal_moves if same_as_best(position, move, played) is None)
        if not others or played.score == MAXIMUM_SCORE:
            return self._judge(ply, played, played)
        limits = replace(limits_at(self._level, position.empties), considered=others, alpha=played.score)
        best = yield from self._searched(ply, limits)
        if best is None:
            return None
        return self._judge(ply, played, played if best.bound == "upper" else best)

    def _last_line(self) -> Search:
        """Return the line after the last move: none needs to be searched once the game is over."""
        position = self._game.position
        if not position.is_over:
            return (yield from self._searched(self._game.ply, limits_at(self._level, position.empties)))
        return Line(PASS, position.score(), (), position.empties, selectivity=100, exact=True)

    def _extended(self, ply: int, after: Line) -> Line:
        """Return the line of the move that follows `ply` moves, from the best line after it."""
        move = self._game.moves[ply]
        depth = after.depth + (move != PASS)
        return Line(move, -after.score, (move, *after.pv), depth, after.selectivity, after.exact)

    def _searched(self, ply: int, limits: Limits) -> Search:
        label = f"move {min(ply + 1, self._game.ply)} of {self._game.ply}"
        result = yield SearchRequest(self._game.position_at(ply), limits, label=label)
        return None if self._stopped() or result.stopped else result.best

    def _judge(self, ply: int, played: Line, best: Line) -> Line:
        """Note the judgement on a move; return the best line."""
        judged = compared(ply, self._game.position_at(ply), played, best)
        self._judged[ply] = judged
        if self._observer is not None:
            self._observer(ReviewProgress(len(self._judged), self._game.ply - self._first_ply, judged))
        return judged.best


def _is_forced(position: Position) -> bool:
    """Return whether a position leaves no choice: a pass or a single legal move."""
    return position.legal_bits.bit_count() < 2
