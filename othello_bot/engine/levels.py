"""Playing levels: how deep to search in the midgame, and when to start solving the endgame.

Levels go from 0 to 60, as in other programs: the level is the midgame depth in plies, and the endgame is solved from
roughly twice as many empties, at high levels slightly more. Level 60 solves everything, however long it takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from othello_bot.engine.limits import SELECTIVITIES

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

ENDGAME_SELECTIVITIES: Final = (1,)
"""Selectivities (indices) of the iterations to the end of the game before the goal: they leave their best moves in the
table. More of them cost more nodes than they save (measured on FFO #45 to #53, where one of 87 % is best).
"""

SELECTIVE_LEAD: Final = (6, 5, 4, 3, 2, 0)
"""Selective endgame searches begin this many empties before the exact ones, by index of selectivity: each step of
selectivity saves about as much as one or two empties.
"""


class Step(NamedTuple):
    """One iteration: depth in plies, index of its selectivity in `SELECTIVITIES`."""

    depth: int
    selectivity: int


def exact_empties(level: int) -> int:
    """Return the number of empties from which on a level plays perfectly."""
    if level <= 10:
        return 2 * level
    if level <= DEFAULT_LEVEL:
        return 20 + (level - 10) * 4 // 11
    return 24 + (level - DEFAULT_LEVEL) * 36 // 39


def goal(level: int, empties: int) -> Step:
    """Return the last iteration of a search at this level."""
    exact = exact_empties(level)
    for selectivity in range(FULL_WIDTH, -1, -1):
        if empties <= exact + (SELECTIVE_LEAD[selectivity] if level > 10 else 0):
            return Step(empties, selectivity)
    if level <= 10:
        return Step(max(1, min(level, empties)), FULL_WIDTH)
    return Step(min(level, empties), 0)


def ladder(empties: int, last: Step, fine: bool = False) -> Iterator[Step]:
    """Yield the iterations that lead to `last`: one ply more each time, then to the end of the game with growing
    confidence.

    A depth short of the number of empties is reached ply by ply at the goal's selectivity. Where the goal is the end of
    the game, the midgame iterations stop ENDGAME_LEAP plies short of it and are as selective as can be. `fine`: the
    search may be cut short at any time, so every selectivity on the way is worth its result.
    """
    if last.depth < empties:
        for depth in range(1, last.depth + 1):
            yield Step(depth, last.selectivity)
        return
    for depth in range(1, empties - ENDGAME_LEAP + 1):
        yield Step(depth, 0)
    if empties > ENDGAME_LEAP:
        for selectivity in range(FULL_WIDTH) if fine else ENDGAME_SELECTIVITIES:
            if selectivity < last.selectivity:
                yield Step(empties, selectivity)
    yield Step(empties, last.selectivity)


def sparse_ladder(empties: int, last: Step, stride: int = 2) -> Iterator[Step]:
    """Yield the iterations that lead to `last` where only its result counts: `stride` plies apart, few to the end.

    For learning and measuring, which search millions of positions, each for a moment.
    """
    if last.depth < empties:
        for depth in range((last.depth - 1) % stride + 1, last.depth, stride):
            yield Step(depth, last.selectivity)
    elif empties > DIRECT_EMPTIES:
        for depth in range(2 - empties % 2, empties - ENDGAME_LEAP, 2):
            yield Step(depth, 0)
        if empties > SELECTIVE_FIRST_EMPTIES:
            yield Step(empties, 0)
    yield last
