"""Time management: the time that a player's clock allows for the next move.

`allocate` is a pure function, and the only place that subtracts the move overhead. `optimum_s` is when a search with
nothing in doubt should end; `maximum_s` is when any search must end. `in_doubt`, `may_be_easy` and `is_enough` decide
that between two iterations.

The plan for a whole game: every own move of the midgame has a weight, which grows until the late midgame. The moves
from which the rest of the game can be solved have a larger one, because there the search spends all its time on the
exact result, and then the later moves cost nothing. The number of empties at which solving is worth trying grows with
the available time.

The constants were chosen in simulations over recorded games; docs/development/clock.md has the figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from othello_bot.base.clocks import ClockState

ENDGAME_WEIGHT = 2.5
"""Weight of the whole endgame, in moves of the late midgame. A larger one leaves more of the clock unused; a smaller
one loses as many discs, and more at 1 s.
"""

ENDGAME_WEIGHT_AHEAD = 1.0
"""The same for a player that thinks ahead, whose first solve is done partly on the opponent's time."""

SHORT_CLOCK_WEIGHT = 8.0
"""Added weight for a clock of SHORT_CLOCK_S or less, on which delays and the last solve take a larger share; on longer
clocks it falls in proportion. It prevents most losses on time on a busy machine.
"""

SHORT_CLOCK_S = 0.3
"""Seconds left up to which the whole SHORT_CLOCK_WEIGHT is added."""

EARLY_WEIGHT = 0.5
"""Weight of a move of the early midgame, in moves of the late midgame. A quick move loses several times as much in the
late midgame as in the early one.
"""

EARLY_EMPTIES = 50
"""Fewest empties at which a move still has the EARLY_WEIGHT; from there on, the weight grows in proportion."""

LATE_EMPTIES = 28
"""Most empties at which a move has the whole weight of the late midgame; about where its first solves are expected."""

ENDGAME_DECAY = 0.5
"""Ratio of an own endgame move's time to that of the one before: two empties fewer make the tree about eight times
smaller, so a solve that failed once succeeds soon afterwards even with half the time.
"""

ENDGAME_SHARE = 0.35
"""Share of the time left that the first solve may expect, which determines how deep that solve can be."""

SOLVE_EMPTIES_IN_ONE_SECOND = 22.0
"""Empties that our solver solves in about a second on one core: in the records, the medians are 0.1 s for 18, 0.3 s for
20 and 1.0 s for 22. With 23, more games are lost on time on a busy machine.
"""

SOLVE_GROWTH_PER_EMPTY = 2.2
"""Ratio of our solver's times for one empty more, from the same measurement."""

FEWEST_SOLVE_EMPTIES = 14
"""Fewest empties of the first solve: it takes about a hundredth of a second, so even the shortest clock saves for it.
"""

MOST_SOLVE_EMPTIES = 26
"""Most empties of the first solve: beyond this, a solve takes minutes, and a selective search is better."""

OVERHEAD_SHARE = 0.1
"""Largest share of a move's time reserved for the overhead, however short the move."""

FUTURE_OVERHEAD_SHARE = 0.1
"""Share of the move overhead reserved for each own move still to come: the overhead is the worst delay on a busy
machine (a tenth of a second was observed with five programs on two cores); the usual delay is a few milliseconds.
"""

INCREMENT_SHARE = 0.9
"""Share of the future increments that the plan uses; the rest covers delays."""

LEAST_OWN_SHARE = 0.25
"""Share of its optimum that a move may always use, however long it was thought about before: enough for one more
iteration if the last one was almost done.
"""

MAXIMUM_TO_OPTIMUM = 3.0
"""Ratio of the maximum of a move in doubt to its optimum."""

MAXIMUM_SHARE = 0.7
"""Largest share of the time left that one move may use, unless the clock is refilled after it."""

DOUBT_DISCS = 3
"""The best move is in doubt if its score fell by this many discs or more from one iteration to the next."""

HOPE_SHARE = 0.5
"""Share of an iteration that its first move takes; after that, the iteration can find a better move."""

TESTS_SHARE = 0.1
"""Share of a move's time and nodes for the tests of other moves (`Limits.near`)."""

CLEAR_SHARE = 0.3
"""Share of the optimum after which a search tests whether the best move is clearly best."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Seconds for one move, measured from the request of the search: 0 <= optimum_s <= maximum_s.

    `keeps_rest`: unused time is available to later moves. Otherwise an early answer gains nothing.
    """

    optimum_s: float
    maximum_s: float
    keeps_rest: bool = True

    def scaled(self, share: float) -> TimeBudget:
        """Return a share of this time."""
        return replace(self, optimum_s=share * self.optimum_s, maximum_s=share * self.maximum_s)


UNLIMITED = TimeBudget(math.inf, math.inf, keeps_rest=False)
"""The budget without any limit of time."""


def solve_empties(time_s: float) -> int:
    """Return the number of empties at which an exact solve can be expected to fit into `time_s` seconds.

    >>> solve_empties(0.01), solve_empties(1.0), solve_empties(100.0)
    (16, 22, 26)
    """
    if time_s <= 0:
        return FEWEST_SOLVE_EMPTIES
    empties = SOLVE_EMPTIES_IN_ONE_SECOND + math.log(time_s) / math.log(SOLVE_GROWTH_PER_EMPTY)
    return max(FEWEST_SOLVE_EMPTIES, min(MOST_SOLVE_EMPTIES, math.floor(empties)))


