"""Two hundred synchro matches between two clients of ours at the fake GGS, with random cuts of both connections."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from tests.ggs.fake_server import FakeServer
from tests.ggs.playing import PlayingClient, offering, running, until
from tests.ggs.test_faults import require_all_saved_once

pytestmark = pytest.mark.real

MATCHES = 200


def test_no_game_is_lost_forfeited_or_saved_twice(tmp_path: Path) -> None:
    async def marathon() -> None:
        source = random.Random(11)

        async def cut_now_and_then() -> None:
            while True:
                await asyncio.sleep(source.uniform(0.02, 0.5))
                server.cut(source.choice(("ann", "ben")))

        async with FakeServer(pace=60.0) as server:
            ann = PlayingClient("ann", server, tmp_path, offering("s8r18", "ben", every_s=0.05))
            ben = PlayingClient("ben", server, tmp_path)
            async with running(ann, ben):
                cutting = asyncio.create_task(cut_now_and_then())
                await until(lambda: len(server.finished) >= MATCHES, 1200.0)
                cutting.cancel()
                await until(lambda: not server.matches and not server.stored)
                await until(lambda: not ann.ledger.interrupted and not ben.ledger.interrupted)
                await until(lambda: len(ann.saved()) == len(ben.saved()) == 2 * len(server.finished))
            connections = ann.runner.connections + ben.runner.connections
            print(f"{len(server.finished)} matches, {connections} connections, {len(server.refusals)} refused moves")
            assert connections > 20
            require_all_saved_once(server, ann, ben)

    asyncio.run(marathon())
