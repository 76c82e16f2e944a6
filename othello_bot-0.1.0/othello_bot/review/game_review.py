"""The review of one game: its judged moves, what they say about both players, and the searches that judge them.

Positions whose search does not reach the end of the game are searched first, from the first to the last: the table
then never holds a deeper search of a position, so the played move and the best one are compared at the same depth and
parity. The rest is searched from the end of the game backwards: the value of the played move is that of the position
after it, which is known, and the table holds its proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from othello_bot.base.errors import InputError
from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.notation import PASS, Color
from othello_bot.engine import (
    MAXIMUM_SCORE,
    SELECTIVITIES,
    Ended,
    Engine,
    Limits,
    SearchRequest,
    SearchResult,
    Steps,
    carried_out,
    exact_empties,
    people,
)
from othello_bot.review.judgement import (
    Chances,
    JudgedMove,
    People,
    Phase,
    PlayerTally,
    compared,
    had_choice,
    margin,
    phase_of,
    same_as_best,
)
from othello_bot.rules import Game, Position

DEFAULT_LEVEL: Final = 16
"""Level of every review unless another one is given, whoever asks (docs/strength.md): about the level of a strong
opponent, and a game takes seconds.
"""

SELECTIVE_EMPTIES: Final = 2
"""The number of empties before the exact searches at which selective ones to the end of the game begin. The levels
begin them six empties before; the four between cost several times the rest of the review.
"""

SELECTIVE_FROM_LEVEL: Final = 11
"""From this level on, a level prunes selectively."""


STRIDE: Final = 4
"""Plies between the iterations of a search: the table knows much of a position from the search of the one before."""


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """The searches of a level: a review costs a fraction of playing the game at the same level.

    Forced moves are judged by the position after them wherever they are made, and searched only if no position is.
    """

    level: int
    searches_forced_moves: ClassVar[bool] = False

    def limits(self, empties: int) -> Limits:
        """Return the limits of a search for the best move: the depth of the level, exact where the level is."""
        exact = exact_empties(self.level)
        if empties <= exact or self.level < SELECTIVE_FROM_LEVEL:
            return Limits(level=self.level, stride=STRIDE)
        depth = empties if empties <= exact + SELECTIVE_EMPTIES else self.level
        return Limits(depth=depth, selectivity=SELECTIVITIES[0], stride=STRIDE)

    def comparison(self, best: EvaluatedMove, move: int) -> Limits:
        """Return the limits of the search that compares a move with the best line, whose score is known."""
        alone = frozenset((move,))
        return Limits(depth=best.depth, selectivity=best.selectivity, considered=alone, stride=STRIDE)

    def goes_backwards(self, empties: int) -> bool:
        """Return whether a position is judged by the one after it, because its search reaches the end of the game."""
        lead = SELECTIVE_EMPTIES if self.level >= SELECTIVE_FROM_LEVEL else 0
        return empties <= max(exact_empties(self.level) + lead, self.level, 1)


@dataclass(frozen=True, slots=True)
class EqualPlan:
    """The same limits for each position, whatever they are: depth, time, nodes or a level as in a game."""

    each: Limits
    searches_forced_moves: ClassVar[bool] = True

    def limits(self, empties: int) -> Limits:
        """Return the limits."""
        return self.each

    def comparison(self, best: EvaluatedMove, move: int) -> Limits:
        """Return a search of both moves: that for the best one may have been cut short, by time for example."""
        both = frozenset((best.move, move))
        return Limits(depth=max(1, best.depth), selectivity=best.selectivity, multi_pv=2, considered=both)

    def goes_backwards(self, empties: int) -> bool:
        """Return False: limits may end a search before the end of the game."""
        return False


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Progress of a review: the number of judged moves, the number of all moves, and the move judged last."""

    done: int
    total: int
    move: JudgedMove


ReviewObserver = Callable[[ReviewProgress], None]


def review_steps(
    game: Game,
    level: int,
    observer: ReviewObserver | None = None,
    stopped: Callable[[], bool] = lambda: False,
    first_ply: int = 0,
    people_model: people.PeopleModel | None = None,
) -> Steps[list[JudgedMove]]:
    """Return the judged moves in their order; yield the searches to make and receive their results.

    The moves before `first_ply` (0 is the first) are skipped. The table must be empty at the start. Once `stopped`
    returns true, the result holds the moves judged so far. `observer` is called after each move; moves are not judged in
    their order. A `people_model` tells how many people find the moves. Raise `InputError` for anything but a game,
    `LimitError` for a level out of range.
    """
    Limits(level=level)  # raises LimitError if it is out of range
    return (yield from _Review(game, LevelPlan(level), observer, stopped, first_ply, people_model).steps())


def analysis_steps(
    game: Game, limits: Limits, stopped: Callable[[], bool] = lambda: False, first_ply: int = 0
) -> Steps[list[JudgedMove]]:
    """Do the same with the same limits for each position; the moves are judged in their order."""
    return (yield from _Review(game, EqualPlan(limits), None, stopped, first_ply, None).steps())


