"""AsyncEngine: the same results, an event loop that goes on, cancellation that stops the search, turns."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from othello_bot import AsyncEngine, Engine, Game, Limits, Options, Position
from othello_bot.base.errors import InputError
from othello_bot.engine.request import SearchRequest, Steps
from othello_bot.engine.task import EngineClosed

T = TypeVar("T")

OPTIONS = Options(hash=4, book=False)
LONG = Limits(depth=40)
"""A search that does not end in any test."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a test in an event loop; a search that nothing stops ends it by an error, not the whole suite."""
    return asyncio.run(asyncio.wait_for(main, 300))


def test_the_results_of_the_engine() -> None:
    game = Game.from_transcript("f5d6c3")

    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            found = await engine.search(game, Limits(depth=6))
            with Engine(OPTIONS) as same:
                expected = same.search(game, Limits(depth=6))
            assert (found.lines, found.nodes) == (expected.lines, expected.nodes)

    run(main())


def test_thoughts_grow_deeper_and_end_with_the_result() -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            thoughts = engine.thoughts(Position.start(), Limits(depth=8))
            seen = [thought async for thought in thoughts]
            depths = [thought.best.depth for thought in seen]
            assert depths == sorted(depths) and depths[-1] == 8 and len(seen) > 3
            assert seen[-1] == await thoughts.result()
            assert [thought async for thought in thoughts] == []

    run(main())


def test_the_loop_goes_on_while_the_engine_thinks() -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            async with engine.thoughts(Position.start(), LONG) as thoughts:
                for _ in range(1000):
                    await asyncio.sleep(0)
                assert engine.engine.searching
                thoughts.stop()
                assert (await thoughts.result()).stopped
            assert not engine.engine.searching

    run(main())


def test_leaving_the_loop_stops_the_search() -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            async for thought in engine.thoughts(Position.start(), LONG):
                assert thought.best.depth > 0
                break
            gc.collect()
            assert (await engine.search(Position.start(), Limits(depth=2))).best.depth == 2
            async with engine.thoughts(Position.start(), LONG) as thoughts:
                await anext(thoughts)
            assert not engine.engine.searching

    run(main())


@pytest.mark.parametrize("work", ["search", "analyze", "thoughts"])
def test_a_cancelled_task_stops_its_search(work: str) -> None:
    async def thinking(engine: AsyncEngine) -> None:
        if work == "search":
            await engine.search(Position.start(), LONG)
        elif work == "analyze":
            await engine.analyze(Game.from_transcript("f5d6c3d3c4f4"), LONG)
        else:
            async for _ in engine.thoughts(Position.start(), LONG):
                pass

    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            task = asyncio.create_task(thinking(engine))
            while not engine.engine.searching:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not engine.engine.searching
            assert (await engine.search(Position.start(), Limits(depth=2))).best.depth == 2

    run(main())


def test_tasks_take_turns() -> None:
    async def main() -> None:
        positions = [Game.from_transcript(moves).position for moves in ("f5", "f5d6", "f5f6", "f5f4")]
        async with AsyncEngine(OPTIONS) as engine:
            results = await asyncio.gather(*(engine.search(position, Limits(depth=3)) for position in positions))
        legal = [position.legal_moves for position in positions]
        assert all(result.move in moves for result, moves in zip(results, legal, strict=True))

    run(main())


def test_the_analysis_of_a_game() -> None:
    game = Game.from_transcript("f5d6c3d3c4f4")

    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            judged = await engine.analyze(game, Limits(depth=4))
        with Engine(OPTIONS) as same:
            assert [str(move) for move in judged] == [str(move) for move in same.analyze(game, Limits(depth=4))]

    run(main())


def test_a_refused_search_leaves_the_engine_free() -> None:
    async def main() -> None:
        engine = AsyncEngine(OPTIONS)
        with pytest.raises(EngineClosed, match="use async with"):
            await engine.search(Position.start())
        async with engine:
            with pytest.raises(InputError):
                await engine.search("f5")  # type: ignore[arg-type]
            assert (await engine.search(Position.start(), Limits(depth=1))).best.depth == 1
        with pytest.raises(EngineClosed):
            await engine.search(Position.start())
        await engine.close()

    run(main())


def no_room(*given: object) -> None:
    raise MemoryError("no room")


def test_an_error_of_the_search_is_raised_where_it_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            monkeypatch.setattr(engine.engine._search, "slices", no_room)
            with pytest.raises(MemoryError, match="no room"):
                await engine.search(Position.start(), Limits(depth=1))
            with pytest.raises(MemoryError, match="no room"):
                [thought async for thought in engine.thoughts(Position.start(), Limits(depth=1))]

    run(main())


def test_steps_receive_the_error_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def careful() -> Steps[str]:
        for _ in range(2):
            try:
                yield SearchRequest(Position.start(), Limits(depth=1))
            except MemoryError as error:
                return f"went on without it: {error}"
        return "found"

    def careless() -> Steps[int]:
        return (yield SearchRequest(Position.start(), Limits(depth=1))).move

    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            assert await engine.carry_out(careful()) == "found"
            with monkeypatch.context() as patched:
                patched.setattr(engine.engine._search, "slices", no_room)
                assert await engine.carry_out(careful()) == "went on without it: no room"
                with pytest.raises(MemoryError, match="no room"):
                    await engine.carry_out(careless())
            assert await engine.carry_out(careless()) in Position.start().legal_moves

    run(main())


def test_steps_of_a_cancelled_task_can_clean_up() -> None:
    ended: list[str] = []

    def steps() -> Steps[int]:
        try:
            return (yield SearchRequest(Position.start(), LONG)).move
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            task = asyncio.create_task(engine.carry_out(steps()))
            while not engine.engine.searching:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert ended == ["cancelled"]
            assert not engine.engine.searching

    run(main())
