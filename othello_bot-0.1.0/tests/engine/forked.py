"""Forks of a process that has used the engine: `python -m tests.engine.forked FORKS`.

Each form says what the parent does at the moment of the fork. The parent of each is a fork itself, of a process that has
only imported the engine. Every child has to do its work and end; one that hangs is killed by an alarm, and the program
then ends with exit code 1.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from othello_bot import AsyncEngine, Engine, Game, Limits, Options, Position, SearchLost, batch
from othello_bot.base.clocks import ClockState
from othello_bot.book import BookHeld, Entry, key_of
from othello_bot.book.store import Store
from othello_bot.evaluation import shipped
from othello_bot.evaluation.weights import content, from_bytes
from othello_bot.formats.reading import read_games

LONGEST_S: Final = 60
"""Seconds after which a child counts as hanging."""

START: Final = Position.start()
DEPTH: Final = 6
OPENING: Final = "f5d6c3d3c4f4f6f3e6e7"


def forked(work: Callable[[], object], longest_s: int = LONGEST_S) -> None:
    """Do the work in a child process; raise ChildProcessError if it fails or hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(longest_s)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - no frame above belongs to the child
            traceback.print_exception(error)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        raise ChildProcessError(f"a child ended with {os.waitstatus_to_exitcode(status)}")


def searches(engine: Engine) -> None:
    """Search, and demand the whole depth."""
    assert engine.search(START, Limits(depth=DEPTH)).depth == DEPTH


@contextlib.contextmanager
def in_thread(work: Callable[[], object]) -> Iterator[None]:
    """Do the work again and again in a thread during the block."""
    ended, began = threading.Event(), threading.Event()

    def repeat() -> None:
        while not ended.is_set():
            work()
            began.set()

    thread = threading.Thread(target=repeat)
    thread.start()
    began.wait()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def after_a_search(forks: int, threads: int = 1) -> None:
    """Fork after a search; the parent searches in between, and each child forks in its turn."""

    def child() -> None:
        searches(engine)
        forked(lambda: searches(engine))
        engine.close()

    with Engine(Options(hash=4, threads=threads)) as engine:
        for _ in range(forks):
            searches(engine)
            forked(child)


def after_a_search_by_two(forks: int) -> None:
    """Do the same with two threads."""
    after_a_search(forks, threads=2)


def during_a_search(forks: int, threads: int = 1) -> None:
    """Fork while the engine searches, which the parent alone goes on with."""

    def lost() -> None:
        try:
            engine.wait()
        except SearchLost:
            assert not engine.searching
            searches(engine)
        else:
            raise AssertionError("the search is not lost")

    with Engine(Options(hash=4, threads=threads)) as engine:
        for _ in range(forks):
            began = threading.Event()
            engine.go(START, Limits(infinite=True), on_progress=lambda _, began=began: began.set())  # type: ignore[misc]
            began.wait()
            forked(lost)
            engine.stop()
            assert engine.wait().lines


def during_a_search_by_two(forks: int) -> None:
    """Do the same with two threads."""
    during_a_search(forks, threads=2)


def while_thinking_ahead(forks: int) -> None:
    """Fork while the engine thinks ahead."""
    clock = ClockState(5.0)

    def plays_on() -> None:
        reply = START.play("f5")
        assert engine.choose(reply, clock).move in reply.legal_moves
        engine.ponder(START, None, clock)
        searches(engine)

    with Engine(Options(hash=4, book=False)) as engine:
        for _ in range(forks):
            engine.ponder(START, None, clock)
            forked(plays_on)
            assert engine.pondering
            searches(engine)


def from_a_loop(forks: int) -> None:
    """Fork from a coroutine while another task has the engine's turn; the child has a loop of its own."""

    async def parent() -> None:
        async with AsyncEngine(Options(hash=4)) as engine:
            for _ in range(forks):
                async with engine.thoughts(START, Limits(infinite=True)) as thoughts:
                    await anext(thoughts)
                    loop = threading.Thread(target=lambda: forked(lambda: asyncio.run(child(engine))))
                    loop.start()
                    await asyncio.to_thread(loop.join)
                assert (await engine.search(START, Limits(depth=DEPTH))).depth == DEPTH

    async def child(engine: AsyncEngine) -> None:
        found = await asyncio.gather(*[engine.search(START, Limits(depth=DEPTH)) for _ in range(2)])
        assert [result.depth for result in found] == [DEPTH, DEPTH]

    asyncio.run(parent())


