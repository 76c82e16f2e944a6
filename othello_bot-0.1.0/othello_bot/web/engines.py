"""What all tabs share: the engine for moves and values, others for reviews, threads for textbook players, bounds."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import InputError
from othello_bot.base.version import uncollected
from othello_bot.web.guard import Bounds
from othello_bot.web.round_robin import RoundRobin
from othello_bot.web.scheduler import Scheduler

if TYPE_CHECKING:
    from othello_bot.engine import Engine, Options
    from othello_bot.explorer import GameBase
    from othello_bot.web.messages import AskPlayed


GRACE_S: Final = 1.0
"""Seconds that the engines wait for a first message: made at once, they would take time from the page's files."""

SPARE_THREADS: Final = 8
"""Threads besides those of the tabs' textbook players: for modules, engines, and players that are just ending."""

REVIEWS: Final = 4
"""Most engines for reviews: three for those of whole games, which take turns, and one for moves that were just played."""

IDLE_S: Final = 60.0
"""Seconds without a review after which its engines are closed, to give back their tables."""

REVIEW_HASH_MIB: Final = 8
"""Largest table of the reviews, a move of which takes some seconds at most: larger ones make them hardly faster."""


class SharedEngines:
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
        self.round_robin = RoundRobin()
        """The order of the textbook players' threads."""
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
            return {"kind": "played", "base": False, "programs": False, "counts": {"games": 0}, "moves": [], "list": []}
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
    from othello_bot.explorer import GameBase  # imported here: most servers have no base

    return GameBase(path)


def _played(base: GameBase, ask: AskPlayed) -> dict[str, Any]:
    from othello_bot.web import played

    return played.played(base, ask)
