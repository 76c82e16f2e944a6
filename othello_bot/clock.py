"""Time management: what a player's clock allows for the next move, as two numbers.

`allocate` is a pure function. `optimum_s` is when a search with nothing in doubt should end; `maximum_s` is when any
search must end. What "in doubt" means is the search's business (`othello_bot.search`).

The plan for a whole game: every own move of the midgame weighs the same, and the moves from which the rest of the game
can be solved weigh much more, because there the search goes all out for the exact result; once it is found the later
moves cost nothing. The number of empties at which solving is worth trying grows with the time that can be had for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from othello_bot.limits import ClockState

ENDGAME_WEIGHT = 8.0
"""Midgame moves: what the whole endgame may cost. Of a game's 20 midgame moves and this, more than a quarter is saved;
at 12 a third of the clock was left at the end of games."""

ENDGAME_DECAY = 0.5
"""Ratio: each own endgame move may use this much of what the one before it might; two empties fewer make the tree
about eight times smaller, so a solve that failed once succeeds soon afterwards even with half the time."""

ENDGAME_SHARE = 0.35
"""Ratio of the time left that a first solve can hope for, used to tell how deep that solve may be."""

SOLVE_EMPTIES_IN_ONE_SECOND = 21.0
"""Empties: our solver needs about a second for these on one core (0.3 s for 20 and 6.5 s for 24 on a busy machine)."""

SOLVE_GROWTH_PER_EMPTY = 2.2
"""Ratio: how much longer our solver takes for one empty more, from the same measurement."""

FEWEST_SOLVE_EMPTIES = 14
"""Empties: solved in about a hundredth of a second, so even the shortest clock saves for it."""

MOST_SOLVE_EMPTIES = 26
"""Empties: beyond this a solve takes minutes, and a selective search serves better."""

FUTURE_OVERHEAD_SHARE = 0.05
"""Ratio of the move overhead kept for each own move still to come: the overhead is the worst delay on a busy machine
(a tenth of a second was seen with five programs on two cores), and the usual one is a few milliseconds."""

INCREMENT_SHARE = 0.9
"""Ratio of the future increments that is planned with; the rest pays for delays."""

MAXIMUM_TO_OPTIMUM = 3.0
"""Ratio: how far a move in doubt may go beyond its optimum."""

MAXIMUM_SHARE = 0.7
"""Ratio of the usable time that one move may take at most, unless the clock is refilled after it."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Seconds for one move, measured from when the search was asked for: 0 <= optimum_s <= maximum_s."""

    optimum_s: float
    maximum_s: float


def solve_empties(time_s: float) -> int:
    """The number of empties at which an exact solve can be expected to fit into `time_s` seconds.

    >>> solve_empties(0.01), solve_empties(1.0), solve_empties(100.0)
    (15, 21, 26)
    """
    if time_s <= 0:
        return FEWEST_SOLVE_EMPTIES
    empties = SOLVE_EMPTIES_IN_ONE_SECOND + math.log(time_s) / math.log(SOLVE_GROWTH_PER_EMPTY)
    return max(FEWEST_SOLVE_EMPTIES, min(MOST_SOLVE_EMPTIES, math.floor(empties)))


def allocate(clock: ClockState, empties: int, overhead_ms: int) -> TimeBudget:
    """What the next move may cost.

    `empties` is that of the position to be searched. `overhead_ms` is the time that may pass outside the search
    between the arrival of the command and the host's reading of the answer. Neither result is ever negative, the
    maximum never exceeds what is left less the overhead, and both never shrink when more time is left.
    """
    overhead_s = overhead_ms / 1000
    usable_s = clock.remaining_s - overhead_s
    if usable_s <= 0:
        return TimeBudget(0.0, 0.0)
    own_moves = max(1, (empties + 1) // 2)
    if clock.moves_to_go is not None and clock.moves_to_go < own_moves:
        return _until_refill(clock, usable_s, overhead_s, clock.moves_to_go)
    later_moves = own_moves - 1
    future_s = later_moves * (clock.increment_s * INCREMENT_SHARE - overhead_s * FUTURE_OVERHEAD_SHARE)
    planned_s = usable_s + future_s
    if planned_s <= 0:
        return TimeBudget(0.0, 0.0)
    optimum_s = min(planned_s * _share_of_this_move(empties, solve_empties(ENDGAME_SHARE * planned_s)), usable_s)
    ceiling_s = usable_s if later_moves == 0 else usable_s * MAXIMUM_SHARE
    return _budget(optimum_s, ceiling_s)


def _until_refill(clock: ClockState, usable_s: float, overhead_s: float, moves: int) -> TimeBudget:
    """The budget when the clock is refilled after `moves` own moves: time not used by then is lost."""
    later_moves = moves - 1
    planned_s = usable_s + later_moves * (clock.increment_s * INCREMENT_SHARE - overhead_s * FUTURE_OVERHEAD_SHARE)
    if planned_s <= 0:
        return TimeBudget(0.0, 0.0)
    ceiling_s = usable_s if later_moves == 0 else usable_s * MAXIMUM_SHARE
    return _budget(planned_s / moves, ceiling_s)


def _budget(optimum_s: float, ceiling_s: float) -> TimeBudget:
    optimum_s = min(optimum_s, ceiling_s)
    return TimeBudget(optimum_s, min(optimum_s * MAXIMUM_TO_OPTIMUM, ceiling_s))


def _share_of_this_move(empties: int, solve_at: int) -> float:
    """The ratio of the planned time that the move at `empties` may use, when solving begins at `solve_at` empties."""
    first_solve = ENDGAME_WEIGHT * (1 - ENDGAME_DECAY)
    if empties <= solve_at:
        own_moves = max(1, (empties + 1) // 2)
        return (1 - ENDGAME_DECAY) / (1 - ENDGAME_DECAY**own_moves)
    midgame_moves = (empties - solve_at + 1) // 2
    endgame_moves = (empties + 1) // 2 - midgame_moves
    endgame_weight = first_solve * (1 - ENDGAME_DECAY**endgame_moves) / (1 - ENDGAME_DECAY)
    return 1 / (midgame_moves + endgame_weight)