def _of_pool(number: int) -> int:
    signal.alarm(LONGEST_S)
    with contextlib.suppress(SearchLost):
        _pooled.wait()
    searches(_pooled)
    return number


_pooled: Engine


def in_pools(forks: int) -> None:
    """Use the pools of the library, whose workers are forked while the parent's engine searches."""
    global _pooled
    _pooled = Engine(Options(hash=4, threads=2))
    fork = multiprocessing.get_context("fork")
    for _ in range(forks):
        _pooled.go(START, Limits(infinite=True))
        with fork.Pool(2) as pool:
            assert pool.map(_of_pool, range(4)) == list(range(4))
        with concurrent.futures.ProcessPoolExecutor(2, fork) as executor:
            assert list(executor.map(_of_pool, range(4))) == list(range(4))
        _pooled.stop()
        _pooled.wait()
    _pooled.close()


def during_batches(forks: int) -> None:
    """Fork while threads evaluate and label positions."""
    mover, opponent = np.full(20_000, START.mover, np.uint64), np.full(20_000, START.opponent, np.uint64)

    def work() -> None:
        assert batch.evaluate(mover, opponent, threads=2)[0] == batch.evaluate(mover[:1], opponent[:1])[0]
        assert batch.label(mover[:3], opponent[:3], level=2).best[0] in START.legal_moves

    with in_thread(work):
        for _ in range(forks):
            forked(work)


def while_weights_are_expanded(forks: int) -> None:
    """Fork while a thread expands weights; the child has to see the same values."""
    game = Game.from_transcript(OPENING)
    places = [game.position_at(ply) for ply in range(game.ply)]
    expected = [shipped().evaluate(place.mover, place.opponent) for place in places]
    latest = [shipped()]

    def expand() -> None:
        latest[0] = from_bytes(content(), proven=True)
        for empties in range(64):
            latest[0].evaluate((1 << empties) - 1, 0)

    def evaluates() -> None:
        assert [latest[0].evaluate(place.mover, place.opponent) for place in places] == expected

    with in_thread(expand):
        for _ in range(forks):
            forked(evaluates)


def while_games_are_read(forks: int) -> None:
    """Fork while a thread reads games and asks for the policy."""

    def read() -> None:
        assert len(list(read_games(OPENING))) == 1
        with Engine(Options(hash=1)) as engine:
            assert engine.policy(START, alone=True)

    with in_thread(read):
        for _ in range(forks):
            forked(read)


def with_a_growing_book(forks: int) -> None:
    """Fork while the parent writes a book: the child reads what is committed, and may not write."""
    key = key_of(START.play("f5"))

    def child() -> None:
        assert store.find(key) is not None
        try:
            with store.transaction():
                pass
        except BookHeld:
            store.close()
        else:
            raise AssertionError("two writers")

    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder, "x.book")), create=True) as store:
        with store.transaction():
            store.put(key, Entry(0))
        for _ in range(forks):
            with store.writing("a test"):
                forked(child)
                with store.transaction():
                    store.put(key, Entry(0))


FORMS: Final = {
    form.__name__: form
    for form in (
        after_a_search,
        after_a_search_by_two,
        during_a_search,
        during_a_search_by_two,
        while_thinking_ahead,
        from_a_loop,
        in_pools,
        during_batches,
        while_weights_are_expanded,
        while_games_are_read,
        with_a_growing_book,
    )
}

if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)  # since Python 3.12: what is tried here may hang
    for name, form in FORMS.items():
        try:
            forked(partial(form, int(sys.argv[1])), 4 * LONGEST_S)
        except ChildProcessError as error:
            sys.exit(f"{name}: {error}")
