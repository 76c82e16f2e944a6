"""Playing recorded games again under a clock, with the engine's own time manager and without the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from othello_bot.arena.config import PlayLimits, TimeControl
from othello_bot.base.clocks import PlayerClock
from othello_bot.engine import deepening, time_manager
from othello_bot.engine.ponder import AVERAGE_SHARE
from othello_bot.engine.searcher import GROWTH

from .recorded import RecordedGame, RecordedIteration, RecordedPosition


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a simulated game is played under.

    control              the clock of each side
    speed                how many times faster the machine is than the one of the records
    overhead_s           the engine's move overhead
    delay_s              seconds that each move loses outside the search
    stall_share, stall_s the share of moves that lose more, and how much at most: a busy machine
    hits                 None without thinking ahead; else the share of replies that were foreseen
    book_moves           moves of each side that cost nothing at the beginning
    """

    control: TimeControl
    speed: float = 1.0
    overhead_s: float = 0.1
    delay_s: float = 0.001
    stall_share: float = 0.0
    stall_s: float = 0.0
    hits: float | None = None
    book_moves: int = 0


@dataclass(frozen=True, slots=True)
class SimulatedMove:
    """A move: empties, the optimum and the seconds used, why the search ended, and what the move gives away in discs.

    `open`: the record holds a search, and the game was not yet solved for this side.
    """

    empties: int
    optimum_s: float
    used_s: float
    ended: str
    loss: int
    open: bool


@dataclass(slots=True)
class Side:
    """One side of a game, and its clock."""

    clock: PlayerClock
    given_s: float
    solved_at: int | None = None
    left_at_solve_s: float = 0.0
    given_at_solve_s: float = 0.0
    forfeited: bool = False
    last_used_s: float = 0.0
    expected_free_s: float = 0.0
    thought_ahead: bool = False
    moves: list[SimulatedMove] = field(default_factory=list)

    @property
    def used_share(self) -> float:
        """The share of the time given until the game was solved that was used by then."""
        return 1 - self.left_at_solve_s / self.given_at_solve_s


def play(game: RecordedGame, conditions: Conditions) -> tuple[Side, Side]:
    """Return both sides of a game, played again under a clock."""
    rng = random.Random(game.number)
    clock = PlayLimits(conditions.control).clock
    sides = (Side(clock, clock.left_s), Side(clock, clock.left_s))
    for place, position in enumerate(game.positions):
        side, opponent = sides[position.color], sides[1 - position.color]
        if side.forfeited or opponent.forfeited:
            break
        if place < 2 * conditions.book_moves:
            side.moves.append(SimulatedMove(position.empties, 0.0, 0.0, "book", 0, open=False))
            continue
        _move(side, opponent.last_used_s, position, conditions, rng)
    for side in sides:
        if side.solved_at is None:
            _note_solve(side, 0, side.clock.left_s)
    return sides


def _move(
    side: Side, opponent_s: float, position: RecordedPosition, conditions: Conditions, rng: random.Random
) -> None:
    """Play one move and stop the clock."""
    made = _made(side, opponent_s, position, conditions, rng)
    delay_s = conditions.delay_s
    if rng.random() < conditions.stall_share:
        delay_s += rng.uniform(0, conditions.stall_s)
    side.moves.append(made)
    side.last_used_s = made.used_s
    left_s = side.clock.left_s - made.used_s - delay_s
    if left_s < 0:
        side.forfeited = True
        return
    side.clock = side.clock.spent(made.used_s + delay_s)
    if made.ended == "solved" and side.solved_at is None:
        _note_solve(side, position.empties, left_s)
    side.given_s += side.clock.left_s - left_s


def _note_solve(side: Side, empties: int, left_s: float) -> None:
    side.solved_at = empties
    side.left_at_solve_s = left_s
    side.given_at_solve_s = side.given_s


def _made(
    side: Side, opponent_s: float, position: RecordedPosition, conditions: Conditions, rng: random.Random
) -> SimulatedMove:
    """Return the move that the engine would make."""
    ahead = conditions.hits is not None and side.thought_ahead
    budget = time_manager.allocate(side.clock.state, position.empties, conditions.overhead_s, thinks_ahead=ahead)
    if not position.iterations:
        return SimulatedMove(position.empties, budget.optimum_s, 0.0, "only move", 0, open=False)
    if side.solved_at is not None:
        return SimulatedMove(position.empties, budget.optimum_s, 0.0, "solved", 0, open=False)
    free_s = 0.0
    if conditions.hits is not None and ahead:
        free_s = opponent_s if rng.random() < conditions.hits else 0.0
        budget = time_manager.after_thinking_ahead(budget, free_s, side.expected_free_s)
        side.expected_free_s += AVERAGE_SHARE * (free_s - side.expected_free_s)
    side.thought_ahead = conditions.hits is not None
    used_s, ended, reached = searched(position, budget, conditions.speed, free_s)
    return SimulatedMove(position.empties, budget.optimum_s, used_s, ended, position.loss(reached.move), open=True)


def searched(
    position: RecordedPosition, budget: time_manager.TimeBudget, speed: float = 1.0, free_s: float = 0.0
) -> tuple[float, str, RecordedIteration]:
    """Return what a search uses under a budget: seconds, why it ends, and its last iteration.

    It begins where a search of `free_s` seconds came to.
    """
    reached = position.iterations[0]
    previous: tuple[int, int] | None = None
    asked = False
    before_s = 0.0
    for step, at_s in _timed(position, speed):
        elapsed_s = max(0.0, at_s - free_s)
        if elapsed_s >= budget.maximum_s:
            return budget.maximum_s, "maximum", reached
        reached = step
        if position.solved and step is position.iterations[-1]:
            return elapsed_s, "solved", step
        now = (step.move, step.score)
        doubtful = time_manager.in_doubt(previous, now)
        previous = now
        if step.depth < position.empties and step.depth > deepening.CLEAR_PLIES and not asked:
            if budget.keeps_rest and time_manager.may_be_easy(budget, elapsed_s):
                asked = True
                if position.margin(step.depth - deepening.CLEAR_PLIES) >= deepening.CLEAR_DISCS:
                    return elapsed_s, "easy move", step
        next_s = max(0.0, at_s + GROWTH * (at_s - before_s) - max(at_s, free_s))
        before_s = at_s
        if budget.keeps_rest and time_manager.is_enough(budget, elapsed_s, next_s, doubtful):
            return elapsed_s, "optimum", step
    raise AssertionError("a record goes on until its time is over")


def _timed(position: RecordedPosition, speed: float) -> Iterator[tuple[RecordedIteration, float]]:
    """Yield the iterations and their times in seconds, and then, without end, the last one ever later."""
    at_s = before_s = 0.0
    for step in position.iterations:
        before_s, at_s = at_s, step.ms / 1000 / speed
        yield step, at_s
    while True:
        before_s, at_s = at_s, at_s + GROWTH * max(at_s - before_s, 0.001)
        yield step, at_s
