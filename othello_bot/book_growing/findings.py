"""What a search found, and how it gets into the graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from othello_bot.book import Entry, Key, Scored
from othello_bot.book_growing.expansion import Task
from othello_bot.book_growing.graph import Graph
from othello_bot.engine import Limits, Search
from othello_bot.rules import Position, inverse_symmetry, transform_square

DEEP_LEVEL: Final = 24
"""From this level on, a search skips three of four iterations instead of every second one: 5.77 million nodes in place
of 6.51 at level 27, in 70 positions of a book that was deepened. At level 21 that costs 8 %.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """The best of the moves that a task considered; None where there was none, because the game is over."""

    task: Task
    best: Scored | None


def limits_of(level: int) -> Limits:
    """Return the limits of a search whose last iteration alone counts.

    Most of the others are skipped: that saves a quarter of the nodes at level 21.
    """
    return Limits(level=level, stride=2 if level < DEEP_LEVEL else 4)


def carry_out(task: Task, search: Search) -> Finding | None:
    """Return what the search of a task finds; None if it was stopped. Blocks. Call `search.arm` before."""
    if not task.considered:
        return Finding(task, None)
    board = Position(*task.key).transform(task.image)
    considered = frozenset(transform_square(move, task.image) for move in task.considered)
    result = search.run(board.mover, board.opponent, replace(limits_of(task.level), considered=considered))
    if result.stopped:
        return None
    move = transform_square(result.move, inverse_symmetry(task.image))
    return Finding(task, Scored(move, result.score, result.depth, result.selectivity))


def take_in(graph: Graph, finding: Finding) -> None:
    """Add what a search found to the graph, or replace the leaf of the position that it searched."""
    task, best = finding.task, finding.best
    known = graph.nodes.get(task.key)
    score = 0 if best is None else best.score
    if known is None:
        graph.add(task.key, Entry(score, level=task.level, leaf=best))
    elif best is None or best.move in known.others:
        graph.add(task.key, replace(known.entry, level=task.level, leaf=best))
    if task.passing is not None and task.passing not in graph.nodes:
        graph.add(task.passing, Entry(-score, level=task.level))


def link_key(finding: Finding) -> Key:
    """Return the key of the first position that a finding adds."""
    return finding.task.passing or finding.task.key
