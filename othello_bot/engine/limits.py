"""Limits: every way to stop a search, in one immutable value.

The first limit reached ends the search. A `Limits` without any limit stands for the default level, which the caller of
the engine sets (see `othello_bot.engine.options`).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError

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


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, and what it should find.

    level        playing level 0..60: depth and endgame depth from a table
    depth        deepest iteration, plies
    nodes        positions visited, all threads together
    move_time_s  seconds for this one search, the engine's move overhead included
    clock        the mover's clock; the engine makes a budget of it (`time_manager.py`)
    infinite     until stopped, even if the position is solved
    multi_pv     number of best moves to find with true scores
    considered   moves to search; empty for all
    selectivity  percent, one of `SELECTIVITIES`; None for that of the level
    alpha, beta  window in discs from the mover's view
    wld          find only win, draw or loss in an endgame solve
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
    stride: int = 1

    def __post_init__(self) -> None:
        _check_range("level", self.level, 0, MAXIMUM_LEVEL)
        _check_range("depth", self.depth, 1, MAXIMUM_DEPTH)
        if self.nodes is not None and not (_is_whole(self.nodes) and self.nodes >= 1):
            raise LimitError("nodes", self.nodes, "a whole number, 1 or more")
        if self.move_time_s is not None and not (_is_seconds(self.move_time_s) and self.move_time_s >= 0):
            raise LimitError("move time", self.move_time_s, "a finite number of seconds, 0 or more")
        if self.clock is not None:
            _check_clock(self.clock)
        _check_range("multi_pv", self.multi_pv, 1, 64)
        _check_range("stride", self.stride, 1, MAXIMUM_DEPTH)
        if not isinstance(self.considered, Collection) or isinstance(self.considered, str):
            raise LimitError("considered", self.considered, "a set of squares")
        if not all(_is_whole(square) and 0 <= square < 64 for square in self.considered):
            raise LimitError("considered", list(self.considered), "squares from 0 (a1) to 63 (h8)")
        if self.selectivity is not None and self.selectivity not in SELECTIVITIES:
            raise LimitError("selectivity", self.selectivity, "one of " + ", ".join(map(str, SELECTIVITIES)))
        whole = _is_whole(self.alpha) and _is_whole(self.beta)
        if not (whole and -MAXIMUM_SCORE <= self.alpha < self.beta <= MAXIMUM_SCORE):
            raise LimitError("window", f"{self.alpha}..{self.beta}", "-64 <= alpha < beta <= 64")


def _check_clock(clock: ClockState) -> None:
    if not isinstance(clock, ClockState):
        raise LimitError("clock", clock, "a ClockState, or None")
    if not _is_seconds(clock.remaining_s):
        raise LimitError("remaining time", clock.remaining_s, "a finite number of seconds")
    if not (_is_seconds(clock.increment_s) and clock.increment_s >= 0):
        raise LimitError("increment", clock.increment_s, "a finite number of seconds, 0 or more")
    if clock.moves_to_go is not None and not (_is_whole(clock.moves_to_go) and clock.moves_to_go >= 1):
        raise LimitError("moves to go", clock.moves_to_go, "1 or more, or none for the whole game")


def _check_range(name: str, value: int | None, lowest: int, highest: int) -> None:
    if value is not None and not (_is_whole(value) and lowest <= value <= highest):
        raise LimitError(name, value, f"{'' if _is_whole(value) else 'a whole number from '}{lowest} to {highest}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seconds(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
