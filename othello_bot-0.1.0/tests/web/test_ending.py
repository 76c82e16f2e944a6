"""The end of the server while a thread of it still works: nothing is logged."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from othello_bot.web import site
from tests.web.conftest import PATIENCE_S, served, until


def test_the_server_ends_silently_while_the_first_message_of_a_tab_waits_for_the_engine(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    entered, free = threading.Event(), threading.Event()
    tab_class = site._connection_class

    def held() -> type:
        entered.set()
        assert free.wait(PATIENCE_S)
        return tab_class()

    async def test() -> None:
        async with served() as server:
            tab = await server.tab()
            await tab.write_message(json.dumps({"id": 1, "do": "opening", "moves": ""}))
            await until(entered.is_set)

    monkeypatch.setattr(site, "_connection_class", held)
    asyncio.run(test())  # as by the command: what still waits is cancelled at the end
    free.set()
    assert not caplog.records
