"""Serving the page for a while: the site, the work of its engines, and the end of both."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from othello_bot.web.desk import Desk
from othello_bot.web.guard import Bounds, Guard
from othello_bot.web.site import Site

if TYPE_CHECKING:
    from othello_bot.engine import Options


class Service(NamedTuple):
    """A site that is being served, its port, and the work of its engines: only an error ends that before the site."""

    site: Site
    port: int
    working: asyncio.Future[None]


@asynccontextmanager
async def serving(
    sockets: list[socket.socket],
    options: Options | None,
    bounds: Bounds | None = None,
    *,
    names: Iterable[str] = (),
    public: bool = False,
) -> AsyncIterator[Service]:
    """Serve the page on listening sockets of one port, with the engine's options (None: the usual ones).

    `names` and `public` are those of `Guard`. Browsers are served before the engines are ready. At the end all tabs are
    closed and their work is stopped; the error that ended the work is raised: InputError for options that the engine
    refuses, MemoryError if a table does not fit.
    """
    port = sockets[0].getsockname()[1]
    desk = Desk(options, bounds)
    site = Site(desk, Guard(port, names, public=public))
    site.listen(sockets)
    working = asyncio.ensure_future(desk.work())
    try:
        yield Service(site, port, working)
    finally:
        await site.close()
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working
