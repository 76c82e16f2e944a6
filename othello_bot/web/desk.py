"""What all tabs share: the engine for moves and values, another one for reviews, threads, bounds.

Python threads take turns: one thinks while the others wait, and each has its slice before any has a second. Without
turns, every thread that thinks in Python slows down all others, and the server, whose loop needs the same lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import InputError
from othello_bot.base.version import uncollected
from othello_bot.web.guard import Bounds
from othello_bot.web.scheduler import Scheduler

if TYPE_CHECKING:
    from othello_bot.engine import Engine, Options
    from othello_bot.explorer import GameBase
    from othello_bot.web.messages import AskPlayed


SLICE_S: Final = 0.05
"""Length of a turn in seconds."""

LOOK_S: Final = 0.05
"""Seconds between two checks whether a thread that waits is still wanted."""


class ThreadTurns:
    """The order of threads, of which the first is at work."""

    def __init__(self, slice_s: float = SLICE_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._slice_s = slice_s
        self._clock = clock
        self._changed = threading.Condition()
        self._order: deque[int] = deque()
        self._began_s = 0.0

    @property
    def lined_up(self) -> int:
        """The number of threads that work or wait."""
        return len(self._order)

    def begin(self, unwanted: Callable[[], bool]) -> None:
        """Line up, and return at this thread's turn, or once it is `unwanted`."""
        with self._changed:
            self._order.append(threading.get_ident())
            self._wait(unwanted)

    def pass_on(self, unwanted: Callable[[], bool]) -> None:
        """Line up again if this thread has used its turn and others wait; return at its next turn, or as `begin`."""
        if len(self._order) < 2 or self._clock() - self._began_s < self._slice_s:
            return
        with self._changed:
            self._leave()
            self._order.append(threading.get_ident())
            self._wait(unwanted)

    def end(self) -> None:
        """Let the next thread work."""
        with self._changed:
            self._leave()

    def _leave(self) -> None:
        if self._order[0] == threading.get_ident():
            self._began_s = self._clock()
        self._order.remove(threading.get_ident())
        self._changed.notify_all()

    def _wait(self, unwanted: Callable[[], bool]) -> None:
        """Wait for the turn."""
        while self._order[0] != threading.get_ident() and not unwanted():
            self._changed.wait(LOOK_S)
        if len(self._order) == 1:
            self._began_s = self._clock()


GRACE_S: Final = 1.0
"""Seconds that the engines wait for a first message: made at once, they would take time from the page's files."""

SPARE_THREADS: Final = 8
"""Threads besides those of the tabs' textbook players: for modules, engines, and players that are just ending."""

REVIEWS: Final = 4
"""Most engines for reviews: three for those of whole games, which take turns, and one for moves that were just played."""

IDLE_S: Final = 60.0
"""Seconds without a review after which its engines are closed, to give back their tables."""

REVIEW_HASH_MIB: Final = 64
"""Largest table of the reviews: enough for the endgame of one game."""


class Desk:
    """The engines with their schedulers. The page is served before their modules are imported: jobs wait for them.

    Each review has an engine of its own, with one thread: it begins with an empty table, which nobody else fills, so
    that a game always has the same review, and the table of moves and values stays full. Reviews take turns.
    """

    def __init__(self, options: Options | None, bounds: Bounds | None = None) -> None:
        """Take the engine's options, None for the usual ones."""
        self.bounds = bounds or Bounds()
        self.scheduler = Scheduler()
        self.reviews = Scheduler()
        self.threads = ThreadPoolExecutor(self.bounds.tabs + SPARE_THREADS, "web")
        """For textbook players, one a tab, and what is loaded; threads begin when they are needed."""
        self.turns = ThreadTurns()
        """The turns of the textbook players."""
        self._options = options
        self._engine: Engine | None = None
        self._base: GameBase | None = None
        self._asking = asyncio.Lock()
        self._wanted = asyncio.Event()
        self._opened = asyncio.Event()

    def begin(self) -> None:
        """Make the engines now, unless they are already made."""
        self._wanted.set()

    async def engine(self) -> Engine:
        """Return the engine for moves and values once it is ready."""
        self.begin()
        await self._opened.wait()
        assert self._engine is not None
        return self._engine

    async def played(self, ask: AskPlayed) -> dict[str, Any]:
        """Return what was played in a position, in the base of games; a base has one question at a time."""
        await self.engine()
        base = self._base
        if base is None:
            return {"kind": "played", "base": False, "counts": {"games": 0}, "moves": [], "list": []}
        async with self._asking:
            return await asyncio.get_running_loop().run_in_executor(self.threads, _played, base, ask)

    @property
    def jobs(self) -> int:
        """The number of jobs that run or wait."""
        return self.scheduler.jobs + self.reviews.jobs

    async def work(self) -> None:
        """Make the engines in a thread, after a grace period or `begin`, and carry out the jobs until cancelled.

        Raise InputError for options that the engine refuses, MemoryError if a table does not fit.
        """
        loop = asyncio.get_running_loop()
        with contextlib.ExitStack() as stack:
            stack.callback(self.threads.shutdown, wait=False, cancel_futures=True)
            wanted = asyncio.ensure_future(self._wanted.wait())
            stack.callback(wanted.cancel)
            # Not `wait_for`: before Python 3.12 it loses a cancellation that comes together with the message.
            await asyncio.wait({wanted}, timeout=GRACE_S)
            options = self._options
            if options is None:
                options = await loop.run_in_executor(self.threads, default_options)
            engine = await loop.run_in_executor(self.threads, _made, options)
            self._engine = stack.enter_context(engine)
            if options.base_file is not None:
                self._base = stack.enter_context(await loop.run_in_executor(self.threads, _opened, options.base_file))
            self._opened.set()
            working = asyncio.ensure_future(self.scheduler.run(engine))
            try:
                smaller = replace(options, hash=min(options.hash, REVIEW_HASH_MIB), threads=1, book_file=None)

                async def reviewer() -> Engine:
                    try:
                        return await loop.run_in_executor(self.threads, _made, smaller)
                    except MemoryError:
                        raise InputError("not enough memory for", "a review", "less in use by other programs") from None

                await asyncio.gather(working, self.reviews.run_own(reviewer, REVIEWS, IDLE_S))
            finally:
                working.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await working


def default_options() -> Options:
    """Return the options of the page's engine: all cores, and openings that vary a little."""
    with uncollected():
        from othello_bot.engine import FOR_PEOPLE, Options, available_cores

    return Options(threads=min(available_cores(), 256), variety=FOR_PEOPLE)


def _made(options: Options) -> Engine:
    from othello_bot.engine import Engine

    return Engine(options)


def _opened(path: str) -> GameBase:
    from othello_bot.web import played  # imported here: most servers have no base

    return played.opened(path)


def _played(base: GameBase, ask: AskPlayed) -> dict[str, Any]:
    from othello_bot.web import played

    return played.played(base, ask)
