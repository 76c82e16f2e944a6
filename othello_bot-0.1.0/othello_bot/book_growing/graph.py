"""The graph of a book in memory: positions linked by moves, with scores that go up by minimax through transpositions.

A position whose player must pass has one move, the pass, and the position after it is in the graph too. A position
where the game is over has no moves; its score is proven. Every other position has links to those of its moves whose
positions are in the graph, and a leaf: the best of its other moves, by a search of those alone. It is `pending` while
it has other moves, but no leaf.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.book import HIGHEST, LOWEST, PROVEN, Entry, Key, Scored, key_of, representative, stabilizer
from othello_bot.book.store import Store
from othello_bot.engine import SELECTIVITIES, goal
from othello_bot.rules import Position, empties_of


@dataclass(slots=True, eq=False)
class GraphNode:
    """A position of the graph; `choices` has the key of the position after each of its moves, symmetric moves once.

    `entry` is what the book says about the position, `children` the positions of the graph after its moves.
    """

    key: Key
    choices: dict[int, Key]
    entry: Entry
    children: dict[int, GraphNode] = field(default_factory=dict)
    parents: list[GraphNode] = field(default_factory=list)

    @property
    def empties(self) -> int:
        """The number of empty squares."""
        return empties_of(*self.key)

    @property
    def position(self) -> Position:
        """The canonical image of the position; its colours are not those of a game."""
        return Position(*self.key)

    @property
    def others(self) -> frozenset[int]:
        """The moves without a known score; the leaf is the best of them."""
        return frozenset(self.choices).difference(move.move for move in self.entry.moves)

    @property
    def pending(self) -> bool:
        """Whether the other moves have not been searched."""
        leaf = self.entry.leaf
        others = self.others
        return bool(others) and (leaf is None or leaf.move not in others)

    @property
    def order(self) -> tuple[int, bool]:
        """What sorts positions so that each comes after those that its moves lead to."""
        return self.empties, PASS in self.choices


def choices_of(canonical: Position) -> dict[int, Key]:
    """Return the key of the position after each move, of symmetric moves one; empty if the game is over."""
    if canonical.must_pass:
        return {PASS: key_of(canonical.play(PASS))}
    symmetries = stabilizer(canonical)
    afters = canonical.canonical_afters()
    return {move: after for move, after in afters.items() if representative(move, symmetries) == move}


class Graph:
    """The graph of a book, and what of it was changed since `take_changes`.

    `stored`: the entries come from the store that receives the changes, so they do not count as changes.
    """

    def __init__(self, entries: Iterable[tuple[Key, Entry]] = (), *, stored: bool = False) -> None:
        self.nodes: dict[Key, GraphNode] = {}
        # Of the memory of a large book, most is here; nearly every position awaited has a single parent.
        self._awaited: dict[Key, GraphNode | list[GraphNode]] = {}
        self._changed: dict[Key, GraphNode] = {}
        for key, entry in entries:
            self._insert(key, entry)
        if stored:
            self._changed.clear()
        for node in sorted(self.nodes.values(), key=lambda node: node.order):
            self._settle(node)

    @classmethod
    def of(cls, store: Store) -> Graph:
        """Return the graph of a stored book."""
        return cls(store.entries(), stored=True)

    def __len__(self) -> int:
        return len(self.nodes)

    def add(self, key: Key, entry: Entry) -> GraphNode:
        """Add a position that is new, or replace what is known about it; scores go up at once."""
        known = self.nodes.get(key)
        if known is not None:
            known.entry = entry
            self._changed[key] = known
            self._rise(known)
            return known
        node = self._insert(key, entry)
        self._rise(node)
        return node

    def take_changes(self) -> list[GraphNode]:
        """Return the positions whose entries have changed since the last call."""
        changed = list(self._changed.values())
        self._changed.clear()
        return changed

    def save(self, store: Store) -> None:
        """Write what has changed into the store, in one transaction."""
        changed = self.take_changes()
        with store.transaction():
            for node in changed:
                store.put(node.key, node.entry)

    def from_the_top(self) -> Iterator[GraphNode]:
        """Yield all positions, each before those that its moves lead to."""
        yield from sorted(self.nodes.values(), key=lambda node: node.order, reverse=True)

    def _insert(self, key: Key, entry: Entry) -> GraphNode:
        """Add a position with its links in both directions; no score changes yet."""
        node = self.nodes[key] = GraphNode(key, choices_of(Position(*key)), entry)
        awaiting = self._awaited.pop(key, [])
        for parent in [awaiting] if isinstance(awaiting, GraphNode) else awaiting:
            for move, after in parent.choices.items():
                if after == key:
                    parent.children[move] = node
                    node.parents.append(parent)
        for move, after in node.choices.items():
            child = self.nodes.get(after)
            if child is not None:
                node.children[move] = child
                child.parents.append(node)
            else:
                self._await(after, node)
        self._changed[key] = node
        return node

    def _await(self, key: Key, parent: GraphNode) -> None:
        """Note that a position, when it comes, has this parent."""
        known = self._awaited.setdefault(key, parent)
        if isinstance(known, list):
            if parent not in known:
                known.append(parent)
        elif known is not parent:
            self._awaited[key] = [known, parent]

    def _rise(self, node: GraphNode) -> None:
        """Settle a position, and those above it as long as that changes them, each after all below it."""
        queue = [(*node.order, node.key)]
        queued = {node.key}
        for parent in node.parents:
            if parent.key not in queued:
                queued.add(parent.key)
                heapq.heappush(queue, (*parent.order, parent.key))
        while queue:
            current = self.nodes[heapq.heappop(queue)[-1]]
            queued.discard(current.key)
            if self._settle(current):
                for parent in current.parents:
                    if parent.key not in queued:
                        queued.add(parent.key)
                        heapq.heappush(queue, (*parent.order, parent.key))

    def _settle(self, node: GraphNode) -> bool:
        """Take over the scores and bounds of the positions below; return whether that changed the entry."""
        settled = settled_entry(node)
        if settled == node.entry:
            return False
        node.entry = settled
        self._changed[node.key] = node
        return True


def settled_entry(node: GraphNode) -> Entry:
    """Return a position's entry by the entries of the positions that its moves lead to."""
    entry = node.entry
    if not node.choices:
        score = node.position.score()
        return _with(entry, score, score, score, (), None)
    played = {move.move: move for move in entry.moves}
    for move, child in node.children.items():
        below = child.entry
        depth, selectivity = _origin(child)
        games = played[move].games if move in played else 0
        played[move] = Scored(move, -below.score, depth + (move != PASS), selectivity, games)
    moves = tuple(played[move] for move in sorted(played))
    others = node.choices.keys() - played.keys()
    leaf = entry.leaf if entry.leaf is not None and entry.leaf.move in others else None
    lower, upper = _bounds(node, moves, leaf)
    moves = tuple(_at_most(move, upper) for move in moves)
    leaf = None if leaf is None else _at_most(leaf, upper)
    every = [*(move.score for move in moves), *(() if leaf is None else (leaf.score,))]
    score = max(lower, min(upper, max(every))) if every else entry.score
    return _with(entry, score, lower, upper, moves, leaf)


