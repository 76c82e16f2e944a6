"""50,000 random messages and a thousand broken requests to the server: nothing leaks, and memory stays flat."""

from __future__ import annotations

import asyncio
import random
import threading

import psutil

from tests.web.conftest import run, served, until
from tests.web.hostile import assault, exceed, flood, is_well
from tests.web.test_hostile import FAST

ROUNDS = 5
MESSAGES = 10_000
REQUESTS = 200
GROWTH_MIB = 12
"""Memory that the last three rounds may take in all: a leak of a kilobyte a message would take 30 MiB."""

POOLS = ("asyncio_", "web_")
"""Names of threads of pools: they have a bound, and start when a machine happens to be late with the work."""


def test_fifty_thousand_random_messages_leave_nothing_behind() -> None:
    async def test() -> None:
        process = psutil.Process()
        used_mib: list[float] = []
        descriptors: list[int] = []
        threads: list[int] = []
        async with served(FAST) as server:
            for round_ in range(ROUNDS):
                rng = random.Random(round_)
                await asyncio.gather(flood(server, rng, MESSAGES), assault(server, rng, REQUESTS))
                await exceed(server)
                await until(lambda: not server.site.tabs and server.jobs == 0)
                assert await is_well(server)
                await until(lambda: server.site.connections == 0)
                used_mib.append(process.memory_info().rss / 2**20)
                descriptors.append(process.num_fds())
                threads.append(sum(not thread.name.startswith(POOLS) for thread in threading.enumerate()))
        print(f"memory {[round(one) for one in used_mib]} MiB, descriptors {descriptors}, threads {threads}")
        assert used_mib[-1] - used_mib[1] < GROWTH_MIB
        assert max(descriptors[1:]) <= descriptors[0] + 4
        assert max(threads[1:]) <= threads[1] + 2  # the first round starts them

    run(test)
