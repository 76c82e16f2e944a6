"""Tabs share fairly: slow textbook players and long reviews do not keep the others waiting."""

from __future__ import annotations

import itertools
import json
import threading

import pytest

from othello_bot.web.guard import Bounds
from othello_bot.web.round_robin import RoundRobin
from tests.rules.strategies import random_game
from tests.web.conftest import ask, run, served, until

pytestmark = pytest.mark.slow

THREADS = 5
POLLS = 60
SLICE_POLLS = 7


def never() -> bool:
    return False


def test_threads_take_turns_of_equal_length() -> None:
    """Time is counted in questions whether to stop: each thread has a slice before any has its next one."""
    ticks = itertools.count()
    turns = RoundRobin(SLICE_POLLS, clock=lambda: next(ticks))
    worked: list[int] = []

    def work(number: int) -> None:
        turns.begin(never)
        while turns.lined_up < THREADS and not worked:
            pass  # the first waits until all have come
        for _ in range(POLLS):
            worked.append(number)
            turns.pass_on(never)
        turns.end()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    slices = [(number, len(list(run_))) for number, run_ in itertools.groupby(worked)]
    rounds = len(slices) // THREADS
    assert rounds >= POLLS // (SLICE_POLLS + 1) and len(worked) == THREADS * POLLS
    for begin in range(0, (rounds - 1) * THREADS, THREADS):
        assert len({number for number, _ in slices[begin : begin + THREADS]}) == THREADS
    assert max(length for _, length in slices[: (rounds - 1) * THREADS]) <= SLICE_POLLS + 1


def test_a_thread_that_is_not_wanted_any_more_does_not_wait_for_its_turn() -> None:
    turns = RoundRobin()
    turns.begin(never)
    ended = threading.Event()

    def work() -> None:
        turns.begin(lambda: True)
        turns.end()
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended.is_set() and turns.lined_up == 1
    turns.end()
    assert turns.lined_up == 0


def test_slow_textbook_players_do_not_keep_another_tab_waiting() -> None:
    async def test() -> None:
        async with served(Bounds(move_s=1000.0)) as server:
            slow = [await server.tab() for _ in range(6)]
            for tab in slow:
                await tab.write_message(json.dumps({"id": 1, "do": "move", "strategy": "iago:10", "moves": "f5"}))
            await until(lambda: server.site.engines.round_robin.lined_up == len(slow))
            quick = await server.tab()
            [move] = await ask(quick, do="move", strategy="iago:1", moves="f5")
            assert move["kind"] == "move"
            assert server.site.engines.round_robin.lined_up == len(slow)
            for tab in slow:
                tab.close()
            await until(lambda: server.site.engines.round_robin.lined_up == 0)

    run(test)


def test_long_reviews_do_not_keep_others_waiting() -> None:
    game = random_game(3, plies=20).transcript()

    async def test() -> None:
        async with served() as server:
            long = [await server.tab() for _ in range(2)]
            for tab in long:
                await tab.write_message(json.dumps({"id": 1, "do": "review", "moves": game, "level": 60}))
            await until(lambda: server.site.engines.reviews.jobs == len(long))
            quick = await server.tab()
            assert (await ask(quick, do="review", moves=game, level=1))[-1]["kind"] == "reviewed"
            # With all engines for whole games in use, a move that was just played is still judged.
            third = await server.tab()
            await third.write_message(json.dumps({"id": 1, "do": "review", "moves": game, "level": 60}))
            await until(lambda: server.site.engines.reviews.jobs == len(long) + 1)
            last = await ask(quick, do="review", moves=game, level=1, first_ply=18)
            assert last[-1]["kind"] == "reviewed"
            assert server.site.engines.reviews.jobs == len(long) + 1
            for tab in (*long, third):
                tab.close()
            await until(lambda: server.jobs == 0)

    run(test)
