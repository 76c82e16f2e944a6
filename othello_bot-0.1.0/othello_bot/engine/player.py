"""Players: the one way to choose a move, for sessions, the terminal, the page, the arena and Python.

Options make a `Player`: the engine itself, a person of some strength, or a textbook player; the arena has another one
for programs that run as processes. `choose` returns steps that yield search requests, so that a session can listen in
the meantime; `Engine.choose` waits for them.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from othello_bot.base.errors import InputError
from othello_bot.base.evaluated import ChosenBy, EvaluatedMove
from othello_bot.base.notation import PASS
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import ENGINE_STRATEGY, Options
from othello_bot.engine.ponder import Plan, PonderPlan
from othello_bot.engine.request import SearchEngine, SearchRequest, SearchResult, Steps
from othello_bot.engine.strength import Person, StrengthStep, step
from othello_bot.engine.time_manager import allocate
from othello_bot.engine.variety import GivenAway
from othello_bot.rules import Game, Position, position_of

if TYPE_CHECKING:
    from random import Random

    from othello_bot.book import BookMove
    from othello_bot.strategies.searchers import ThinkAhead


@dataclass(frozen=True, slots=True)
class Choice(EvaluatedMove):
    """The move that a player chose, with its source; a move from no search has no score.

    `result` is that of the search, None from any other source.
    """

    time_s: float = 0.0
    result: SearchResult | None = None

    @classmethod
    def of_search(cls, result: SearchResult) -> Choice:
        """Return the best move of a search."""
        best = result.best
        known = (best.move, best.score, best.pv, best.depth, best.selectivity, best.exact, best.bound)
        return cls(*known, nodes=result.nodes, time_s=result.time_s, result=result)


class PlayerEngine(SearchEngine, Protocol):
    """What players use of their engine."""

    random: Random

    @property
    def options(self) -> Options:
        """The current options."""

    @property
    def seed(self) -> int:
        """The seed in use."""

    @property
    def given_away(self) -> GivenAway:
        """What variety has lost in the latest games."""

    def choose_from_book(self, position: Position, given_away: int = 0) -> BookMove | None:
        """Return the book's move in a position; `given_away`: the discs that variety has lost in this game."""


