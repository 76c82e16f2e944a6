"""Growing a book: search after search, the nearest first; each result is stored before it is counted.

A `Work` decides what to search and stores what is found; `search_all` lets several threads search for it. A result is
in the store, together with all scores that it changes above it, before it is reported; so growing can be stopped, or
killed, at any moment, and resumed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.book import Entry, Key, key_of
from othello_bot.book.store import Store
from othello_bot.book_growing.expansion import (
    Found,
    Frontier,
    Levels,
    Place,
    Reach,
    SearchTask,
    WalkStep,
    arrival,
    beyond_leaf,
    carry_out,
    remainder,
    take_in,
)
from othello_bot.book_growing.graph import Graph, GraphNode
from othello_bot.cluster import Workers
from othello_bot.engine import Search
from othello_bot.rules import Position, inverse_symmetry, transform_square

FEWEST_BEFORE_REVIEW: Final = 8
REVIEW_SHARE: Final = 200
"""The frontier is built anew after a number of searches: this part of the number of positions, but at least
FEWEST_BEFORE_REVIEW.
"""

START: Final = key_of(Position.start())

ROUND_PLIES: Final = 8
"""A book grows in rounds: leaves at distances up to the next multiple of this, then up to the one after it. Within a
round, neighbours follow each other.
"""

WAIT_S: Final = 0.2
"""Seconds between two checks by a waiting grower whether it should stop."""


@dataclass(frozen=True, slots=True)
class GrowthProgress:
    """How far a book has come: searches made and positions added so far, the positions of the book, its leaves within
    reach, and the entry of the start of the game.
    """

    searches: int
    added: int
    positions: int
    leaves: int
    start: Entry | None


class Walk:
    """The way of one searcher through the graph, so that what it searches next is beside what its table knows.

    From the nearest leaf, the walk goes depth first to the leaves after it and beside it that are nearer than `limit`.
    Of each position on the way it has the key, the place, and the image in which all boards of the walk follow from
    each other.
    """

    def __init__(self) -> None:
        self.way: list[tuple[Key, Place, int]] = []
        self.limit = 0.0

    def begin(self, step: WalkStep, limit: float) -> None:
        """Start from a position of the graph."""
        self.way = [(step.key, step.place, 0)]
        self.limit = limit


class Work:
    """Searches for a stored book: those of a list, in its order."""

    def __init__(self, store: Store, tasks: Callable[[Graph], Iterable[SearchTask]] = lambda graph: ()) -> None:
        self._store = store
        self.graph = Graph.of(store)
        self._tasks: Iterator[SearchTask] = iter(tasks(self.graph))
        self._under_way: set[Key] = set()
        self._searches = self._added = 0
        self.leaves = 0
        """Number of leaves within reach, if known."""
        self.graph.save(store)

    @property
    def progress(self) -> GrowthProgress:
        """How far the growth has come."""
        start = self.graph.nodes.get(START)
        entry = None if start is None else start.entry
        return GrowthProgress(self._searches, self._added, len(self.graph), self.leaves, entry)

    def next_task(self, walk: Walk | None = None) -> SearchTask | None:
        """Return the next search; None if nothing is left, or nothing before a search that is under way has ended.

        `walk`: that of the searcher, which may go on from its last search.
        """
        for task in self._tasks:
            if not self._is_known(task):
                return self._begun(task)
        return None

    def take(self, finding: Found) -> None:
        """Store what a search found; raise OSError if that is impossible."""
        before = len(self.graph)
        take_in(self.graph, finding)
        self.graph.save(self._store)
        self._under_way.discard(finding.task.key)
        self._searches += 1
        self._added += len(self.graph) - before

    def _is_known(self, task: SearchTask) -> bool:
        """Return whether a search is not needed any more, or is under way."""
        wanted = task.passing or task.key
        return task.key in self._under_way or (task.new and wanted in self.graph.nodes)

    def _begun(self, task: SearchTask) -> SearchTask:
        self._under_way.add(task.key)
        return task


class Growth(Work):
    """Searches that let a book grow: first the positions `wanted`, then best-first from the start of the game."""

    def __init__(self, store: Store, reach: Reach, levels: Levels, wanted: Iterable[Key] = ()) -> None:
        super().__init__(store, lambda graph: (arrival(key, levels) for key in (START, *wanted)))
        self._reach = reach
        self._levels = levels
        self._reviewed_at = 0
        self._review()

    def next_task(self, walk: Walk | None = None) -> SearchTask | None:
        """Return the next search of the positions wanted, or one beside the last of the walk, or else the nearest."""
        walk = Walk() if walk is None else walk
        task = super().next_task() or self._neighbour(walk)
        if task is not None:
            return task
        if self._searches - self._reviewed_at >= max(FEWEST_BEFORE_REVIEW, len(self.graph) // REVIEW_SHARE):
            self._review()
        task = self._nearest(walk)
        if task is None and self._searches > self._reviewed_at:
            self._review()
            task = self._nearest(walk)
        return task

    def _review(self) -> None:
        self._frontier = Frontier(self.graph, (START,), self._reach, self._levels)
        self.leaves = self._frontier.leaves
        self._reviewed_at = self._searches

    def _nearest(self, walk: Walk) -> SearchTask | None:
        """Return the nearest search of the frontier that is needed, and begin a walk there."""
        while (step := self._frontier.take()) is not None:
            if not self._is_known(step.task):
                walk.begin(step, ROUND_PLIES * (self._frontier.distance // ROUND_PLIES + 1))
                task = self._onward(walk) if step.task.new else self._begun(step.task)
                if task is not None:
                    return task
        return None

    def _neighbour(self, walk: Walk) -> SearchTask | None:
        """Return the next search of a walk: what the last position on its way lacks, or the position after its leaf.

        Return None, and clear the way, when everything near is done.
        """
        while walk.way:
            key, _, image = walk.way[-1]
            node = self.graph.nodes[key]
            task = self._lacking(node, image) if node.pending else self._onward(walk)
            if task is not None:
                return task
            walk.way.pop()
        return None

    def _lacking(self, node: GraphNode, image: int) -> SearchTask | None:
        """Return the search of a position's leaf, None if it is under way."""
        task = remainder(node, self._levels, image)
        return None if self._is_known(task) else self._begun(task)

    def _onward(self, walk: Walk) -> SearchTask | None:
        """Return the search of the position after the leaf of the walk's last one, if it is near and needed."""
        key, place, image = walk.way[-1]
        node = self.graph.nodes[key]
        there = beyond_leaf(node, place, self._reach)
        if there is None or there.distance >= walk.limit or node.entry.leaf is None:
            return None
        board = node.position.transform(image).play(transform_square(node.entry.leaf.move, image))
        if board.must_pass:
            board = board.play(PASS)
        task = arrival(node.choices[node.entry.leaf.move], self._levels)
        task = replace(task, image=inverse_symmetry(board.canonical()[1]))
        if self._is_known(task):
            return None
        walk.way.append((task.key, there, task.image))
        return self._begun(task)


