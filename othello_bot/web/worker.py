"""The page's engine in a web worker of the browser, where Python runs without a server (Pyodide); see static/worker.js.

It is the server's: one tab with its engines, without threads and without sockets.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Final

from othello_bot.base.version import __version__
from othello_bot.engine import FOR_PEOPLE, Options
from othello_bot.web.connection import Connection
from othello_bot.web.engines import SharedEngines
from othello_bot.web.upload import reply_to

HASH_MIB: Final = 16
"""The transposition table of each engine in MiB: browsers on telephones end pages that take several hundred."""


class Worker:
    """The one tab; `post` hands a text to the page. Make it in a running event loop."""

    def __init__(self, post: Callable[[str], None], edition: str) -> None:
        async def send(text: str) -> None:
            post(text)

        self._post = post
        self._engines = SharedEngines(Options(hash=HASH_MIB, variety=FOR_PEOPLE))
        self._engines.begin()
        self._working = asyncio.ensure_future(self._engines.work())
        self._connection = Connection(self._engines, send, lambda reason: None)
        post(json.dumps({"kind": "hello", "version": __version__, "edition": edition}))

    def receive(self, text: str) -> None:
        """Begin the work for a message of the page."""
        self._connection.receive(text)

    def games(self, body: str) -> str:
        """Return the reply to an upload."""
        return json.dumps(reply_to(body.encode()))

    async def close(self) -> None:
        """End all work."""
        self._connection.close()
        self._working.cancel()
        await asyncio.wait({self._working})
