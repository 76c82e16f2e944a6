"""Merging, pruning, checking and grading whole books."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.book.compact import CompactBook, to_bytes
from othello_bot.book.entry import Entry, Scored
from othello_bot.book.store import Store
from othello_bot.book_growing.expansion import Reach
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.growing import START
from othello_bot.book_growing.maintenance import best_line, faults, merge, merged, prune, statistics
from othello_bot.rules.game import Game
from tests.book.books import add, entries, key, lines, settle


def stored(graph: Graph) -> Store:
    store = Store(":memory:")
    graph.save(store)
    return store


def test_merged_books_have_the_positions_of_both() -> None:
    one, other = stored(lines("f5d6c3")), stored(lines("f5f6e6"))
    assert merge(one, [other]) == 2
    assert len(one) == 6 and faults(one) == []
    with_names = CompactBook.from_bytes(to_bytes(entries(lines("f5")), {START: "Start"}))
    assert merge(one, [with_names]) == 0
    assert one.name(START) == "Start"


def test_of_two_entries_the_deeper_search_counts_and_the_games_add_up() -> None:
    shallow = Entry(1, won=2, drawn=3, moves=(Scored(3, 1, 9, 73, 4),), leaf=Scored(5, 0, 8, 73))
    moves = (Scored(3, 2, 9, 73, 1), Scored(4, 1, 9, 73))
    deep = Entry(2, lower=-4, won=1, drawn=1, lost=1, moves=moves, leaf=Scored(6, 2, 20, 73))
    for both in (merged(shallow, deep), merged(deep, shallow)):
        assert (both.won, both.drawn, both.lost, both.lower) == (3, 4, 1, -4)
        assert both.leaf == Scored(6, 2, 20, 73)
        assert [(move.move, move.score, move.games) for move in both.moves] == [(3, 2, 5), (4, 1, 0)]


def test_pruning_removes_what_is_out_of_reach_and_keeps_the_scores() -> None:
    graph = Graph()
    for text in ("", "f5", "f5d6"):
        add(graph, key(text))
    add(graph, key("f5f6"), 9)
    settle(graph, -30)
    store = stored(graph)
    before = store.find(key("f5"))
    assert prune(store, Reach(most_loss=5)) == 1
    after = store.find(key("f5"))
    assert before is not None and after is not None and after.moves == before.moves
    assert len(store) == 3 and faults(store) == []
    assert prune(store, Reach(), most_positions=2) == 1
    assert {one for one, _ in store.entries()} == {START, key("f5")}


def test_positions_after_a_pass_are_kept_with_it() -> None:
    graph = lines("d3c3e6d2d1e1b2c1pa")
    store = stored(graph)
    passing = key("d3c3e6d2d1e1b2c1")
    place = [one for one, _ in store.entries()].index(passing)
    assert place >= 0
    prune(store, Reach(64, 64), most_positions=9)
    assert store.find(passing) is not None and faults(store) == []


def test_what_is_wrong_is_named() -> None:
    graph = lines("f5d6")
    store = stored(graph)
    whole = dict(store.entries())
    assert faults(store) == []

    def with_change(entry: Entry) -> list[str]:
        with store.transaction():
            store.put(key("f5"), entry)
        found = faults(store)
        with store.transaction():
            store.put(key("f5"), whole[key("f5")])
        return found

    good = whole[key("f5")]
    assert "illegal move 0" in with_change(replace(good, leaf=Scored(0, 0, 3, 73)))[0]
    assert "but its moves give" in with_change(replace(good, score=5, upper=64))[0]
    assert "outside its bounds" in with_change(replace(good, lower=20))[0]
    with store.transaction():
        store.put((1, 1), Entry(0))
    assert "no square with discs of both" in faults(store)[0]


def test_a_position_that_is_not_canonical_is_a_fault() -> None:
    store = stored(lines("f5"))
    image = next(one for one in Game.from_transcript("f5").position.symmetries() if one != one.canonical()[0])
    with store.transaction():
        store.put((image.mover, image.opponent), Entry(0))
    assert "not the canonical image" in faults(store)[0]


def test_a_pass_that_leads_nowhere_is_a_fault() -> None:
    graph = lines("d3c3e6d2d1e1b2c1pa")
    store = stored(graph)
    after = graph.nodes[key("d3c3e6d2d1e1b2c1")].choices[64]
    with store.transaction():
        store.remove(after)
    assert "the position after the pass is missing" in faults(store)[-1]


def test_statistics_count_lines_near_best_play() -> None:
    graph = lines("f5d6", "f5f6")
    figures = statistics(stored(graph))
    assert (figures.positions, figures.pending, figures.proven) == (4, 0, 0)
    assert figures.by_ply == {0: 1, 1: 1, 2: 2}
    # Leaves after f5d6 and f5f6; that after f5 loses 20.
    assert (figures.lines, figures.solved_lines, figures.grade) == (2, 0, "F")
    assert len(figures.best_line) == 3


def test_a_solved_book_has_the_best_grade() -> None:
    graph = lines("f5")
    node = graph.nodes[key("f5")]
    moves = tuple(Scored(move, -1, 60, 100) for move in sorted(node.choices))
    graph.add(node.key, Entry(-1, moves=moves))
    figures = statistics(stored(graph))
    assert (figures.grade, figures.proven, figures.solved_lines) == ("A", 2, 1)


@pytest.mark.parametrize("bad", ["f5d6", "f5f4", "f5f6"])
def test_moves_that_lose_much_are_not_near_best_play(bad: str) -> None:
    graph = Graph()
    for text in ("", "f5", "f5d6", "f5f4", "f5f6"):
        add(graph, key(text), 30 if text == bad else 0)
    settle(graph)
    figures = statistics(stored(graph))
    assert (figures.positions, figures.lines) == (5, 2)


@pytest.mark.parametrize(("solved", "grade"), [((), "F"), (("f5d6",), "E"), (("f5d6", "f5f6"), "D")])
def test_the_grade_is_that_of_the_share_of_solved_lines(solved: tuple[str, ...], grade: str) -> None:
    graph = lines("f5d6", "f5f6", "f5f4")
    for text in solved:
        node = graph.nodes[key(text)]
        graph.add(node.key, Entry(0, moves=tuple(Scored(move, 0, 60, 100) for move in sorted(node.choices))))
    figures = statistics(stored(graph))
    assert (figures.lines, figures.solved_lines) == (3, len(solved))
    assert figures.grade == grade


def test_the_line_of_best_play_is_legal(tmp_path: Path) -> None:
    graph = lines("c4c3d3c5b3", "f5f6e6")
    line = best_line(graph.nodes[START])
    game = Game()
    game.play_moves(line)
    assert game.ply > 3
