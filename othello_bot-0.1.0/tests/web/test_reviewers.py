"""Engines for reviews are made when they are needed, and closed when nothing is reviewed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from othello_bot.base.errors import InputError
from othello_bot.engine import Engine, Limits, Options, SearchRequest, Steps
from othello_bot.rules import Position
from othello_bot.web.scheduler import PageJob, Scheduler, Urgency


def searching(engine: Engine) -> Steps[Engine]:
    """Return steps of one short search, which end in the engine that made it."""
    yield SearchRequest(Position.start(), Limits(depth=1))
    return engine


class Reviews:
    """A scheduler with engines of its own, and what became of them."""

    def __init__(self, refused: int = 0) -> None:
        self.scheduler = Scheduler()
        self.made: list[Engine] = []
        self._refused = refused

    async def make(self) -> Engine:
        if self._refused:
            self._refused -= 1
            raise InputError("memory", "none", "some")
        self.made.append(Engine(Options(hash=1)))
        return self.made[-1]

    @property
    def open(self) -> int:
        return sum(not engine._closed for engine in self.made)

    async def ask(self, count: int) -> list[Any]:
        """Return what `count` jobs end with, asked at once."""
        ended: list[asyncio.Future[Any]] = [asyncio.get_running_loop().create_future() for _ in range(count)]
        for future in ended:
            self.scheduler.add(PageJob(Urgency.THOUGHT, searching, future.set_result))
        return await asyncio.gather(*ended)


def run(reviews: Reviews, test: Callable[[], Any], idle_s: float = 600.0) -> None:
    async def whole() -> None:
        working = asyncio.ensure_future(reviews.scheduler.run_own(reviews.make, 3, idle_s))
        try:
            await test()
        finally:
            working.cancel()
            await asyncio.wait({working})

    asyncio.run(whole())
    assert reviews.open == 0


def test_no_engine_is_made_before_the_first_review_and_one_serves_reviews_that_follow_each_other() -> None:
    reviews = Reviews()

    async def test() -> None:
        await asyncio.sleep(0)
        assert not reviews.made
        first, second = (await reviews.ask(1))[0], (await reviews.ask(1))[0]
        assert first is second is reviews.made[0]

    run(reviews, test)
    assert len(reviews.made) == 1


def test_reviews_at_the_same_time_have_engines_of_their_own_up_to_the_last_which_is_for_moves() -> None:
    reviews = Reviews()

    async def test() -> None:
        assert len(set(map(id, await reviews.ask(5)))) <= 2

    run(reviews, test)
    assert 1 <= len(reviews.made) <= 2


def test_engines_are_closed_when_nothing_is_reviewed_and_made_again() -> None:
    reviews = Reviews()

    async def test() -> None:
        await reviews.ask(1)
        while reviews.open:
            await asyncio.sleep(0.001)
        await reviews.ask(1)
        assert len(reviews.made) == 2

    run(reviews, test, idle_s=0.001)


def test_a_review_whose_engine_does_not_fit_into_memory_is_told_and_the_next_is_made() -> None:
    reviews = Reviews(refused=1)

    async def test() -> None:
        refused, made = await reviews.ask(1), await reviews.ask(1)
        assert isinstance(refused[0], InputError) and isinstance(made[0], Engine)

    run(reviews, test)
