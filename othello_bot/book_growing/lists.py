"""Lists of searches for a book besides growing: weak leaves again, what is missing, and the positions of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from othello_bot.base.notation import PASS
from othello_bot.book import Key
from othello_bot.book_growing.expansion import Levels, Reach, Task, arrival, remainder
from othello_bot.book_growing.graph import Graph, is_proven
from othello_bot.book_growing.maintenance import nearest


def deepening(graph: Graph, reach: Reach, levels: Levels) -> Iterator[Task]:
    """Yield the searches of all leaves within reach that were searched at a lower level, the nearest first."""
    for _, node in nearest(graph, reach):
        task = remainder(node, levels)
        leaf = node.entry.leaf
        solved = leaf is not None and is_proven(leaf, node.empties)
        if node.others and not solved and (node.pending or node.entry.level < task.level):
            yield task


def fixing(graph: Graph, levels: Levels) -> Iterator[Task]:
    """Yield the searches of what every book must have: positions after forced passes, and the leaves that are missing.
    """
    for node in list(graph.nodes.values()):
        if PASS in node.choices and not node.children:
            yield arrival(node.choices[PASS], levels)
    yield from pending(graph, levels)


def learned(graph: Graph, wanted: Iterable[Key], levels: Levels) -> Iterator[Task]:
    """Yield the searches that add positions, and those of the leaves that they change."""
    for key in wanted:
        yield arrival(key, levels)
    yield from pending(graph, levels)


def pending(graph: Graph, levels: Levels) -> Iterator[Task]:
    """Yield the searches of all missing leaves, until none is missing."""
    tried: set[tuple[Key, frozenset[int]]] = set()
    while True:
        found = [node for node in graph.nodes.values() if node.pending and (node.key, node.others) not in tried]
        if not found:
            return
        for node in found:
            tried.add((node.key, node.others))
            if node.pending:
                yield remainder(node, levels)