class Player:
    """Something that chooses moves."""

    def choose(
        self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[EvaluatedMove]:
        """Return steps that end in a move; `place` is a position, or the game that led to it."""
        raise NotImplementedError

    def played(self, move: int) -> None:
        """Take note of a move that it did not choose: the opponent's, or a forced pass of either side.

        A player that reads the moves in the game needs no note.
        """

    def plan(self, position: Position, expected: int | None, limits: Limits, longest_s: float) -> Plan | None:
        """Return what to do on the opponent's time (see `Engine.ponder`), None for nothing. `limits`: of our next move."""
        return None

    def close(self) -> None:
        """End what it has started."""


class OwnPlayer(Player):
    """A player of this program; its searches are those of an engine (None: of whoever carries out its steps)."""

    def __init__(self, engine: SearchEngine | None) -> None:
        self._searching = engine

    def choose(
        self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[Choice]:
        """Return steps that end in a move; raise InputError for a position that is over.

        The moves of a game influence people's choices and the engine's variety. A forced pass is chosen. If only some
        moves are `considered`, the engine searches them for any player.
        """
        position = position_of(place)
        if position.is_over:
            raise InputError("position", position.to_string(), "one that is not over")
        if position.must_pass:
            return Choice(PASS, source=ChosenBy.RULES)
        asked = SearchRequest(position, limits, on_report, engine=self._searching)
        if limits.considered:
            limits = replace(limits, multi_pv=len(limits.considered))
            return Choice.of_search((yield replace(asked, limits=limits)))
        return (yield from self._move(asked, place))

    def _move(self, asked: SearchRequest, place: Position | Game) -> Steps[Choice]:
        """Return steps that end in a move where there is a legal one; `asked` is the search of a player who searches."""
        raise NotImplementedError


class EnginePlayer(OwnPlayer):
    """The engine itself: the book's move, one of several early moves that are nearly equal, or that of a search.

    All limits apply at full strength. A lower strength is a level; besides it, only the limits of time apply.
    """

    def __init__(self, engine: PlayerEngine, strength: StrengthStep) -> None:
        super().__init__(engine)
        self._engine = engine
        self._strength = strength

    def _move(self, asked: SearchRequest, place: Position | Game) -> Steps[Choice]:
        position, limits = asked.position, asked.limits
        given_away = self._engine.given_away
        lost = given_away.before(place)
        known = None
        if 60 - position.empties < self._strength.book_plies:
            known = self._engine.choose_from_book(position, lost)
        if known is not None:
            given_away.note(position.play(known.move), lost + known.loss)
            return Choice(known.move, source=ChosenBy.BOOK)
        if self._strength.level is not None:
            limits = Limits(level=self._strength.level, move_time_s=limits.move_time_s, clock=limits.clock)
        from othello_bot.engine import book_use  # imported here: it opens the book, which would delay a start

        variety = book_use.variety_of(self._engine.options)
        near = book_use.near(position, variety, lost)
        result = yield replace(asked, limits=replace(limits, near=near))
        if near is None:
            return Choice.of_search(result)
        line = book_use.drawn(result, variety, self._engine.random)
        given_away.note(position.play(line.move), lost + result.score - line.discs)
        if line is not result.best:
            result = replace(result, lines=(line, *(one for one in result.lines if one.move != line.move)))
        return Choice.of_search(result)

    def plan(self, position: Position, expected: int | None, limits: Limits, longest_s: float) -> Plan | None:
        """Return the searches of the replies, None without a clock or below full strength."""
        if limits.clock is None or self._strength.level is not None:
            return None
        overhead_s = self._engine.options.move_overhead_s
        budget = allocate(limits.clock, max(1, position.empties - 1), overhead_s, thinks_ahead=True)
        return PonderPlan(position, expected, limits, budget, longest_s)


class PersonPlayer(OwnPlayer):
    """A person who plays as people of a rating do. Of the limits, only those of time apply."""

    def __init__(self, person: Person, seed: int, engine: SearchEngine | None = None) -> None:
        from othello_bot.engine.people import PersonChooser  # imported here: most sessions play at full strength

        super().__init__(engine)
        self._chooser = PersonChooser(person, seed)

    def _move(self, asked: SearchRequest, place: Position | Game) -> Steps[Choice]:
        last = last_square(place)
        chosen = yield replace(asked, on_report=None, chooser=lambda position, _: self._chooser.choose(position, last))
        return Choice(chosen.move, source=ChosenBy.PERSON)


class TextbookPlayer(OwnPlayer):
    """A textbook player, which searches to its own depth. Of the limits, only those of time apply.

    Raises StrategyError for an invalid `spec`.
    """

    def __init__(self, spec: str, seed: int, engine: SearchEngine | None = None) -> None:
        from othello_bot import strategies  # imported here: most sessions do not use the textbook players

        super().__init__(engine)
        self.strategy = strategies.make(spec, seed)

    def chooser(self, position: Position, should_stop: Callable[[], bool]) -> int:
        """Return its move, PASS without a legal one; see `strategies.choose`."""
        from othello_bot import strategies

        return strategies.choose(self.strategy, position, should_stop)

    def _move(self, asked: SearchRequest, place: Position | Game) -> Steps[Choice]:
        chosen = yield replace(asked, on_report=None, chooser=self.chooser)
        return Choice(chosen.move, source=ChosenBy.STRATEGY)

    def plan(self, position: Position, expected: int | None, limits: Limits, longest_s: float) -> Plan | None:
        """Return the preparation of answers, None for a strategy that prepares none."""
        from othello_bot.strategies.searchers import ThinkAhead

        return _Preparation(self.strategy, position) if isinstance(self.strategy, ThinkAhead) else None


class _Preparation(Plan):
    """The answers that a textbook player prepares to the replies in a position."""

    def __init__(self, thinker: ThinkAhead, position: Position) -> None:
        super().__init__(math.inf)
        self._thinker = thinker
        self._position = position

    def _think(self, search: Search) -> None:
        from othello_bot.strategies.board import from_position
        from othello_bot.strategies.searchers import Interrupted, interruptible

        with contextlib.suppress(Interrupted), interruptible(self._over):
            self._thinker.ponder(*from_position(self._position), self._over)


def player_of(engine: PlayerEngine) -> OwnPlayer:
    """Return the player that the engine's options name."""
    options = engine.options
    if options.strategy != ENGINE_STRATEGY:
        from othello_bot import strategies

        return TextbookPlayer(strategies.with_depth(options.strategy, options.strategy_depth), engine.seed, engine)
    strength = step(options.strength)
    if strength.person is not None:
        return PersonPlayer(strength.person, engine.seed, engine)
    return EnginePlayer(engine, strength)


def last_square(place: Position | Game) -> int | None:
    """Return the square of a game's last move that was not a pass; None without one, or for a position."""
    moves = place.moves if isinstance(place, Game) else ()
    return next((move for move in reversed(moves) if move != PASS), None)
