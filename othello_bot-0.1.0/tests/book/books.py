"""Books for tests: small ones, made without a search."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from othello_bot.book.entry import Entry, Key, Scored
from othello_bot.book_growing.expansion import Found, Levels, SearchTask, arrival, take_in
from othello_bot.book_growing.graph import Graph
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position

LEVELS = Levels(late=3, early=3)


def key(text: str) -> Key:
    """Return the key of the position after a transcript."""
    canonical, _ = Game.from_transcript(text).position.canonical()
    return canonical.mover, canonical.opponent


def found(task: SearchTask, scores: random.Random | int = 0, depth: int = 3) -> Found:
    """Return what a fake search finds: the lowest considered move, with a score."""
    if not task.considered:
        return Found(task, None)
    score = scores if isinstance(scores, int) else scores.randint(-9, 9)
    return Found(task, Scored(min(task.considered), score, depth, 73))


def add(graph: Graph, one: Key, score: int = 0) -> None:
    """Add a position with a leaf of that score."""
    take_in(graph, found(arrival(one, LEVELS), score))


def settle(graph: Graph, score: int = -20) -> None:
    """Find all missing leaves, with a bad score."""
    while pending := [node for node in graph.nodes.values() if node.pending]:
        for node in pending:
            if node.pending:
                take_in(graph, found(SearchTask(node.key, 3, node.others, new=False), score))


def lines(*texts: str) -> Graph:
    """Return the graph of all positions of some transcripts; leaves beside known moves lose 20 discs."""
    graph = Graph()
    for text in texts:
        game = Game.from_transcript(text)
        for ply in range(game.ply + 1):
            canonical, _ = game.position_at(ply).canonical()
            one = (canonical.mover, canonical.opponent)
            if one not in graph.nodes:
                add(graph, one)
    settle(graph)
    for node in list(graph.nodes.values()):
        leaf = node.entry.leaf
        if node.children and leaf is not None:
            graph.add(node.key, replace(node.entry, leaf=leaf._replace(score=-20)))
    return graph


def entries(graph: Graph) -> list[tuple[Key, Entry]]:
    """Return the positions of a graph in the order of their keys."""
    return [(one, graph.nodes[one].entry) for one in sorted(graph.nodes)]


def random_entries(count: int, seed: int = 1) -> list[tuple[Key, Entry]]:
    """Return entries of random keys, which need not be positions, in the order of the keys."""
    rng = random.Random(seed)
    made: dict[Key, Entry] = {}
    while len(made) < count:
        mover = rng.getrandbits(64) & rng.getrandbits(64)
        opponent = rng.getrandbits(64) & ~mover
        moves = tuple(
            Scored(square, rng.randint(-64, 64), rng.randint(0, 60), 73, rng.choice((0, 5, 300)))
            for square in sorted(rng.sample(range(64), rng.randint(0, 5)))
        )
        leaf = Scored(64, rng.randint(-64, 64), 21, 100) if rng.random() < 0.8 else None
        score = rng.randint(-64, 64)
        made[mover, opponent] = Entry(score, -64, score, 21, rng.randint(0, 1 << 20), 0, 3, moves, leaf)
    return sorted(made.items())


def positions_of(texts: Iterable[str]) -> list[Position]:
    """Return the positions after some transcripts."""
    return [Game.from_transcript(text).position for text in texts]
