"""AsyncEngine: the engine for asyncio. Searches run in the engine's own thread, so the event loop is never blocked.

Where no thread can be started, they run in the event loop's, in slices of at most 50 ms, and the loop goes on between.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
import weakref
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from othello_bot.base.forks import mend_after_forks
from othello_bot.base.posix import can_start_threads
from othello_bot.engine.deepening import Slices
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import Options
from othello_bot.engine.request import SearchRequest, Steps, advance
from othello_bot.engine.task import EngineClosed
from othello_bot.rules import Game, Position, position_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from othello_bot.base.clocks import ClockState
    from othello_bot.engine.player import Choice
    from othello_bot.engine.request import SearchResult

T = TypeVar("T")

SLICE_S: Final = 0.05
"""The slices in seconds of a search in the event loop's thread."""

PAUSE_S: Final = 0.004
"""The pauses between them. Without a timer, Pyodide's callbacks leave messages that stand before those of a page."""


class AsyncEngine:
    """An Othello engine for asyncio. Use it with `async with`, which makes and closes it in a thread.

    It runs one search at a time; those of other tasks wait their turn. A cancelled task stops its search and waits for
    its end, so that the engine is free again. Use it in one event loop only; a forked process may use its copy in a new
    one.
    """

    def __init__(self, options: Options | None = None) -> None:
        self._options = options
        self._engine: Engine | None = None
        self.after_fork()
        mend_after_forks(self)

    def after_fork(self) -> None:
        """Give the engine's turn to whoever asks first: those who held it or waited for it are in the parent."""
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Make the engine. Raise OptionError or MemoryError as `Engine` does."""
        if self._engine is None:
            self._engine = await _aside(Engine, self._options)
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End a running search and the engine. Closing twice is harmless."""
        if self._engine is not None:
            await _aside(self._engine.close)

    def __reduce__(self) -> NoReturn:
        """Raise TypeError: the copy would share the engine."""
        raise TypeError("an AsyncEngine cannot be copied: make another one with the same options")

    @property
    def engine(self) -> Engine:
        """The engine itself, for calls that do not search. Raises EngineClosed before `async with`."""
        if self._engine is None:
            raise EngineClosed("the engine was not started: use async with")
        return self._engine

    async def search(self, position: Position | Game, limits: Limits | None = None) -> SearchResult:
        """Search a position, or the current position of a game, and return the result."""
        async with self.thoughts(position, limits) as thoughts:
            return await thoughts.result()

    def thoughts(self, position: Position | Game, limits: Limits | None = None) -> Thoughts:
        """Return the results of a search as they come; requesting the first one starts it. See `Thoughts`."""
        given = self.engine.default_limits() if limits is None else limits
        return Thoughts(self.engine, self._turn, SearchRequest(position_of(position), given))

    async def choose(self, position: Position | Game, clock: ClockState | None = None) -> Choice:
        """Return the move that a session with these options plays, as `Engine.choose` does.

        The clock also runs while this call waits for another task's search.
        """
        place = position.copy() if isinstance(position, Game) else position  # the caller may go on with the game
        steps = self.engine.player.choose(place, self.engine.default_limits(clock))
        return await self._carry_out(steps, self.engine.prepare, time.monotonic())

    async def prepare(self) -> None:
        """Load now what the next move would otherwise load while its clock runs."""
        async with self._turn:
            await _aside(self.engine.prepare)

    async def ponder(self, position: Position, expected: int | None = None, clock: ClockState | None = None) -> None:
        """Begin to think ahead, while the opponent is to move in `position`, as `Engine.ponder` does."""
        async with self._turn:
            await _aside(self.engine.ponder, position, expected, clock)

    async def stop_pondering(self) -> None:
        """Stop thinking ahead."""
        async with self._turn:
            await _aside(self.engine.stop_pondering)

    async def carry_out(self, steps: Steps[T]) -> T:
        """Return the result of steps that need searches, such as those of an analysis; see `request.py`.

        Earlier searches are forgotten first, and no search of another task comes in between.
        """
        return await self._carry_out(steps, self.engine.clear)

    async def _carry_out(
        self,
        steps: Steps[T],
        first: Callable[[], None],
        asked_at_s: float | None = None,
    ) -> T:
        engine = self.engine
        async with self._turn:
            await _aside(first)
            step = advance(steps, None)
            while isinstance(step, SearchRequest):
                try:
                    async with Thoughts(engine, None, replace(step, asked_at_s=asked_at_s)) as thoughts:
                        outcome: SearchResult | BaseException = await thoughts.result()
                except BaseException as error:  # noqa: BLE001 - raised by the steps, unless they handle it
                    outcome = error
                step = advance(steps, outcome)
            return step.value


async def _aside(function: Callable[..., T], *arguments: Any) -> T:
    """Return what a function returns, called in a thread where one can be started."""
    # Asked first: a thread pool that cannot start its thread keeps the call, for a thread that it may start later.
    if can_start_threads():
        return await asyncio.to_thread(function, *arguments)
    return function(*arguments)


