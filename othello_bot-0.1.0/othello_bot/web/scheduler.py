"""One engine for all tabs: moves come first, everything else takes turns.

A job is a generator that yields search requests, as in `othello_bot.engine.request`. A move interrupts any other job
at once. Jobs of one urgency take turns in slices; an interrupted search starts again at its next turn, and finds its
work in the transposition table. All methods are for the thread of the event loop; only the engine's worker searches.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import InputError

if TYPE_CHECKING:  # the page is served before the engine is imported
    from othello_bot.engine import Engine, SearchRequest, SearchResult, Steps

SLICE_S: Final = 0.25
"""Length in seconds of a first slice; it doubles each time a search does not end within it."""

LONGEST_SLICE_S: Final = 2.0


class Urgency(IntEnum):
    """The order of jobs: a waiting MOVE ends a running THOUGHT."""

    MOVE = 0
    THOUGHT = 1


class PageJob:
    """A task for an engine: `begin` makes its steps at the first turn, while the engine is idle.

    `on_end` receives what the steps return, or the error that ended them.
    """

    def __init__(
        self,
        urgency: Urgency,
        begin: Callable[[Engine], Steps[Any]],
        on_end: Callable[[Any], None],
    ) -> None:
        self.urgency = urgency
        self.begin = begin
        self.steps: Steps[Any] | None = None
        self.on_end = on_end
        self.asked_at_s = time.monotonic()
        self.request: SearchRequest | None = None
        self.cancelled = False
        self.engine: Engine | None = None
        """The engine that works for it, from its first turn on."""
        self.turns = 0
        self.slice_s = SLICE_S

    def advance(self, engine: Engine, outcome: SearchResult | BaseException | None) -> bool:
        """Hand a result to the steps and take their next request; return False if they have ended."""
        from othello_bot.engine import (  # imported here: the page is served before the engine is imported
            Finished,
            advance,
        )

        try:
            if self.steps is None:
                self.steps = self.begin(engine)
            step = advance(self.steps, outcome)
            if not isinstance(step, Finished):
                self.request = step
                return True
            result = step.value
        except Exception as error:  # noqa: BLE001 - handed on to the tab, which tells it or raises it
            result = error
        self.request = None
        self.on_end(result)
        return False

    def close(self) -> None:
        """End the steps."""
        if self.steps is not None:
            self.steps.close()


class Scheduler:
    """The jobs of all tabs, carried out one at a time while `run` is running.

    All jobs share the engine of `run`. With `run_own`, each job has an engine of its own from its first turn to its
    end, so that no other fills its table; the last free one is kept for a move.
    """

    def __init__(self) -> None:
        self._shared: Engine | None = None
        self._make: Callable[[], Awaitable[Engine]] | None = None
        self._made: list[Engine] = []
        self._free: list[Engine] = []
        self._unmade = 0
        self._waiting: list[PageJob] = []
        self._running: PageJob | None = None
        self._changed = asyncio.Event()

    def add(self, job: PageJob) -> None:
        """Add a job; it begins once it is its turn."""
        self._waiting.append(job)
        self._changed.set()

    def cancel(self, job: PageJob) -> None:
        """End a job without a result; `on_end` is not called. A running search is stopped at once."""
        job.cancelled = True
        if job is self._running and job.engine is not None:
            job.engine.stop()
        elif job in self._waiting:
            self._waiting.remove(job)
            self._end(job)

    @property
    def jobs(self) -> int:
        """The number of jobs that run or wait."""
        return len(self._waiting) + (self._running is not None)

    async def run(self, engine: Engine) -> None:
        """Carry out the jobs with one engine until cancelled."""
        self._shared = engine
        try:
            await self._run(None)
        finally:
            engine.stop()

    async def run_own(self, make: Callable[[], Awaitable[Engine]], most: int, idle_s: float) -> None:
        """Carry out the jobs until cancelled, with up to `most` engines, made when they are needed.

        Free engines are closed when nothing was asked for `idle_s` seconds: each holds a table. A job ends with the
        InputError that making its engine raises.
        """
        self._make, self._unmade = make, most
        try:
            await self._run(idle_s)
        finally:
            for engine in self._made:
                engine.stop()
                engine.close()

    async def _run(self, idle_s: float | None) -> None:
        while True:
            while not self._ready():
                self._changed.clear()
                changed = asyncio.ensure_future(self._changed.wait())
                try:
                    done, _ = await asyncio.wait({changed}, timeout=idle_s)
                finally:
                    changed.cancel()
                if not done:
                    self._close_free()
            job = min(self._ready(), key=lambda one: (one.urgency, one.turns > 0))
            self._waiting.remove(job)
            self._running = job
            try:
                if job.engine is None:
                    job.engine = self._shared or await self._engine_of_its_own()
                if not job.cancelled:
                    await self._turn(job.engine, job)
            except InputError as error:
                job.on_end(error)
            self._running = None
            if job.cancelled or job.request is None:
                self._end(job)
            else:
                self._waiting.append(job)

    async def _engine_of_its_own(self) -> Engine:
        """Return a free engine, or a new one; raise what making it raises."""
        if self._free:
            return self._free.pop()
        assert self._make is not None, "`run_own` is running"
        engine = await self._make()
        self._unmade -= 1
        self._made.append(engine)
        return engine

    def _close_free(self) -> None:
        """Close the engines that no job uses."""
        for engine in self._free:
            self._made.remove(engine)
            engine.close()
        self._unmade += len(self._free)
        self._free.clear()

    def _ready(self) -> list[PageJob]:
        """Return the waiting jobs that have an engine, or can have one."""
        if self._shared is not None:
            return self._waiting
        left = len(self._free) + self._unmade
        return [
            job for job in self._waiting if job.engine is not None or left > (0 if job.urgency is Urgency.MOVE else 1)
        ]

    def _end(self, job: PageJob) -> None:
        """End a job's steps, and give back its engine."""
        job.close()
        if self._shared is None and job.engine is not None:
            self._free.append(job.engine)
        job.engine = None

    async def _turn(self, engine: Engine, job: PageJob) -> None:
        """Give a job its turn: searches until it ends, is interrupted or has used its slice."""
        began_s = time.monotonic()
        outcome: SearchResult | BaseException | None = None
        job.turns += 1
        if job.request is None and not job.advance(engine, None):
            return
        while not job.cancelled and not self._must_yield(job, began_s):
            outcome = await self._search(engine, job, began_s)
            if job.cancelled:
                return
            if outcome is None:
                job.slice_s = min(2 * job.slice_s, LONGEST_SLICE_S)
                return
            job.slice_s = SLICE_S
            if not job.advance(engine, outcome):
                return

    async def _search(self, engine: Engine, job: PageJob, began_s: float) -> SearchResult | BaseException | None:
        """Return the result of the job's request, None if it was interrupted."""
        from othello_bot.engine import async_engine  # imported here: the page is served before the engine is imported

        loop = asyncio.get_running_loop()
        done: asyncio.Future[SearchResult | BaseException] = loop.create_future()
        request = job.request
        assert request is not None

        def ended(outcome: SearchResult | BaseException) -> None:
            loop.call_soon_threadsafe(done.set_result, outcome)

        if job.urgency is Urgency.MOVE:
            request = replace(request, asked_at_s=job.asked_at_s)
        async_engine.begin_beside(engine, request, ended)
        if job.cancelled:
            engine.stop()
        interrupted = False
        while not done.done():
            self._changed.clear()
            if not interrupted and request.chooser is None and self._must_yield(job, began_s):
                interrupted = True
                engine.stop()
            changed = asyncio.ensure_future(self._changed.wait())
            both: set[asyncio.Future[Any]] = {done, changed}
            pause_s = None if interrupted else SLICE_S / 2
            try:
                await asyncio.wait(both, timeout=pause_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                changed.cancel()
        outcome = done.result()
        cut_short = not isinstance(outcome, BaseException) and outcome.ended == "stop"
        return None if interrupted and cut_short else outcome

    def _must_yield(self, job: PageJob, began_s: float) -> bool:
        """Return whether another job should run now."""
        used_up = time.monotonic() - began_s >= job.slice_s
        return any(
            other.urgency < job.urgency
            or (other.urgency == job.urgency and (used_up or (job.turns > 1 and not other.turns)))
            for other in self._ready()
        )
