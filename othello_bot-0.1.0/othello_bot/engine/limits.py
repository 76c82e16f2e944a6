"""Limits: every way to stop a search, and what it should find, in one immutable value.

The first limit reached ends the search. A `Limits` without any limit stands for the default level, which the caller of
the engine sets (see `othello_bot.engine.options`).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError
from othello_bot.base.notation import integer_of, number_of

MAXIMUM_LEVEL = 60
"""Highest playing level. Levels range from 0 (beginner) to 60 (perfect), as in other engines."""

MAXIMUM_DEPTH = 60
"""Largest depth in plies: no Othello game has more discs to place."""

MAXIMUM_SCORE = 64
"""Largest score in discs: the winner has every disc on the board."""

SELECTIVITIES = (73, 87, 95, 98, 99, 100)
"""Confidence in percent at which a line may be pruned by a shallow search; 100 prunes nothing."""


class LimitError(InputError):
    """A limit outside its range; the message says what would be accepted."""


_WHOLE: Final = ("level", "depth", "nodes", "multi_pv", "selectivity", "alpha", "beta", "stride")
"""The limits that are whole numbers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, and what it should find.

    level        playing level 0..60: depth and endgame depth from a table
    depth        deepest iteration, plies
    nodes        positions visited, all threads together
    move_time_s  seconds for this one search, the engine's move overhead included
    clock        the mover's clock; the engine makes a budget of it (`time_manager.py`)
    opponent_clock  the opponent's: programs of other protocols are told both; it limits nothing
    infinite     until stopped, even if the position is solved
    multi_pv     number of best moves to find with true scores
    considered   moves to search; empty for all
    selectivity  percent, one of `SELECTIVITIES`; None for that of the level, which proves no score of a decided game
    alpha, beta  window in discs from the mover's view
    wld          find only win, draw or loss in an endgame solve
    near         discs, None for no test: find also which other moves lose at most so many; `SearchResult.near` has them.
                 They are tested at the same depth by null windows, as far as a tenth of the move's time or nodes allows
    stride       plies between two iterations. Above 1, only iterations are made that help the last one: for searches of
                 which only the result counts. It has no effect if time or nodes may end the search early
    """

    level: int | None = None
    depth: int | None = None
    nodes: int | None = None
    move_time_s: float | None = None
    clock: ClockState | None = None
    infinite: bool = False
    multi_pv: int = 1
    considered: frozenset[int] = frozenset()
    selectivity: int | None = None
    alpha: int = -MAXIMUM_SCORE
    beta: int = MAXIMUM_SCORE
    wld: bool = False
    near: int | None = None
    stride: int = 1
    opponent_clock: ClockState | None = None

    def __post_init__(self) -> None:
        for name in _WHOLE:
            if (number := integer_of(getattr(self, name))) is not None:
                object.__setattr__(self, name, number)  # an integer of another library becomes Python's
        _check_range("level", self.level, 0, MAXIMUM_LEVEL)
        _check_range("depth", self.depth, 1, MAXIMUM_DEPTH)
        if self.nodes is not None and integer_of(self.nodes, 1) is None:
            raise LimitError("nodes", self.nodes, "a whole number, 1 or more")
        if self.move_time_s is not None and number_of(self.move_time_s, 0) is None:
            raise LimitError("move time", self.move_time_s, "a finite number of seconds, 0 or more")
        for clock in (self.clock, self.opponent_clock):
            if clock is not None:
                _check_clock(clock)
        _check_range("multi_pv", self.multi_pv, 1, 64)
        _check_range("near", self.near, 0, MAXIMUM_SCORE)
        _check_range("stride", self.stride, 1, MAXIMUM_DEPTH)
        if not isinstance(self.considered, Collection) or isinstance(self.considered, str):
            raise LimitError("considered", self.considered, "a set of squares")
        squares = frozenset(integer_of(square, 0, 63) for square in self.considered)
        if None in squares:
            raise LimitError("considered", list(self.considered), "squares from 0 (a1) to 63 (h8)")
        object.__setattr__(self, "considered", squares)
        if self.selectivity is not None and self.selectivity not in SELECTIVITIES:
            raise LimitError("selectivity", self.selectivity, "one of " + ", ".join(map(str, SELECTIVITIES)))
        low, high = (integer_of(bound, -MAXIMUM_SCORE, MAXIMUM_SCORE) for bound in (self.alpha, self.beta))
        if low is None or high is None or low >= high:
            raise LimitError("window", f"{self.alpha}..{self.beta}", "-64 <= alpha < beta <= 64")


def limits_requested(empties: int, depth: int | None, alpha: float, beta: float, precision: int) -> Limits:
    """Return the limits of a search that a controller requests in its own numbers, at a position with this many empties.

    The window is rounded outward to whole discs, and an empty one is widened by a disc; the precision in percent is
    rounded up to one that the search supports; depth 0 becomes depth 1, None the end of the game.
    """
    low, high = math.floor(alpha), math.ceil(beta)
    if low >= high:
        low = min(low, MAXIMUM_SCORE - 1)
        high = low + 1
    deepest = max(1, empties)
    plies = deepest if depth is None else max(1, min(depth, deepest))
    percent = next(percent for percent in SELECTIVITIES if precision <= percent)
    return Limits(depth=plies, selectivity=percent, alpha=low, beta=high)


def _check_clock(clock: ClockState) -> None:
    if not isinstance(clock, ClockState):
        raise LimitError("clock", clock, "a ClockState, or None")
    if number_of(clock.remaining_s) is None:
        raise LimitError("remaining time", clock.remaining_s, "a finite number of seconds")
    if number_of(clock.increment_s, 0) is None:
        raise LimitError("increment", clock.increment_s, "a finite number of seconds, 0 or more")
    if clock.moves_to_go is not None and integer_of(clock.moves_to_go, 1) is None:
        raise LimitError("moves to go", clock.moves_to_go, "1 or more, or none for the whole game")


def _check_range(name: str, value: int | None, lowest: int, highest: int) -> None:
    if value is not None and integer_of(value, lowest, highest) is None:
        raise LimitError(name, value, f"a whole number from {lowest} to {highest}")