def _at_most(move: Scored, upper: int) -> Scored:
    """Return a move with a score that the proven upper bound of its position allows."""
    return move if move.score <= upper else move._replace(score=upper)


def _bounds(node: GraphNode, moves: tuple[Scored, ...], leaf: Scored | None) -> tuple[int, int]:
    """Return the proven bounds of a position's score; a move that nothing proves may be worth anything.

    Bounds that were proven before, by a search or by others, hold as well, unless they contradict the moves.
    """
    bounds = [(-child.entry.upper, -child.entry.lower) for child in node.children.values()]
    for move in moves if leaf is None else (*moves, leaf):
        if move.move not in node.children:
            proven = is_proven(move, node.empties)
            bounds.append((move.score, move.score) if proven else (LOWEST, HIGHEST))
    if leaf is None and len(moves) < len(node.choices):
        bounds.append((LOWEST, HIGHEST))
    lower, upper = max(low for low, _ in bounds), max(high for _, high in bounds)
    narrow = max(lower, node.entry.lower), min(upper, node.entry.upper)
    return narrow if narrow[0] <= narrow[1] else (lower, upper)


def is_proven(move: Scored, empties: int) -> bool:
    """Return whether a move's score comes from a search to the end of the game that pruned nothing."""
    return move.selectivity == PROVEN and move.depth >= empties


def _origin(node: GraphNode) -> tuple[int, int]:
    """Return the depth and the selectivity of the search that a position's score comes from, or those of a proof.

    Where the best move is proven, but not that no other is better, the score comes from the best estimate of the rest.
    """
    if node.entry.exact:
        return node.empties, PROVEN
    best = next((move for move in node.entry.scored if not is_proven(move, node.empties)), None)
    return (0, PROVEN) if best is None else (best.depth, best.selectivity)


def _with(entry: Entry, score: int, lower: int, upper: int, moves: tuple[Scored, ...], leaf: Scored | None) -> Entry:
    return Entry(score, lower, upper, entry.level, entry.won, entry.drawn, entry.lost, moves, leaf)


UNPROVEN: Final = SELECTIVITIES[-2]
"""Selectivity in percent given to the scores of other programs, whose files do not say whether they are proven."""

HIGHEST_LEVEL: Final = 60


def scored(move: int, score: int, level: int, empties: int) -> Scored:
    """Return a move with the depth and selectivity that its level stands for here, but never as proven."""
    depth, index = goal(max(0, min(level, HIGHEST_LEVEL)), empties)
    return Scored(move, score, depth, min(UNPROVEN, SELECTIVITIES[index]))
