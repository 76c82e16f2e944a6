"""Levels: the iterations that lead to the goal of a search, and what a decided game may cost.

Levels go from 0 to 60, as in other programs: the level is the midgame depth in plies, and the endgame is solved from
roughly twice as many empties, at high levels slightly more. Level 60 solves everything, however long it takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from othello_bot.engine.limits import MAXIMUM_SCORE, SELECTIVITIES, Limits

DEFAULT_LEVEL: Final = 21
"""Level of a search without any other limit."""

FULL_WIDTH: Final = len(SELECTIVITIES) - 1
"""Index of full width in SELECTIVITIES."""

ENDGAME_LEAP: Final = 8
"""Before the first search to the end of the game comes a midgame search that leaves this many plies: deep enough to
order the upper part of the tree, and a small part of the cost of what follows.
"""

DIRECT_EMPTIES: Final = 9
"""Up to this many empties, a search of a single depth solves at once: an earlier iteration costs more than it saves."""

SELECTIVE_FIRST_EMPTIES: Final = 14
"""Above this many empties, it searches to the end of the game selectively before it solves."""

ENDGAME_SELECTIVITIES: Final = (0, 3)
"""Selectivities (indices) of the iterations to the end of the game before the goal: they leave their best moves in the
table. Of those tried, 73 and 98 % leave the fewest nodes in all (docs/development/search-trials.md).
"""

SELECTIVE_LEAD: Final = (6, 5, 4, 3, 2, 0)
"""Selective endgame searches begin this many empties before the exact ones, by index of selectivity: each step of
selectivity saves about as much as one or two empties.
"""

DECIDED_DISCS: Final = 40
"""A game is decided when a search scores more than this, for either side, and the winner is proven."""

SAFE_DISCS: Final = 20
"""A lead that a search of 99 % to the end of the game must confirm before the proof of the winner is tried: that takes
a few thousand nodes. It stands alone where the proof takes more than WINNER_NODES, which happens above 31 empties.
"""

WINNER_NODES: Final = 1_000_000
"""Nodes that the proof of the winner may take; that test before it, too."""

DECIDED_S: Final = 1.0
"""Seconds after which the winner is proven in any case, if time limits the move and would allow it more."""

DECIDED_LEAD: Final = 5
"""A decided game is solved at any cost this many empties later than others: the solve may cost more than any other
move, and can change the result by only a few discs.
"""

PROOF_NODES: Final = 3_000_000
"""Nodes that the proof of a decided game's score may take before that. One in four with 23 or 24 empties takes more, up
to 60 million; the earlier iterations take less than a million.
"""

DECIDED_NODES: Final = 6_000_000
"""Nodes that each selective search to the end of a decided game may take before that. One in 90 takes more, up to 32
million.
"""


class Iteration(NamedTuple):
    """One iteration: depth in plies, index of its selectivity in `SELECTIVITIES`."""

    depth: int
    selectivity_index: int


def exact_empties(level: int) -> int:
    """Return the number of empties from which a level plays perfectly."""
    if level <= 10:
        return 2 * level
    if level <= DEFAULT_LEVEL:
        return 20 + (level - 10) * 4 // 11
    return 24 + (level - DEFAULT_LEVEL) * 36 // 39


def goal(level: int, empties: int) -> Iteration:
    """Return the last iteration of a search at this level."""
    exact = exact_empties(level)
    for index in range(FULL_WIDTH, -1, -1):
        if empties <= exact + (SELECTIVE_LEAD[index] if level > 10 else 0):
            return Iteration(empties, index)
    if level <= 10:
        return Iteration(max(1, min(level, empties)), FULL_WIDTH)
    return Iteration(min(level, empties), 0)


def ladder(empties: int, last: Iteration, fine: bool = False) -> Iterator[Iteration]:
    """Yield the iterations that lead to `last`: one ply more each time, then to the end of the game with growing
    confidence.

    A depth short of the number of empties is reached ply by ply at the goal's selectivity. Where the goal is the end of
    the game, the midgame iterations stop ENDGAME_LEAP plies short of it and are as selective as can be. `fine`: the
    search may be cut short at any time, so every selectivity on the way is worth its result.
    """
    if last.depth < empties:
        for depth in range(1, last.depth + 1):
            yield Iteration(depth, last.selectivity_index)
        return
    for depth in range(1, empties - ENDGAME_LEAP + 1):
        yield Iteration(depth, 0)
    if empties > ENDGAME_LEAP:
        for index in range(FULL_WIDTH) if fine else ENDGAME_SELECTIVITIES:
            if index < last.selectivity_index:
                yield Iteration(empties, index)
    yield Iteration(empties, last.selectivity_index)


def sparse_ladder(empties: int, last: Iteration, stride: int = 2) -> Iterator[Iteration]:
    """Yield the iterations that lead to `last` where only its result counts: `stride` plies apart, few to the end.

    For learning and measuring, which search millions of positions, each for a moment.
    """
    if last.depth < empties:
        for depth in range((last.depth - 1) % stride + 1, last.depth, stride):
            yield Iteration(depth, last.selectivity_index)
    elif empties > DIRECT_EMPTIES:
        for depth in range(2 - empties % 2, empties - ENDGAME_LEAP, 2):
            yield Iteration(depth, 0)
        if empties > SELECTIVE_FIRST_EMPTIES:
            yield Iteration(empties, 0)
    yield last


def level_of(limits: Limits, timed: bool) -> int | None:
    """Return the level that sets the goal of a search, None if only its other limits do. `timed`: time is one of these."""
    limited = timed or limits.infinite or limits.nodes is not None or limits.depth is not None
    return DEFAULT_LEVEL if limits.level is None and not limited else limits.level


def goal_of(limits: Limits, reach: int, timed: bool) -> Iteration:
    """Return the last iteration that depth, level and selectivity allow; without any of them, the deepest possible one,
    of `reach` plies.
    """
    level = level_of(limits, timed)
    last = Iteration(reach, FULL_WIDTH) if level is None else goal(level, reach)
    if limits.depth is not None and limits.depth < last.depth:
        last = Iteration(limits.depth, 0)
    if limits.selectivity is not None:
        last = Iteration(last.depth, SELECTIVITIES.index(limits.selectivity))
    return last


def iterations(limits: Limits, reach: int, timed: bool) -> Iterator[Iteration]:
    """Yield the iterations of a search that lead to its goal."""
    last = goal_of(limits, reach, timed)
    may_be_cut_short = timed or limits.infinite or limits.nodes is not None
    if limits.stride > 1 and not may_be_cut_short:
        return sparse_ladder(reach, last, limits.stride)
    return ladder(reach, last, may_be_cut_short)


def sufficient_level(limits: Limits, timed: bool, longest_s: float) -> int | None:
    """Return the level that is enough for a move of a decided game; None where no level is.

    It is that of the limits; if time limits the move, and it may take more than DECIDED_S, at most the default one.
    Searches that score several moves, whose result alone counts, or that name a selectivity or a window are analyses:
    they end where their limits say.
    """
    full_window = (limits.alpha, limits.beta) == (-MAXIMUM_SCORE, MAXIMUM_SCORE) and not limits.wld
    analysis = limits.infinite or limits.multi_pv > 1 or limits.stride > 1 or limits.selectivity is not None
    if analysis or not full_window or (limits.nodes is not None and not timed):
        return None
    level = level_of(limits, timed)
    if timed and longest_s > DECIDED_S:
        return DEFAULT_LEVEL if level is None else min(level, DEFAULT_LEVEL)
    return level


def decided_nodes(level: int | None, empties: int, score: int, step: Iteration) -> int:
    """Return the most nodes that an iteration to the end of the game may take after this score: few if the game is
    decided and a level is enough (see `sufficient_level`); 0 for no limit.
    """
    if level is None or abs(score) <= DECIDED_DISCS:
        return 0
    if empties <= exact_empties(level) - DECIDED_LEAD or step.depth < empties:
        return 0
    return PROOF_NODES if step.selectivity_index == FULL_WIDTH else DECIDED_NODES