def search_all(work: Work, searches: list[Search], finished: Callable[[GrowthProgress], bool]) -> GrowthProgress:
    """Search with one thread for each of `searches` until nothing is left or `finished`; return the progress.

    `finished` is called after each search and several times a second; when it returns true, running searches are
    stopped and forgotten. Raise OSError if the book cannot be written.
    """
    idle = [(search, Walk()) for search in searches]
    running: dict[Future[Found | None], tuple[Search, Walk]] = {}
    with ThreadPoolExecutor(len(searches)) as pool:
        try:
            while not finished(work.progress):
                while idle and (task := work.next_task(idle[-1][1])) is not None:
                    search, walk = idle.pop()
                    search.arm()
                    running[pool.submit(carry_out, task, search)] = search, walk
                if not running:
                    break
                done, _ = wait(running, WAIT_S, FIRST_COMPLETED)
                for future in done:
                    idle.append(running.pop(future))
                    finding = future.result()
                    if finding is not None:
                        work.take(finding)
        finally:
            for search, _ in running.values():
                search.stop()
    return work.progress


def search_elsewhere(
    work: Work, workers: Workers, hash_mib: int, finished: Callable[[GrowthProgress], bool]
) -> GrowthProgress:
    """Search as `search_all` does, by the workers of a pool or a cluster, each with a table of its own.

    Searches that run when `finished` returns true are waited for. Raise TaskError if tasks cannot be run.
    """

    def coming() -> Iterator[tuple[SearchTask, int]]:
        while not finished(work.progress) and (task := work.next_task()) is not None:
            yield task, hash_mib

    found = True
    while found:
        found = False
        for _, finding in workers.each(searched, coming()):
            found = True
            if finding is not None:
                work.take(finding)
    return work.progress


_OF_THREAD: Final = threading.local()
"""The search of each thread of a worker, kept from task to task."""


def searched(task: SearchTask, hash_mib: int) -> Found | None:
    """Return what the search of a task finds, with the table of this thread."""
    search = getattr(_OF_THREAD, "search", None)
    if not isinstance(search, Search) or search.hash_mib != hash_mib:
        search = _OF_THREAD.search = Search(hash_mib)
    search.arm()
    return carry_out(task, search)
