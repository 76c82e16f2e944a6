"""The graph of a book: links through transpositions, scores by minimax, proven bounds, passes and ends."""

from __future__ import annotations

import random

import pytest

from othello_bot.base.notation import PASS
from othello_bot.book.entry import HIGHEST, LOWEST, Entry, Scored
from othello_bot.book.store import Store
from othello_bot.book_growing.graph import Graph, GraphNode, choices_of
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.book.books import add, entries, key, lines, settle
from tests.rules.strategies import random_game


def minimax(node: GraphNode) -> int:
    """Return the score of a position by plain recursion."""
    if not node.choices:
        return node.position.score()
    scores = [-minimax(child) for child in node.children.values()]
    if node.entry.leaf is not None:
        scores.append(node.entry.leaf.score)
    return max(scores)


def grown(seed: int, positions: int = 150) -> Graph:
    """Return a graph of random positions around the start, with random scores, added in a random order."""
    rng = random.Random(seed)
    keys = [key("")]
    while len(keys) < positions:
        choices = choices_of(Position(*rng.choice(keys[:60])))
        keys += [one for one in choices.values() if one not in keys][: rng.randint(0, 2)]
    rng.shuffle(keys)
    graph = Graph()
    for one in keys:
        add(graph, one, rng.randint(-9, 9))
    return graph


@pytest.mark.parametrize("seed", range(6))
def test_scores_are_those_of_plain_minimax_whatever_the_order(seed: int) -> None:
    graph = grown(seed)
    settle(graph, -5)
    linked = sum(len(node.parents) > 1 for node in graph.nodes.values())
    assert linked > 1, "no transposition"
    for node in graph.nodes.values():
        assert node.entry.score == minimax(node)
        assert {move.move for move in node.entry.moves} == set(node.children)


@pytest.mark.parametrize("seed", range(3))
def test_a_stored_graph_is_the_same(seed: int) -> None:
    graph = grown(seed)
    with Store(":memory:") as store:
        graph.save(store)
        again = Graph.of(store)
        assert entries(again) == entries(graph)
        assert graph.take_changes() == again.take_changes() == []


def test_only_changed_positions_are_written() -> None:
    graph = lines("f5d6c3")
    graph.take_changes()
    add(graph, key("f5d6c4"), 40)
    changed = {node.key for node in graph.take_changes()}
    # f5 is the player's move before: 40 for the one to move after f5d6c4 is bad for the one who played c4.
    assert changed == {key("f5d6c4"), key("f5d6")}


def test_a_score_goes_up_with_its_depth() -> None:
    graph = lines("f5")
    graph.add(key("f5"), Entry(4, leaf=Scored(43, 4, 20, 73)))
    root = graph.nodes[key("")]
    assert root.entry.score == -4
    assert root.entry.moves == (Scored(19, -4, 21, 73),)
    assert (root.entry.lower, root.entry.upper) == (LOWEST, HIGHEST)


def test_the_leaf_is_missing_once_its_move_is_in_the_book() -> None:
    graph = Graph()
    add(graph, key("f5"), 3)
    node = graph.nodes[key("f5")]
    leaf = node.entry.leaf
    assert leaf is not None and not node.pending
    add(graph, node.choices[leaf.move], -1)
    assert node.pending and node.entry.leaf is None
    assert leaf.move not in node.others and len(node.others) == 2


def test_a_proven_score_bounds_the_positions_above() -> None:
    game = random_game(4)
    while game.position.empties < 6 or game.position.must_pass:
        game.undo()
    graph = Graph()
    for ply in (game.ply, game.ply - 1):
        node_key = game.position_at(ply).canonical()[0]
        add(graph, (node_key.mover, node_key.opponent))
    below = graph.nodes[game.position.canonical()[0].mover, game.position.canonical()[0].opponent]
    assert below.entry.leaf is not None
    proven = below.entry.leaf._replace(score=10, depth=below.empties, selectivity=100)
    graph.add(below.key, Entry(10, leaf=proven))
    assert (below.entry.score, below.entry.lower, below.entry.upper, below.entry.exact) == (10, 10, 10, True)
    (above,) = below.parents
    assert above.entry.lower == -10 and above.entry.upper == (HIGHEST if above.others else -10)
    assert above.entry.score >= -10


def test_estimates_below_a_proven_bound_do_not_lower_the_score() -> None:
    graph = lines("f5")
    node = graph.nodes[key("f5")]
    proven = tuple(Scored(move, score, 60, 100) for move, score in zip(sorted(node.choices), (2, -8, -9), strict=True))
    graph.add(node.key, Entry(0, moves=proven))
    assert (node.entry.lower, node.entry.upper, node.entry.score) == (2, 2, 2)
    root = graph.nodes[key("")]
    assert (root.entry.lower, root.entry.upper, root.entry.score) == (-2, -2, -2)


def test_a_proven_move_among_estimates_proves_no_score_above() -> None:
    graph = lines("f5")
    node = graph.nodes[key("f5")]
    first, second, third = sorted(node.choices)
    moves = (Scored(first, 3, 59, 100), Scored(second, 1, 21, 73), Scored(third, -2, 23, 73))
    graph.add(node.key, Entry(0, moves=moves))
    assert (node.entry.score, node.entry.lower, node.entry.upper) == (3, 3, HIGHEST)
    assert graph.nodes[key("")].entry.moves == (Scored(19, -3, 22, 73),)


def test_a_pass_is_a_move_to_a_position_of_the_book() -> None:
    game = Game.from_transcript("d3c3e6d2d1e1b2c1")
    assert game.position.must_pass
    graph = Graph()
    before = game.position.canonical()[0]
    add(graph, (before.mover, before.opponent), 7)
    node = graph.nodes[before.mover, before.opponent]
    assert list(node.choices) == [PASS] and not node.pending and node.entry.leaf is None
    (after,) = node.children.values()
    assert (after.entry.score, node.entry.score) == (7, -7)
    assert node.entry.moves[0].depth == after.entry.scored[0].depth


def test_the_end_of_a_game_is_proven() -> None:
    over = random_game(3)
    canonical = over.position.canonical()[0]
    graph = Graph()
    add(graph, (canonical.mover, canonical.opponent))
    entry = graph.nodes[canonical.mover, canonical.opponent].entry
    assert entry.exact and entry.score == canonical.score()
    assert entry.moves == () and entry.leaf is None


def test_symmetric_moves_are_one() -> None:
    assert len(choices_of(Position(*key("")))) == 1
    assert len(choices_of(Position(*key("f5")))) == 3
