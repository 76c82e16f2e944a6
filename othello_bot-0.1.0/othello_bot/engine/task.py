"""The engine's worker thread, and one search on its way through it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from queue import SimpleQueue

from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.forks import mend_after_forks
from othello_bot.base.posix import HAS_THREADS
from othello_bot.engine.deepening import Search, Slices, TableTooLarge, whole
from othello_bot.engine.options import OptionError
from othello_bot.engine.ponder import FreeTime, Plan, PonderedResult
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.time_manager import TimeBudget


class EngineBusy(RuntimeError):
    """The engine is searching: stop it or wait for it first."""


class EngineClosed(RuntimeError):
    """The engine was closed and cannot search any more."""


class SearchLost(RuntimeError):
    """The search was running when this process was forked: it goes on in the parent process alone."""


class NoThreads(OptionError):
    """This platform has no threads, so that nothing goes on in the background; nothing has changed."""

    def __init__(self, asked: str) -> None:
        expected = "a call that waits (search, choose, analyze), or AsyncEngine: this platform has no threads"
        super().__init__("work in the background", asked, expected)


class NotEnoughMemory(OptionError):
    """There is no memory for a table of that size, for that many threads, or to search at all; nothing has changed."""

    @classmethod
    def of_table(cls, hash_mib: int, kept_mib: int, error: MemoryError) -> NotEnoughMemory:
        """Return the error for a table of `hash_mib` that does not fit; the table of `kept_mib` stays."""
        most = f"1 to {error.most_mib} MiB" if isinstance(error, TableTooLarge) else "less"
        return cls("not enough memory for option hash", hash_mib, f"{most}; the table of {kept_mib} MiB stays")


class Task:
    """A search in the worker thread."""

    def __init__(
        self,
        request: SearchRequest,
        budget: TimeBudget,
        on_done: Callable[[SearchResult | BaseException], None] | None,
    ) -> None:
        self.request = request
        self.budget = budget
        self.on_done = on_done
        self.stopped = False
        """Set when the task should end; a chooser polls it, the search is stopped separately."""
        self.outcome: SearchResult | BaseException | None = None
        """The result, or the error that ended the search; None until then."""
        self.finished = threading.Event()
        self.hit: PonderedResult | None = None
        """What thinking ahead found about the position, where the search goes on from it."""

    def resume(self, hit: PonderedResult | None, free_time: FreeTime) -> None:
        """Take over what thinking ahead found, None for nothing, with a budget that counts the free time.

        A complete result is the outcome, and costs nothing.
        """
        self.budget = free_time.spend(self.budget, hit)
        if hit is not None and hit.complete:
            self.outcome = replace(hit.result, nodes=0, time_s=0.0, position=self.request.position)
        else:
            self.hit = hit

    def carry_out(self, search: Search) -> None:
        """Set `outcome` and report it; runs in the worker thread."""
        whole(self.slices(search))

    def slices(self, search: Search, slice_s: float = 0.0) -> Slices[None]:
        """Do the same in slices of `slice_s` seconds, for a thread that has other work as well; see `Search.slices`.

        The first slice is empty.
        """
        try:
            yield
            if self.outcome is None:
                self.outcome = replace((yield from self._found(search, slice_s)), position=self.request.position)
        except GeneratorExit:
            self.lose(SearchLost("the search was given up"))
            raise
        except BaseException as error:  # noqa: BLE001 - a thread has nobody to raise to: who waits raises it
            self.outcome = error
        self.finished.set()
        if self.on_done is not None:
            self.on_done(self.outcome)

    def lose(self, error: SearchLost) -> None:
        """End without the worker thread, which is not in this process."""
        if self.outcome is None:
            self.outcome = error
        self.finished = threading.Event()  # the other one's lock may be held for ever
        self.finished.set()

    def _found(self, search: Search, slice_s: float) -> Slices[SearchResult]:
        if self.request.chooser is not None:
            return chosen(self.request, self.budget, lambda: self.stopped)
        resumption = None if self.hit is None else self.hit.resumption()
        result = yield from search.slices(self.request, self.budget, resumption, slice_s)
        return result if self.hit is None else self.hit.at_least(result)


class Worker:
    """The thread that carries out tasks and plans, one after the other; a child process has to start its own."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._waiting: SimpleQueue[Task | Plan | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._last: Task | Plan | None = None
        self._process = os.getpid()
        mend_after_forks(self)

    def after_fork(self) -> None:
        """Give up the parent's thread, and what it was carrying out."""
        self._waiting, self._thread = SimpleQueue(), None
        last, parent, self._process = self._last, self._process, os.getpid()
        if last is not None:
            last.lose(
                SearchLost(f"the search goes on in process {parent}, from which this one was forked: start another")
            )

    def start(self) -> None:
        """Start the thread if it does not run yet; raise NoThreads or NotEnoughMemory if the system gives none."""
        if self._thread is not None:
            return
        # A daemon, so that a caller who forgot `close` still gets his prompt back. Keep it only once it has started: a
        # thread that a signal interrupted before cannot be joined.
        thread = threading.Thread(target=self._work, name="search worker", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            if not HAS_THREADS:
                raise NoThreads("go or ponder") from None
            raise NotEnoughMemory("not enough memory for", "a search thread", "less in use by other programs") from None
        self._thread = thread

    def starts(self) -> bool:
        """Start the thread if it does not run yet; return whether it runs."""
        try:
            self.start()
        except OptionError:
            return False
        return True

    def hand_over(self, work: Task | Plan) -> None:
        """Add a task or a plan, once the last one has ended; the thread must be running."""
        self._last = work
        self._waiting.put(work)

    def close(self) -> None:
        """End the thread after what was handed over, and wait for it."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        while (work := self._waiting.get()) is not None:
            work.carry_out(self._search)


def chosen(request: SearchRequest, budget: TimeBudget, is_stopped: Callable[[], bool]) -> SearchResult:
    """Return a result that has only the move of a request's chooser, which ends once stopped or its time is up."""
    assert request.chooser is not None
    began_s = time.monotonic()
    asked_at_s = began_s if request.asked_at_s is None else request.asked_at_s

    def should_stop() -> bool:
        return is_stopped() or time.monotonic() - asked_at_s >= budget.maximum_s

    move = request.chooser(request.position, should_stop)
    line = EvaluatedMove(move=move, score=0, pv=(move,), depth=0, selectivity=100, exact=False, bound=Bound.LOWER)
    return SearchResult((line,), nodes=0, time_s=time.monotonic() - began_s, stopped=should_stop())
