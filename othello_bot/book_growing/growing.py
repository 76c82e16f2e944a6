"""Growing a book: search after search, the nearest first; each result is stored before it is counted.

A `Work` decides what to search and stores what is found; `search_all` lets several threads search for it. A result is
in the store, together with all scores that it changes above it, before it is reported; so a book can be stopped, or
killed, at any moment, and goes on from there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

from othello_bot.book import Entry, Key, Store, key_of
from othello_bot.book_growing.expansion import Frontier, Levels, Reach, Task, arrival
from othello_bot.book_growing.findings import Finding, carry_out, take_in
from othello_bot.book_growing.graph import Graph
from othello_bot.cluster import Workers
from othello_bot.engine import Search
from othello_bot.rules import Position

FEWEST_BEFORE_REVIEW: Final = 8
REVIEW_SHARE: Final = 200
"""The frontier is built anew after a number of searches: this part of the number of positions, but at least
FEWEST_BEFORE_REVIEW.
"""

START: Final = key_of(Position.start())

WAIT_S: Final = 0.2
"""Seconds after which a waiting grower looks whether it is to stop."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a book has come: searches made and positions added so far, the positions of the book, its leaves within
    reach, and the entry of the start of the game.
    """

    searches: int
    added: int
    positions: int
    leaves: int
    start: Entry | None


class Work:
    """Searches for a stored book: those of a list, in its order."""

    def __init__(self, store: Store, tasks: Callable[[Graph], Iterable[Task]] = lambda graph: ()) -> None:
        self._store = store
        self.graph = Graph.of(store)
        self._tasks: Iterator[Task] = iter(tasks(self.graph))
        self._under_way: set[Key] = set()
        self._searches = self._added = 0
        self.leaves = 0
        """Leaves within reach, where that is known."""
        self.graph.save(store)

    @property
    def progress(self) -> Progress:
        """How far it is."""
        start = self.graph.nodes.get(START)
        entry = None if start is None else start.entry
        return Progress(self._searches, self._added, len(self.graph), self.leaves, entry)

    def next_task(self) -> Task | None:
        """Return the next search; None if nothing is left, or nothing before a search that is under way has ended."""
        for task in self._tasks:
            if not self._is_known(task):
                return self._begun(task)
        return None

    def take(self, finding: Finding) -> None:
        """Store what a search found; raise OSError if that is impossible."""
        before = len(self.graph)
        take_in(self.graph, finding)
        self.graph.save(self._store)
        self._under_way.discard(finding.task.key)
        self._searches += 1
        self._added += len(self.graph) - before

    def _is_known(self, task: Task) -> bool:
        """Return whether a search is not needed any more, or is under way."""
        wanted = task.passing or task.key
        return task.key in self._under_way or (task.new and wanted in self.graph.nodes)

    def _begun(self, task: Task) -> Task:
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

    def next_task(self) -> Task | None:
        """Return the next search of the positions wanted, or else the nearest."""
        task = super().next_task()
        if task is not None:
            return task
        if self._searches - self._reviewed_at >= max(FEWEST_BEFORE_REVIEW, len(self.graph) // REVIEW_SHARE):
            self._review()
        task = self._nearest()
        if task is None and self._searches > self._reviewed_at:
            self._review()
            task = self._nearest()
        return task

    def _review(self) -> None:
        self._frontier = Frontier(self.graph, (START,), self._reach, self._levels)
        self.leaves = self._frontier.leaves
        self._reviewed_at = self._searches

    def _nearest(self) -> Task | None:
        """Return the nearest search of the frontier that is needed."""
        while (task := self._frontier.take()) is not None:
            if not self._is_known(task):
                return self._begun(task)
        return None


def search_all(work: Work, searches: list[Search], finished: Callable[[Progress], bool]) -> Progress:
    """Search with one thread for each of `searches` until nothing is left or `finished`; return the progress.

    `finished` is called after each search and several times a second; when it returns true, running searches are
    stopped and forgotten. Raise OSError if the book cannot be written.
    """
    idle = list(searches)
    running: dict[Future[Finding | None], Search] = {}
    with ThreadPoolExecutor(len(searches)) as pool:
        try:
            while not finished(work.progress):
                while idle and (task := work.next_task()) is not None:
                    search = idle.pop()
                    search.arm()
                    running[pool.submit(carry_out, task, search)] = search
                if not running:
                    break
                done, _ = wait(running, WAIT_S, FIRST_COMPLETED)
                for future in done:
                    idle.append(running.pop(future))
                    finding = future.result()
                    if finding is not None:
                        work.take(finding)
        finally:
            for search in running.values():
                search.stop()
    return work.progress


def search_elsewhere(
    work: Work, workers: Workers, hash_mib: int, finished: Callable[[Progress], bool]
) -> Progress:
    """Search as `search_all` does, by the workers of a pool or a cluster, each with a table of its own.

    Searches that run when `finished` returns true are waited for. Raise TaskError if tasks cannot be run.
    """

    def coming() -> Iterator[tuple[Task, int]]:
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


def searched(task: Task, hash_mib: int) -> Finding | None:
    """Return what the search of a task finds, with the table of this thread."""
    search = getattr(_OF_THREAD, "search", None)
    if not isinstance(search, Search) or search.hash_mib != hash_mib:
        search = _OF_THREAD.search = Search(hash_mib)
    search.arm()
    return carry_out(task, search)
