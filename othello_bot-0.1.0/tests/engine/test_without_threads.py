"""An engine where no thread can be started, as in a browser: the caller's thread, or the event loop's, searches."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from othello_bot import AsyncEngine, Engine, Game, Limits, Options, Position
from othello_bot.base.clocks import ClockState
from othello_bot.base.notation import PASS
from othello_bot.engine import task
from othello_bot.engine.deepening import Search, whole
from othello_bot.engine.options import OptionError
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.task import EngineBusy, EngineClosed
from othello_bot.review import review_game

T = TypeVar("T")

OPTIONS = Options(hash=4, book=False)
GAME = Game.from_transcript("f5d6c3d3c4f4f6")
LONG = Limits(depth=40)
"""A search that does not end in any test."""


def endgame(empties: int) -> Position:
    """Return the position with so many empty squares of a game without plan."""
    position, number = Position.start(), 0
    while position.empties > empties:
        moves = position.legal_moves
        position = position.play(moves[number * 7 % len(moves)] if moves else PASS)
        number += 1
    return position


ENDGAME = endgame(18)


def refuse_to_start(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Python start no thread, as Pyodide's does not."""
    monkeypatch.setattr(threading.Thread, "start", refuse_to_start)
    monkeypatch.setattr(task, "HAS_THREADS", False)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a test in an event loop; a search that nothing stops ends it by an error, not the whole suite."""
    return asyncio.run(asyncio.wait_for(main, 300))


def expected(place: Position | Game, limits: Limits) -> tuple[object, int]:
    """Return the lines and nodes of the search itself, which needs no thread."""
    position = place.position if isinstance(place, Game) else place
    found = Search(OPTIONS.hash).answer(SearchRequest(position, limits))
    return found.lines, found.nodes


@pytest.mark.parametrize("place", [Position.start(), GAME, ENDGAME])
def test_a_search_has_the_same_result(place: Position | Game) -> None:
    seen: list[SearchResult] = []
    with Engine(OPTIONS) as engine:
        found = engine.search(place, Limits(depth=8), seen.append)
        assert not engine.searching
    assert (found.lines, found.nodes) == expected(place, Limits(depth=8))
    assert found.position == (place.position if isinstance(place, Game) else place)
    assert seen[-1].lines == found.lines


@pytest.mark.parametrize(
    "changed", [{}, {"strength": "club"}, {"strategy": "minimax"}, {"book": True}, {"level": 4}, {"variety": "much"}]
)
def test_every_player_chooses_a_move(changed: dict[str, Any]) -> None:
    with Engine(Options(**{"hash": 4, "book": False, "level": 6, **changed})) as engine:
        for _ in range(3):
            assert engine.choose(GAME).move in GAME.position.legal_moves
        assert engine.choose(GAME, clock=ClockState(0.2)).move in GAME.position.legal_moves


def test_games_are_analyzed_and_reviewed() -> None:
    with Engine(OPTIONS) as engine:
        assert len(engine.analyze(GAME, Limits(depth=4))) == 7
        assert len(review_game(engine, GAME, 4).moves) == 7
        assert sum(engine.policy(GAME, 1200).values()) == pytest.approx(1)
        assert isinstance(engine.evaluate(GAME), float)


def test_what_goes_on_in_the_background_is_refused_in_a_sentence() -> None:
    with Engine(OPTIONS) as engine:
        with pytest.raises(OptionError, match=r"go or ponder'.*this platform has no threads"):
            engine.go(GAME)
        with pytest.raises(OptionError, match="this platform has no threads"):
            engine.ponder(GAME.position, clock=ClockState(60))
        with pytest.raises(OptionError, match=r"option threads 2: expected 1, because no thread can be started here"):
            engine.set_option("threads", 2)
        assert engine.options.threads == 1 and not engine.searching and not engine.pondering
        assert engine.search(GAME, Limits(depth=2)).depth == 2
    with pytest.raises(OptionError, match="option threads 2: expected 1"):
        Engine(Options(threads=2))


def test_a_machine_that_has_run_out_of_threads_still_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "HAS_THREADS", True)
    with Engine(OPTIONS) as engine:
        with pytest.raises(OptionError, match="not enough memory for 'a search thread'"):
            engine.go(GAME)
        assert engine.search(GAME, Limits(depth=4)).depth == 4
        monkeypatch.undo()
        engine.go(GAME, Limits(depth=4))
        assert engine.wait().depth == 4


def test_a_report_stops_its_search_or_ends_it_by_an_error() -> None:
    with Engine(OPTIONS) as engine:
        found = engine.search(Position.start(), LONG, lambda result: engine.stop())
        assert found.stopped and found.depth == 1

        def interrupt(result: object) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            engine.search(Position.start(), LONG, interrupt)

        def search_again(result: object) -> None:
            engine.search(GAME, Limits(depth=1))

        with pytest.raises(EngineBusy):
            engine.search(Position.start(), LONG, search_again)
        assert engine.search(GAME, Limits(depth=2)).depth == 2
    with pytest.raises(EngineClosed):
        engine.search(GAME)


@pytest.mark.slow
def test_slices_find_the_same_scores_with_few_more_nodes() -> None:
    search, request = Search(16), SearchRequest(ENDGAME, Limits(depth=60))
    at_once = search.answer(request)
    search.clear()
    parts = search.slices(request, slice_s=0.002)
    pauses = [None]

    def counted() -> Any:
        while True:
            try:
                next(parts)
            except StopIteration as end:
                return end.value
            pauses.append(None)

    found = counted()
    assert found.exact and (found.score, found.depth) == (at_once.score, at_once.depth)
    assert len(pauses) > 1
    assert found.nodes < at_once.nodes + 20_000 * len(pauses)


def test_limits_of_nodes_and_time_hold_in_slices() -> None:
    search, start = Search(4), Position.start()
    for limits in (Limits(nodes=50_000), Limits(move_time_s=0.2)):
        found = whole(search.slices(SearchRequest(start, limits), slice_s=0.01))
        assert found.stopped and found.move in start.legal_moves
        assert found.nodes < 51_000 or limits.nodes is None
    # Slices belong to one search: the next one is whole again.
    assert search.answer(SearchRequest(start, Limits(depth=8))).depth == 8


def test_the_event_loop_goes_on_between_slices() -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            assert (await engine.search(GAME, Limits(depth=6))).lines == expected(GAME, Limits(depth=6))[0]
            async with engine.thoughts(Position.start(), LONG) as thoughts:
                for _ in range(3):
                    await asyncio.sleep(0)
                assert engine.engine.searching
                with pytest.raises(EngineBusy):
                    engine.engine.search(GAME)
                thoughts.stop()
                assert (await thoughts.result()).stopped
            assert not engine.engine.searching
            assert (await engine.choose(GAME)).move in GAME.position.legal_moves
            assert len(await engine.analyze(GAME, Limits(depth=4))) == 7

    run(main())


def test_a_player_for_asyncio_prepares_and_says_that_it_cannot_think_ahead() -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            await engine.prepare()
            with pytest.raises(OptionError, match="thread"):
                await engine.ponder(GAME.position, None, ClockState(60.0))
            await engine.stop_pondering()
            assert (await engine.choose(GAME)).move in GAME.position.legal_moves

    run(main())


def test_a_cancelled_task_stops_its_search_between_slices() -> None:
    async def main() -> None:
        async with AsyncEngine(OPTIONS) as engine:
            began_s = time.monotonic()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.search(Position.start(), LONG), 0.1)
            assert time.monotonic() - began_s < 60 and not engine.engine.searching
            async for thought in engine.thoughts(Position.start(), LONG):
                assert thought.best.depth > 0
                break
            assert (await engine.search(Position.start(), Limits(depth=2))).best.depth == 2

    run(main())


def test_a_loop_that_ends_during_a_search_leaves_the_engine_free() -> None:
    engine = AsyncEngine(OPTIONS)

    async def begin() -> None:
        await engine.__aenter__()
        await anext(engine.thoughts(Position.start(), LONG))

    run(begin())
    assert not engine.engine.searching
    assert engine.engine.search(GAME, Limits(depth=2)).depth == 2
    engine.engine.close()
