"""Hostile clients: the server serves on, and keeps no connection, tab, job or thread of theirs."""

from __future__ import annotations

import asyncio
import random

import pytest

from othello_bot.web.guard import Bounds
from tests.web.conftest import run, served, until
from tests.web.hostile import assault, exceed, flood, is_well

FAST = Bounds(messages_per_s=1e6, burst=10**6, unsent=10**6, idle_s=2.0)
"""Bounds that let everything through at once; connections that say nothing end soon."""


@pytest.mark.slow
def test_random_messages_and_requests_leave_nothing_behind() -> None:
    async def test() -> None:
        async with served(FAST) as server:
            rng = random.Random(25)
            await asyncio.gather(flood(server, rng, 2000), assault(server, rng, 100))
            await exceed(server)
            await until(lambda: not server.site.tabs and server.jobs == 0)
            assert await is_well(server)
            await until(lambda: server.site.connections == 0)

    run(test)
