"""The page's engine in a web worker of the browser, where Python runs without a server (Pyodide); see static/worker.js.

It is the server's: one tab with its engines, without threads and without sockets.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.version import __version__
from othello_bot.engine import FOR_PEOPLE, Options, step
from othello_bot.engine.async_engine import PAUSE_S
from othello_bot.web import messages
from othello_bot.web.connection import Connection
from othello_bot.web.engines import SharedEngines
from othello_bot.web.round_robin import RoundRobin
from othello_bot.web.upload import reply_to

HASH_MIB: Final = 16
"""The transposition table of each engine in MiB: browsers on telephones end pages that take several hundred."""


class OneThread(RoundRobin):
    """The turn of a textbook player in the loop's own thread, where no other can be started.

    It lets the page's messages in after each slice, so that a stop arrives, in browsers that can suspend Python: there
    Pyodide's `sleep` lets the loop go on. Elsewhere the player thinks on to its end.
    """

    def begin(self, unwanted: Callable[[], bool]) -> None:
        """Begin the turn."""
        self._began_s = self._clock()

    def pass_on(self, unwanted: Callable[[], bool]) -> None:
        """Let the loop go on if the slice is over."""
        if self._clock() - self._began_s >= self._slice_s:
            time.sleep(PAUSE_S)
            self._began_s = self._clock()

    def end(self) -> None:
        """End the turn."""


class Worker:
    """The one tab; `post` hands a text to the page. Make it in a running event loop."""

    def __init__(self, post: Callable[[str], None], edition: str) -> None:
        async def send(text: str) -> None:
            post(text)

        self._engines = SharedEngines(Options(hash=HASH_MIB, variety=FOR_PEOPLE))
        self._engines.round_robin = OneThread()
        self._engines.begin()
        self._working = asyncio.ensure_future(self._engines.work())
        self._connection = Connection(self._engines, send, lambda reason: None)
        self._held: dict[int, str] | None = {}
        """The questions by their ids that wait for what the engine needs for people's moves; None once it is there."""
        post(json.dumps({"kind": "hello", "version": __version__, "edition": edition}))

    def receive(self, text: str) -> None:
        """Begin the work for a message of the page, now or once all is there that it needs."""
        if self._held is not None:
            try:
                ask = messages.parse(text)
            except InputError:
                ask = None  # the connection answers it
            if ask is not None and _needs_people(ask):
                self._held[ask.id] = text
                return
            if isinstance(ask, messages.Stop):
                self._held.pop(ask.id, None)
        self._connection.receive(text)

    async def complete(self) -> None:
        """Take notice that what the engine needs for people's moves is there; return once the engine is made.

        Raise MemoryError if its tables do not fit.
        """
        held, self._held = self._held or {}, None
        for text in held.values():
            self._connection.receive(text)
        made = asyncio.ensure_future(self._engines.engine())
        await asyncio.wait({made, self._working}, return_when=asyncio.FIRST_COMPLETED)
        if self._working.done():
            made.cancel()
            self._working.result()

    def games(self, body: str) -> str:
        """Return the reply to an upload."""
        return json.dumps(reply_to(body.encode()))

    async def close(self) -> None:
        """End all work."""
        self._connection.close()
        self._working.cancel()
        await asyncio.wait({self._working})


def _needs_people(ask: messages.Question | messages.Stop) -> bool:
    """Return whether a message asks for moves of people, or how likely they are."""
    if isinstance(ask, messages.AskMove):
        return not ask.strategy and step(ask.strength).person is not None
    return isinstance(ask, (messages.AskReview, messages.AskPeople))