class _Review:
    """One review in progress."""

    def __init__(
        self,
        game: Game,
        plan: LevelPlan | EqualPlan,
        observer: ReviewObserver | None,
        stopped: Callable[[], bool],
        first_ply: int,
        people_model: people.PeopleModel | None,
    ) -> None:
        if not isinstance(game, Game):
            raise InputError("game", game, "a Game")
        self._game = game
        self._plan = plan
        self._observer = observer
        self._stopped = stopped
        self._first_ply = first_ply
        self._people_model = people_model
        self._judged: dict[int, JudgedMove] = {}
        self._people: dict[int, People] = {}

    def steps(self) -> Steps[list[JudgedMove]]:
        """Judge all moves; see `review_steps`."""
        backwards = next(
            (ply for ply in range(self._game.ply) if self._plan.goes_backwards(self._game.position_at(ply).empties)),
            self._game.ply,
        )
        if (yield from self._go_forwards(backwards)):
            yield from self._go_backwards()
        return [self._judged[ply] for ply in sorted(self._judged)]

    def _go_forwards(self, end: int) -> Steps[bool]:
        """Judge the moves before ply `end` that need a search; return False if stopped."""
        for ply in range(self._first_ply, end):
            if self._plan.searches_forced_moves or not _is_forced(self._game.position_at(ply)):
                if (yield from self._compare(ply)) is None:
                    return False
        return True

    def _go_backwards(self) -> Steps[None]:
        """Judge the other moves, from the last one on, until stopped."""
        after: EvaluatedMove | None = None
        for ply in range(self._game.ply - 1, self._first_ply - 1, -1):
            if ply in self._judged:
                after = self._judged[ply].best
                continue
            if ply == self._game.ply - 1:
                after = yield from self._last_line()
            if after is not None and _is_forced(self._game.position_at(ply)):
                after = self._judge(ply, played := self._extended(ply, after), played)
            elif after is not None:
                after = yield from self._compare_to_the_end(ply, after)
            if after is None:
                return

    def _compare(self, ply: int) -> Steps[EvaluatedMove | None]:
        """Judge a move by searches of one depth; return the best line, None if stopped."""
        position, move = self._game.position_at(ply), self._game.moves[ply]
        found = yield from self._searched(ply, self._plan.limits(position.empties))
        if found is None:
            return None
        best = found.best
        only = False
        played = same_as_best(position, move, best)
        if played is not None and self._may_miss(ply):
            only = yield from self._no_other(ply, best)
        elif played is None:
            found = yield from self._searched(ply, self._plan.comparison(best, move))
            if found is None:
                return None
            lines = {line.move: line for line in found.lines}
            played, best = lines[move], lines.get(best.move, best)
        return self._judge(ply, played, best, only)

    def _no_other(self, ply: int, best: EvaluatedMove) -> Steps[bool]:
        """Return whether all moves but the best one and those symmetric to it are worse, beyond the error of the search."""
        position = self._game.position_at(ply)
        others = frozenset(move for move in position.legal_moves if same_as_best(position, move, best) is None)
        least = best.discs - margin(best, position.empties) - 1
        limits = replace(self._plan.comparison(best, best.move), considered=others, alpha=max(least, -MAXIMUM_SCORE))
        found = yield from self._searched(ply, limits)
        return found is not None and found.best.discs <= least

    def _compare_to_the_end(self, ply: int, after: EvaluatedMove) -> Steps[EvaluatedMove | None]:
        """Judge a move by the line found after it and a search to the end for a better one; return the best line, None
        if stopped.

        The search is only asked whether another move scores more than the played one: proving that none does costs a
        part of finding the score of the best.
        """
        position, played = self._game.position_at(ply), self._extended(ply, after)
        others = frozenset(move for move in position.legal_moves if same_as_best(position, move, played) is None)
        may_miss = self._may_miss(ply) and played.discs > -MAXIMUM_SCORE
        if not others or (played.score == MAXIMUM_SCORE and not may_miss):
            return self._judge(ply, played, played)
        # Where few people play the move, ask as well whether another is as good.
        limits = replace(self._plan.limits(position.empties), considered=others, alpha=played.discs - may_miss)
        found = yield from self._searched(ply, limits)
        if found is None:
            return None
        is_best = found.best.bound is Bound.UPPER or found.best.discs <= played.discs
        return self._judge(ply, played, played if is_best else found.best, may_miss and found.best.bound is Bound.UPPER)

    def _last_line(self) -> Steps[EvaluatedMove | None]:
        """Return the line after the last move: none needs to be searched once the game is over."""
        position = self._game.position
        if not position.is_over:
            found = yield from self._searched(self._game.ply, self._plan.limits(position.empties))
            return None if found is None else found.best
        if self._stopped():
            return None
        return EvaluatedMove(PASS, position.score(), (), position.empties, selectivity=100, exact=True)

    def _extended(self, ply: int, after: EvaluatedMove) -> EvaluatedMove:
        """Return the line of the move that follows `ply` moves, from the best line after it."""
        move = self._game.moves[ply]
        depth = after.depth + (move != PASS)
        return EvaluatedMove(move, -after.discs, (move, *after.pv), depth, after.selectivity, after.exact)

    def _searched(self, ply: int, limits: Limits) -> Steps[SearchResult | None]:
        label = f"move {min(ply + 1, self._game.ply)} of {self._game.ply}"
        result = yield SearchRequest(self._game.position_at(ply), limits, label=label)
        return None if self._stopped() or result.ended is Ended.STOP else result

    def _may_miss(self, ply: int) -> bool:
        """Return whether it matters that no move is as good as the played one: few people play it."""
        asked = self._people_at(ply)
        return asked is not None and asked.may_miss(self._game.moves[ply])

    def _people_at(self, ply: int) -> People | None:
        """Return what people play, None if nobody asked."""
        if self._people_model is not None and ply not in self._people:
            self._people[ply] = People(self._people_model, self._game, ply)
        return self._people.get(ply)

    def _judge(self, ply: int, played: EvaluatedMove, best: EvaluatedMove, only: bool = False) -> EvaluatedMove:
        """Note the judgement on a move, the `only` one that is so good or not; return the best line."""
        judged = compared(ply, self._game.position_at(ply), played, best)
        asked = self._people_at(ply)
        if asked is not None and asked.choose:
            chances = Chances(asked.logarithms(judged.move), asked.logarithms(judged.best.move), only)
            judged = replace(judged, chances=chances)
        self._judged[ply] = judged
        if self._observer is not None:
            self._observer(ReviewProgress(len(self._judged), self._game.ply - self._first_ply, judged))
        return judged.best


