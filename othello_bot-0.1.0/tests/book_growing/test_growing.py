"""Growing: what is searched next, and that nothing is lost when it ends, however it ends."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from othello_bot.book.entry import Scored
from othello_bot.book.store import Store
from othello_bot.book_growing import growing
from othello_bot.book_growing.expansion import (
    DISC_PLIES,
    Found,
    Frontier,
    Levels,
    Place,
    Reach,
    SearchTask,
    beyond_leaf,
    carry_out,
    places,
    take_in,
)
from othello_bot.book_growing.graph import Graph, choices_of
from othello_bot.book_growing.growing import (
    FEWEST_BEFORE_REVIEW,
    START,
    Growth,
    GrowthProgress,
    Walk,
    Work,
    search_all,
    search_elsewhere,
    searched,
)
from othello_bot.book_growing.maintenance import deepening, faults, fixing
from othello_bot.cluster import Workers
from othello_bot.engine.deepening import Search
from othello_bot.rules.position import Position
from tests.book.books import LEVELS, add, found, key, lines, settle


def carry_on(work: Work, searches: int, scores: random.Random | int = 0) -> list[SearchTask]:
    """Make some searches of a work by a fake search; return them."""
    made: list[SearchTask] = []
    while len(made) < searches and (task := work.next_task()) is not None:
        work.take(found(task, scores))
        made.append(task)
    return made


# -- what is next -----------------------------------------------------------------------------------------------------


def test_places_are_those_of_the_cheapest_line() -> None:
    graph = lines("f5d6", "f5f6")
    add(graph, key("f5f6"), 3)
    settle(graph)
    where = places(graph, (START,))
    assert (where[START].distance, where[START].loss) == (0, 0)
    assert where[key("f5d6")].distance == 2
    assert (where[key("f5f6")].distance, where[key("f5f6")].loss) == (2 + 3 * DISC_PLIES, 3)
    assert key("f5f6") not in places(graph, (START,), Reach(most_loss=2))
    assert key("f5d6") not in places(graph, (START,), Reach(plies=1))


def test_the_nearest_leaf_is_taken_first_and_missing_leaves_before_it() -> None:
    graph = lines("f5d6")
    frontier = Frontier(graph, (START,), Reach(most_loss=64, line_loss=64), LEVELS)
    assert frontier.leaves == 2  # those after f5 and f5d6
    step = frontier.take()
    assert step is not None and step.task.new and step.task.key in graph.nodes[key("f5d6")].choices.values()
    assert step.key == key("f5d6") and frontier.distance == step.place.distance + 1
    add(graph, step.task.key)
    assert graph.nodes[key("f5d6")].pending
    step = Frontier(graph, (START,), Reach(), LEVELS).take()
    assert step is not None and not step.task.new and step.task.key == step.key == key("f5d6")


def test_a_leaf_that_is_gone_is_not_taken() -> None:
    graph = lines("f5")
    frontier = Frontier(graph, (START,), Reach(), LEVELS)
    node = graph.nodes[key("f5")]
    leaf = node.entry.leaf
    assert leaf is not None
    graph.add(node.key, replace(node.entry, moves=tuple(leaf._replace(move=move) for move in sorted(node.choices))))
    assert graph.nodes[key("f5")].entry.leaf is None and frontier.take() is None


def test_leaves_out_of_reach_and_proven_ones_are_left_alone() -> None:
    graph = lines("f5d6")
    assert Frontier(graph, (START,), Reach(plies=2), LEVELS).take() is None
    assert Frontier(graph, (START,), Reach(most_loss=1, plies=2), LEVELS).leaves == 0


# -- growing ----------------------------------------------------------------------------------------------------------


def test_a_book_grows_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    rng = random.Random(1)
    for _ in range(4):
        with Store(str(path), create=True) as store:
            work = Growth(store, Reach(), LEVELS)
            carry_on(work, 15, rng)
            assert work.progress.positions == len(store)
    with Store(str(path)) as store:
        assert faults(store) == []
        assert len(store) > 25


def boards(task: SearchTask) -> set[tuple[int, int]]:
    """Return the boards after the moves of a task, as its search sees them."""
    board = Position(*task.key).transform(task.image)
    return {(after.mover, after.opponent) for after in map(board.play, board.legal_moves)}


def test_a_walk_goes_on_beside_its_last_search_on_boards_of_one_game() -> None:
    with Store(":memory:") as store:
        work = Growth(store, Reach(), LEVELS)
        carry_on(work, 30, random.Random(2))
        walk = Walk()
        onward = 0
        for _ in range(60):
            way = {key: image for key, _, image in walk.way}
            task = work.next_task(walk)
            assert task is not None
            if task.new and walk.way[-2][0] in way:
                parent, _, image = walk.way[-2]
                after = Position(*task.key).transform(task.image)
                assert (after.mover, after.opponent) in boards(
                    SearchTask(parent, 0, frozenset(), new=False, image=image)
                )
                assert walk.way[-1][1].distance < walk.limit
                onward += 1
            elif task.key in way:
                assert task.image == way[task.key]
            work.take(found(task, random.Random(len(way))))
        assert onward > 20
        assert faults(store) == []


@pytest.mark.parametrize("at_limit", [False, True])
def test_what_is_near_is_searched_before_what_is_nearest_elsewhere_until_the_walk_is_at_its_limit(
    at_limit: bool,
) -> None:
    with Store(":memory:") as store:
        lines("f5d6c3", "f5f6e6").save(store)
        work = Growth(store, Reach(), LEVELS)
        walk = Walk()
        first = work.next_task(walk)
        assert first is not None and first.new
        work.take(found(first))
        near = work.graph.nodes[first.key].choices.values()
        if at_limit:
            walk.limit = walk.way[-1][1].distance
        second = work.next_task(walk)
        assert second is not None and (second.key in near) is not at_limit
        elsewhere = work.next_task(Walk())
        assert elsewhere is not None and elsewhere.key not in near


def test_what_the_line_lost_before_does_not_count_for_a_leaf() -> None:
    node = lines("f5d6").nodes[key("f5d6")]
    assert beyond_leaf(node, Place(0.0, 5), Reach()) is not None
    assert beyond_leaf(node, Place(0.0, 5), Reach(line_loss=4)) is None


@pytest.mark.parametrize("image", range(8))
def test_a_search_of_an_image_finds_a_move_of_the_position(image: int) -> None:
    considered = frozenset(sorted(choices_of(Position(*key("f5d6c3"))))[:2])
    task = SearchTask(key("f5d6c3"), 4, considered, new=False)
    plain, turned = carry_out(task, Search(1)), carry_out(replace(task, image=image), Search(1))
    assert plain is not None and turned is not None and plain.best is not None and turned.best is not None
    assert turned.best.move in considered and turned.best.score == plain.best.score


def test_the_positions_wanted_come_first() -> None:
    with Store(":memory:") as store:
        wanted = [key("f5f4"), key("f5f4c3")]
        made = carry_on(Growth(store, Reach(), LEVELS, wanted), 3)
        assert [task.key for task in made] == [START, *wanted]


def test_growing_ends_when_nothing_is_within_reach() -> None:
    with Store(":memory:") as store:
        reach = Reach(most_loss=64, line_loss=64, plies=2)
        carry_on(Growth(store, reach, LEVELS), 100)
        assert len(store) == 1 + 1 + 3
        assert carry_on(Growth(store, reach, LEVELS), 100) == []


def test_a_growing_book_is_always_whole() -> None:
    rng = random.Random(5)
    with Store(":memory:") as store:
        work = Growth(store, Reach(), LEVELS)
        for _ in range(40):
            carry_on(work, 1, rng)
            assert faults(store) == []


def test_several_threads_search_at_once() -> None:
    with Store(":memory:") as store:
        reports: list[GrowthProgress] = []

        def finished(progress: GrowthProgress) -> bool:
            reports.append(progress)
            return progress.positions >= 20

        levels = Levels(late=2, early=2)
        last = search_all(Growth(store, Reach(), levels), [Search(1), Search(1)], finished)
        assert last.positions == len(store) >= 20
        assert faults(store) == []
        assert [report.positions for report in reports] == sorted(report.positions for report in reports)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_workers_search_as_threads_do(processes: int) -> None:
    with Store(":memory:") as store, Workers(processes) as workers:
        work = Growth(store, Reach(), Levels(late=1, early=1))
        last = search_elsewhere(work, workers, 1, lambda progress: progress.positions >= 12)
        assert last.positions == len(store) >= 12
        assert faults(store) == []


def test_workers_end_when_nothing_is_within_reach() -> None:
    with Store(":memory:") as store, Workers(1) as workers:
        levels = Levels(late=0, early=0)
        search_elsewhere(Growth(store, Reach(64, 64, 2), levels), workers, 1, lambda progress: False)
        assert len(store) == 1 + 1 + 3


def test_weak_leaves_are_searched_again() -> None:
    with Store(":memory:") as store:
        lines("f5d6", "f5f6").save(store)
        deeper = Levels(late=9, early=9)
        work = Work(store, lambda graph: deepening(graph, Reach(most_loss=64, line_loss=64), deeper))
        made = carry_on(work, 100)
        assert {task.key for task in made} == {key("f5"), key("f5d6"), key("f5f6")}
        assert all(task.level == 9 and not task.new for task in made)
        again = Work(store, lambda graph: deepening(graph, Reach(most_loss=64, line_loss=64), deeper))
        assert carry_on(again, 100) == []


def test_what_is_missing_is_searched() -> None:
    with Store(":memory:") as store:
        graph = Graph()
        add(graph, key("f5"))
        add(graph, min(graph.nodes[key("f5")].choices.items())[1])
        graph.save(store)
        levels = LEVELS
        made = carry_on(Work(store, lambda graph: fixing(graph, levels)), 100)
        assert [task.key for task in made] == [key("f5")]
        assert carry_on(Work(store, lambda graph: fixing(graph, levels)), 100) == []


def test_the_frontier_is_reviewed_after_some_searches() -> None:
    with Store(":memory:") as store:
        lines("f5d6c3d3c4f4f6g5", "f5f6e6f4", "f5f4c3").save(store)
        work = Growth(store, Reach(most_loss=64, line_loss=640), LEVELS)
        assert work.leaves > FEWEST_BEFORE_REVIEW
        # The nearest searches are those of missing leaves; only a review sees that they are missing.
        made = carry_on(work, FEWEST_BEFORE_REVIEW + 1)
        assert [task.new for task in made] == [True] * FEWEST_BEFORE_REVIEW + [False]


class OneByOne:
    """Fake workers: they search at once, in this process."""

    def each(self, task: Callable[..., object], arguments: Iterable[tuple[SearchTask, int]]) -> Iterator[object]:
        assert task is searched
        return ((these, found(these[0])) for these in arguments)


def test_workers_are_given_searches_until_the_book_has_grown() -> None:
    with Store(":memory:") as store:
        work = Growth(store, Reach(), LEVELS)
        last = search_elsewhere(work, cast("Workers", OneByOne()), 1, lambda progress: progress.positions >= 12)
        assert last.positions == len(store) == 12
        assert faults(store) == []


def test_a_worker_keeps_its_table_until_another_size_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = SimpleNamespace()
    monkeypatch.setattr(growing, "_OF_THREAD", kept)
    over = SearchTask(START, 1, frozenset(), new=True)
    tables = []
    for hash_mib in (1, 1, 2, 1):
        assert searched(over, hash_mib) == Found(over, None)
        assert kept.search.hash_mib == hash_mib
        tables.append(kept.search)
    assert tables[0] is tables[1] and len({id(one) for one in tables}) == 3


# -- kill -9 ----------------------------------------------------------------------------------------------------------

CHILD = """
import sys
from othello_bot.book.store import Store
from othello_bot.book_growing.expansion import Levels, Reach
from othello_bot.book_growing.growing import Growth, search_all
from othello_bot.engine import Search

