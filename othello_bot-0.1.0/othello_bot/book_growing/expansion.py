"""What to search next: best-first expansion, by how soon a game that follows the book would get there.

The distance of a position is the smallest over all lines that lead to it, of the plies of the line plus DISC_PLIES for
each disc that its moves lose, on both sides. The nearest leaf becomes a position of the book. A leaf that was the best
move before it was searched and disappoints, or one that surprises, changes the losses above it, and so the distances:
the book goes on where the play would. The idea is Lincke's drop-out expansion (Strategies for the automatic
construction of opening books, 2000), which WZebra and Edax use in their own ways.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.book import Entry, Key, Scored
from othello_bot.book_growing.graph import Graph, GraphNode, choices_of, is_proven
from othello_bot.engine import Limits, Search, SearchRequest
from othello_bot.rules import Position, empties_of, inverse_symmetry, transform_square

DISC_PLIES: Final = 2.0
"""Plies by which a loss of one disc makes a line more distant."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a book is to grow: leaves within these limits are expanded, the nearest first.

    `most_loss`: discs that one move may lose; `line_loss`: those that the moves of a line may lose together; `plies`:
    the depth of the book in plies.
    """

    most_loss: int = 6
    line_loss: int = 12
    plies: int = 40

    def covers(self, place: Place, loss: int, ply: int) -> bool:
        """Return whether a position is within reach, by its place, its ply, and what the move to it lost."""
        return loss <= self.most_loss and place.loss <= self.line_loss and ply <= self.plies


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of the searches: `early` up to `early_plies` plies after the start, `late` after that."""

    late: int = 21
    early: int = 21
    early_plies: int = 14

    def at(self, empties: int) -> int:
        """Return the level for a position with this many empty squares."""
        return self.early if 60 - empties <= self.early_plies else self.late


@dataclass(frozen=True, slots=True)
class SearchTask:
    """One search: the moves `considered` of a position, at a level; none where the game is over.

    `new`: the position is to be added to the book; otherwise the search finds its leaf. `passing`: the position before
    it, where the opponent must pass, which is added with it; None without one. `image`: the symmetry that makes the
    board to search of the canonical one. Searches after each other on boards of one game share their table.
    """

    key: Key
    level: int
    considered: frozenset[int]
    new: bool
    passing: Key | None = None
    image: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a position is: its distance, and the discs that the moves of the nearest line to it lose together."""

    distance: float
    loss: int


def places(graph: Graph, roots: tuple[Key, ...], reach: Reach | None = None) -> dict[Key, Place]:
    """Return the places of all positions that the roots lead to, of those within reach if that is given."""
    found = {key: Place(0.0, 0) for key in roots if key in graph.nodes}
    for node in graph.from_the_top():
        place = found.get(node.key)
        if place is None:
            continue
        for move in node.entry.moves:
            child = node.children.get(move.move)
            if child is not None:
                there = _beyond(place, node.entry, move)
                if reach is not None and not reach.covers(there, there.loss - place.loss, 60 - child.empties):
                    continue
                known = found.get(child.key)
                if known is None or there.distance < known.distance:
                    found[child.key] = there
    return found


def _beyond(place: Place, entry: Entry, move: Scored) -> Place:
    """Return the place of the position after a move."""
    loss = max(0, entry.score - move.score)
    return Place(place.distance + 1 + DISC_PLIES * loss, place.loss + loss)


@dataclass(frozen=True, slots=True)
class WalkStep:
    """A search to make next, and the position from which it goes on: its key and place."""

    task: SearchTask
    key: Key
    place: Place


class Frontier:
    """The searches that are worth making, the nearest first. Build it anew when the graph has changed much."""

    def __init__(self, graph: Graph, roots: tuple[Key, ...], reach: Reach, levels: Levels) -> None:
        self._levels = levels
        self._graph = graph
        self.distance = 0.0
        """Distance of the last leaf taken; all nearer ones are in the book."""
        self.places = places(graph, roots)
        self._heap: list[tuple[float, int, Key]] = []
        self.leaves = 0
        """Leaves within reach that are not proven."""
        for key, place in self.places.items():
            node = graph.nodes[key]
            if node.pending:
                heapq.heappush(self._heap, (place.distance, len(self._heap), key))
            elif (there := beyond_leaf(node, place, reach)) is not None:
                heapq.heappush(self._heap, (there.distance, len(self._heap), key))
                self.leaves += 1

    def take(self) -> WalkStep | None:
        """Remove and return the nearest search; None without one."""
        while self._heap:
            distance, _, key = heapq.heappop(self._heap)
            node = self._graph.nodes[key]
            place = self.places[key]
            if node.pending:
                return WalkStep(remainder(node, self._levels), key, place)
            leaf = node.entry.leaf
            if leaf is not None and node.choices[leaf.move] not in self._graph.nodes:
                self.distance = distance
                return WalkStep(arrival(node.choices[leaf.move], self._levels), key, place)
        return None


def beyond_leaf(node: GraphNode, place: Place, reach: Reach) -> Place | None:
    """Return the place of the position after a leaf; None if it is not worth expanding: proven, or out of reach."""
    leaf = node.entry.leaf
    if leaf is None or is_proven(leaf, node.empties):
        return None
    there = _beyond(place, node.entry, leaf)
    return there if reach.covers(there, there.loss - place.loss, 61 - node.empties) else None


def remainder(node: GraphNode, levels: Levels, image: int = 0) -> SearchTask:
    """Return the search that finds a position's leaf: that of its moves to positions outside the book."""
    return SearchTask(node.key, levels.at(node.empties), node.others, new=False, image=image)


def arrival(key: Key, levels: Levels) -> SearchTask:
    """Return the search that adds a position, and the one after it if the player must pass."""
    choices = choices_of(Position(*key))
    if PASS in choices:
        return replace(arrival(choices[PASS], levels), passing=key)
    empties = empties_of(*key)
    return SearchTask(key, levels.at(empties), frozenset(choices), new=True)


DEEP_LEVEL: Final = 24
"""From this level on, a search skips three of four iterations instead of every second one. That saves 11 % of the nodes
at level 27, but costs 8 % more at level 21.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """The best of the moves that a task considered; None if the game is over."""

    task: SearchTask
    best: Scored | None


def limits_of(level: int) -> Limits:
    """Return the limits of a search whose last iteration alone counts.

    Most of the others are skipped: that saves a quarter of the nodes at level 21.
    """
    return Limits(level=level, stride=2 if level < DEEP_LEVEL else 4)


def carry_out(task: SearchTask, search: Search) -> Found | None:
    """Return what the search of a task finds; None if it was stopped. Blocks. Call `search.arm` before."""
    if not task.considered:
        return Found(task, None)
    board = Position(*task.key).transform(task.image)
    considered = frozenset(transform_square(move, task.image) for move in task.considered)
    result = search.answer(SearchRequest(board, replace(limits_of(task.level), considered=considered)))
    if result.stopped:
        return None
    move = transform_square(result.move, inverse_symmetry(task.image))
    return Found(task, Scored(move, result.score, result.depth, result.selectivity))


def take_in(graph: Graph, finding: Found) -> None:
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