def _is_forced(position: Position) -> bool:
    """Return whether a position leaves no choice: a pass or a single legal move."""
    return position.legal_bits.bit_count() < 2


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game with the judgement on each of its moves, in their order; some are missing if the review was stopped."""

    game: Game
    level: int
    moves: tuple[JudgedMove, ...]

    @property
    def complete(self) -> bool:
        """Whether every move is judged."""
        return len(self.moves) == self.game.ply

    def empties(self, move: JudgedMove) -> int:
        """Return the number of empty squares before a move."""
        return self.game.position_at(move.ply - 1).empties

    def phase(self, move: JudgedMove) -> Phase:
        """Return the phase in which a move was made."""
        return phase_of(self.empties(move))

    def losses(self, color: Color) -> list[tuple[int, int]]:
        """Return (empties, loss in discs) of each move of a player who had a choice."""
        return [
            (self.empties(move), move.loss)
            for move in self.moves
            if move.color is color and had_choice(self.game, move)
        ]

    def player(self, color: Color) -> PlayerTally:
        """Return what the moves of one player add up to."""
        tally = PlayerTally()
        self.add_to(tally, color)
        return tally

    def add_to(self, tally: PlayerTally, color: Color) -> None:
        """Count the moves of one player."""
        chances = (move.chances for move in self.moves if move.color is color and move.chances is not None)
        tally.add_game(self.losses(color), chances)

    def ratings(self) -> dict[Color, people.RatingEstimate | None]:
        """Return the rating that the moves of each player look like; None if that was not asked."""
        return {color: self.player(color).rating for color in Color}

    def _repr_svg_(self) -> str:
        """Return a picture of the last position: what each move lost stands on its square; notebooks show it."""
        from othello_bot import svg

        last = self.game.moves[-1] if self.game.ply else None
        losses = {move.move: -move.loss for move in self.moves if move.loss and move.move != PASS}
        return svg.board(self.game.position, last_move=last, values=losses)

    def mistakes(self) -> list[JudgedMove]:
        """Return the moves that lost discs, in their order; each has the better move and the line behind it."""
        return [move for move in self.moves if move.loss]


def review_game(
    engine: Engine,
    game: Game,
    level: int = DEFAULT_LEVEL,
    observer: ReviewObserver | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> GameReview:
    """Review a game; blocks. Earlier searches are forgotten, so that the same game always has the same review.

    `observer` is called after each judged move. `stopped` is asked after each search; to end the running search as
    well, call `engine.stop()` from another thread once `stopped` answers true. The result then holds the moves judged
    so far. Raise `InputError` for anything but an engine and a game, `LimitError` for a level out of range.
    """
    if not isinstance(engine, Engine):
        raise InputError("engine", engine, "an Engine")
    engine.clear()
    moves = carried_out(review_steps(game, level, observer, stopped, people_model=engine.people_model), engine.answer)
    return GameReview(game.copy(), level, tuple(moves))