def allocate(
    clock: ClockState | None,
    empties: int,
    overhead_s: float,
    move_time_s: float | None = None,
    thinks_ahead: bool = False,
) -> TimeBudget:
    """Return the time for the next move, given its player's clock and a time for each move; None is no limit.

    `empties` is that of the position to be searched. `overhead_s` is the time that may pass outside the search between
    the arrival of the command and the host's reading of the answer; it takes at most OVERHEAD_SHARE of the move's time
    without it. Neither number of the budget is ever negative or more than the time left, and neither shrinks if more
    time is left. `thinks_ahead`: the opponent's time is used, too.
    """
    caps_s = (move_time_s, None if clock is None else clock.cap_s)
    cap_s = min((cap_s for cap_s in caps_s if cap_s is not None), default=None)
    capped = UNLIMITED if cap_s is None else _fixed(cap_s, overhead_s)
    if clock is None:
        return capped
    budget = _of_clock(clock, empties, overhead_s, ENDGAME_WEIGHT_AHEAD if thinks_ahead else ENDGAME_WEIGHT)
    if budget.maximum_s <= capped.maximum_s:
        return budget
    return replace(budget, optimum_s=min(budget.optimum_s, capped.maximum_s), maximum_s=capped.maximum_s)


def after_thinking_ahead(budget: TimeBudget, pondered_s: float, expected_s: float) -> TimeBudget:
    """Return the budget of a move that was thought about for `pondered_s` seconds of the opponent's time.

    `expected_s` is the free time that a move of this game gets on average. Time is worth most when all moves get the
    same amount, their own and the free time together: a move that had more than the average uses less of its clock, one
    that had less or none uses more, and the clock is used up as planned. The plan counts at most as much free time as
    the clock gives. Time that later moves cannot have is used up as it is.
    """
    if not budget.keeps_rest:
        return budget
    optimum_s = budget.optimum_s + min(expected_s, budget.optimum_s) - pondered_s
    optimum_s = min(max(optimum_s, LEAST_OWN_SHARE * budget.optimum_s), budget.maximum_s)
    return replace(budget, optimum_s=optimum_s)


def in_doubt(previous: tuple[int, int] | None, now: tuple[int, int]) -> bool:
    """Return whether the best move is in doubt, given move and score in discs of the last two iterations.

    `previous` is None after the first iteration.
    """
    return previous is not None and (now[0] != previous[0] or now[1] <= previous[1] - DOUBT_DISCS)


def may_be_easy(budget: TimeBudget, elapsed_s: float) -> bool:
    """Return whether it is time to test whether the best move is clearly best: early enough to save time."""
    return CLEAR_SHARE * budget.optimum_s <= elapsed_s < budget.optimum_s


def is_enough(budget: TimeBudget, elapsed_s: float, next_s: float, doubtful: bool) -> bool:
    """Return whether a search should end rather than begin an iteration of `next_s` seconds.

    An iteration that cannot finish its first move within the optimum is only begun in doubt.
    """
    return not doubtful and elapsed_s + HOPE_SHARE * next_s >= budget.optimum_s


def _fixed(move_s: float, overhead_s: float) -> TimeBudget:
    """Return the budget of a move with a fixed time of its own."""
    usable_s = max(0.0, move_s - min(overhead_s, OVERHEAD_SHARE * move_s))
    return TimeBudget(usable_s, usable_s, keeps_rest=False)


def _of_clock(clock: ClockState, empties: int, overhead_s: float, endgame_weight: float) -> TimeBudget:
    own_moves = max(1, (empties + 1) // 2)
    refilled = clock.moves_to_go is not None and clock.moves_to_go < own_moves
    moves = clock.moves_to_go if clock.moves_to_go is not None and refilled else own_moves
    left_s = max(0.0, clock.remaining_s)
    if moves == 1:
        return _fixed(left_s, overhead_s)
    planned_s = left_s + (moves - 1) * clock.increment_s * INCREMENT_SHARE
    # Time not used before a refill is lost, so each move until then counts the same.
    share = 1 / moves if refilled else _share_of_this_move(empties, planned_s, endgame_weight)
    move_s = min(planned_s * share, left_s * MAXIMUM_SHARE)
    spare_s = left_s - overhead_s * (1 + (moves - 1) * FUTURE_OVERHEAD_SHARE)
    optimum_s = max(move_s * (1 - OVERHEAD_SHARE), min(move_s, spare_s))
    # A move in doubt gets more only if that leaves enough for the delays of all later moves.
    ceiling_s = max(optimum_s, min(left_s * MAXIMUM_SHARE, spare_s))
    return TimeBudget(optimum_s, min(optimum_s * MAXIMUM_TO_OPTIMUM, ceiling_s))


def _share_of_this_move(empties: int, planned_s: float, endgame_weight: float) -> float:
    """Return the share of the planned time that the move at `empties` may use."""
    solve_at = solve_empties(ENDGAME_SHARE * planned_s)
    if empties <= solve_at:
        own_moves = max(1, (empties + 1) // 2)
        return (1 - ENDGAME_DECAY) / (1 - ENDGAME_DECAY**own_moves)
    midgame = range(empties, solve_at, -2)
    endgame_moves = (empties + 1) // 2 - len(midgame)
    endgame_weight += SHORT_CLOCK_WEIGHT * SHORT_CLOCK_S / max(planned_s, SHORT_CLOCK_S)
    weights = sum(map(midgame_weight, midgame)) + endgame_weight * (1 - ENDGAME_DECAY**endgame_moves)
    return midgame_weight(empties) / weights


def midgame_weight(empties: int) -> float:
    """Return the weight of a midgame move at `empties`: it grows from EARLY_WEIGHT to 1 while the game opens up."""
    late = (EARLY_EMPTIES - empties) / (EARLY_EMPTIES - LATE_EMPTIES)
    return EARLY_WEIGHT + (1 - EARLY_WEIGHT) * min(1.0, max(0.0, late))