class Thoughts:
    """One search: `async for` yields its results, each better than the one before, and `result` is the last one.

    Leave the loop to stop the search; inside `async with`, its end is awaited as well.
    """

    def __init__(
        self,
        engine: Engine,
        turn: asyncio.Lock | None,
        request: SearchRequest,
    ) -> None:
        self._engine = engine
        self._turn = turn
        self._request = request
        self._running: _RunningSearch | None = None

    def __aiter__(self) -> AsyncIterator[SearchResult]:
        return self

    async def __anext__(self) -> SearchResult:
        """Return the next result; the last one is the final result of the search."""
        running = await self._started()
        try:
            result = await running.next_result()
        except asyncio.CancelledError:
            await _stopped(self._engine, running.done)
            raise
        if result is None:
            raise StopAsyncIteration
        return result

    async def result(self) -> SearchResult:
        """Return the final result; raise the error that ended the search, if any."""
        running = await self._started()
        try:
            return await asyncio.shield(running.done)
        except asyncio.CancelledError:
            await _stopped(self._engine, running.done)
            raise

    def stop(self) -> None:
        """Stop the search; its final result is what it has found so far."""
        if self._running is not None:
            _stop(self._engine, self._running)

    async def __aenter__(self) -> Thoughts:
        await self._started()
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self._running is not None:
            await _stopped(self._engine, self._running.done)

    async def _started(self) -> _RunningSearch:
        """Return the search; start it when its turn has come."""
        if self._running is None:
            if self._turn is not None:
                await self._turn.acquire()
            running = _RunningSearch(self._turn)
            request = replace(self._request, on_report=running.tell)
            try:
                begin_beside(self._engine, request, partial(running.tell, final=True))
            except BaseException:
                if self._turn is not None:
                    self._turn.release()
                raise
            self._running = running
            # A loop that is left early drops this object, not the search.
            weakref.finalize(self, _stop, self._engine, running).atexit = False
        return self._running


class _RunningSearch:
    """What a search reports from the engine's thread, received in the event loop."""

    def __init__(self, turn: asyncio.Lock | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._turn = turn
        self._results: asyncio.Queue[SearchResult | None] = asyncio.Queue()
        self._last: SearchResult | None = None
        self._process = os.getpid()
        self.done: asyncio.Future[SearchResult] = self._loop.create_future()

    def tell(self, outcome: SearchResult | BaseException, *, final: bool = False) -> None:
        """Take a result, or the end of the search if it is `final`; called in the engine's thread."""
        # After the loop has been closed, nobody listens any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._receive, outcome, final)

    @property
    def is_going_on(self) -> bool:
        """Whether the search runs, and does so in this process."""
        return not self.done.done() and self._process == os.getpid()

    async def next_result(self) -> SearchResult | None:
        """Return the next result; None after the last one. Raise the error that ended the search."""
        result = await self._results.get()
        if result is None:
            self._results.put_nowait(None)
            if self.done.exception() is not None:
                await self.done
        return result

    def _receive(self, outcome: SearchResult | BaseException, final: bool) -> None:
        """Take a report of the engine's thread; called in the event loop."""
        if isinstance(outcome, BaseException):
            self.done.set_exception(outcome)
            # An error is raised only where the result is awaited.
            self.done.exception()
        else:
            if outcome != self._last:
                self._results.put_nowait(outcome)
            self._last = outcome
            if final:
                self.done.set_result(outcome)
        if final:
            self._results.put_nowait(None)
            if self._turn is not None:
                self._turn.release()


_beside: set[asyncio.Task[None]] = set()
"""The searches in event loops, which alone would not keep them."""


def begin_beside(
    engine: Engine, request: SearchRequest, on_done: Callable[[SearchResult | BaseException], None]
) -> None:
    """Start a search, in the engine's thread or, where none can be started, in slices of the running event loop.

    `on_done` is called in that thread. Raise what `Engine.begin` raises, except for the want of a thread.
    """
    if engine.has_thread():
        engine.begin(request, on_done)
        return
    searching = asyncio.ensure_future(_between_others(engine.slices(request, SLICE_S, on_done)))
    _beside.add(searching)
    searching.add_done_callback(_beside.discard)


async def _between_others(slices: Slices[None]) -> None:
    """Carry out a search; let the event loop go on between its slices."""
    with contextlib.closing(slices):
        for _ in slices:
            await asyncio.sleep(PAUSE_S)


def _stop(engine: Engine, running: _RunningSearch) -> None:
    """Stop a search if it is still running, but no later one."""
    if running.is_going_on:
        engine.stop()


async def _stopped(engine: Engine, done: asyncio.Future[SearchResult]) -> None:
    """Stop a search and wait for its end, even if the waiting task is cancelled; ignore the search's error."""
    while not done.done():
        engine.stop()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([done])