def report(progress):
    sys.stdout.write(f"{progress.positions}\\n")
    sys.stdout.flush()
    return False

with Store(sys.argv[1], create=True) as store, store.writing("a child"):
    search_all(Growth(store, Reach(), Levels(late=1, early=1)), [Search(1)], report)
"""


def kill_while_it_grows(path: Path, rng: random.Random) -> None:
    """Let a process grow a book, kill it at a random moment, and check what it leaves: the book whole, and not held."""
    with subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline()
        time.sleep(rng.random() * 0.3)
        child.send_signal(signal.SIGKILL)
        reports = [int(line) for line in child.stdout.read().split("\n")[:-1]]
    with Store(str(path)) as store, store.writing("a test"):
        assert len(store) >= max(reports, default=0)
        assert faults(store) == []


@pytest.mark.process
def test_a_killed_grower_loses_nothing_that_it_reported(tmp_path: Path) -> None:
    rng = random.Random(1)
    for _ in range(3):
        kill_while_it_grows(tmp_path / "my.book", rng)


READER = """
import sys
from othello_bot.book.store import Store
from othello_bot.book_growing.maintenance import faults

with Store(sys.argv[1]) as store:
    for _ in range(20):
        found = faults(store)
        if found:
            sys.exit(f"{found}")
"""


@pytest.mark.process
def test_two_processes_read_while_one_grows(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    with Store(str(path), create=True) as store:
        work = Growth(store, Reach(), LEVELS)
        rng = random.Random(3)
        carry_on(work, 20, rng)
        readers = [subprocess.Popen([sys.executable, "-c", READER, str(path)]) for _ in range(2)]
        searches = 20
        while any(reader.poll() is None for reader in readers) and searches < 2000:
            searches += len(carry_on(work, 1, rng))
        assert [reader.wait(timeout=120) for reader in readers] == [0, 0]
        assert faults(store) == [] and searches > 20


def test_a_position_before_a_pass_is_added_with_the_other_sign() -> None:
    graph = Graph()
    before = key("d3c3e6d2d1e1b2c1")
    task = SearchTask(key("d3c3e6d2d1e1b2c1pa"), 3, frozenset((1, 2)), new=True, passing=before)
    take_in(graph, Found(task, Scored(1, 7, 3, 73)))
    assert graph.nodes[before].entry.score == -7
