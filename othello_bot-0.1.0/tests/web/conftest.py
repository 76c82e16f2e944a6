"""A server in this process with a small engine, and a client of its WebSocket."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.netutil import bind_sockets
from tornado.websocket import WebSocketClientConnection, websocket_connect

from othello_bot.engine import Options
from othello_bot.web.guard import Bounds
from othello_bot.web.page_files import STATIC
from othello_bot.web.site import Site, serving

PATIENCE_S = 120


@dataclass
class RunningSite:
    """A running site."""

    site: Site
    port: int

    @property
    def jobs(self) -> int:
        return self.site.engines.jobs

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def get(self, path: str, **details: Any) -> HTTPResponse:
        request = HTTPRequest(f"http://{self.address}{path}", **details)
        return await AsyncHTTPClient(force_instance=True).fetch(request, raise_error=False)

    async def connect(self, **headers: str) -> WebSocketClientConnection:
        sent = {"Origin": f"http://{self.address}", **headers}
        return await websocket_connect(HTTPRequest(f"ws://{self.address}/tab", headers=sent))

    async def tab(self) -> WebSocketClientConnection:
        """Return a connection that has been greeted."""
        connection = await self.connect()
        assert (await reply(connection))["kind"] == "hello"
        return connection


@asynccontextmanager
async def served(bounds: Bounds | None = None, **given: Any) -> AsyncIterator[RunningSite]:
    async with serving(bind_sockets(0, "127.0.0.1"), Options(hash=1, threads=1), bounds, **given) as service:
        yield RunningSite(service.site, service.port)


async def reply(connection: WebSocketClientConnection) -> dict[str, Any]:
    text = await asyncio.wait_for(asyncio.ensure_future(connection.read_message()), PATIENCE_S)
    assert text is not None, "the server has closed the connection"
    value: dict[str, Any] = json.loads(text)
    return value


async def ask(connection: WebSocketClientConnection, **message: Any) -> list[dict[str, Any]]:
    """Return all replies to a message, the last one ends it."""
    await connection.write_message(json.dumps({"id": 1, **message}))
    replies = [await reply(connection)]
    while replies[-1]["kind"] == "judged" or replies[-1].get("done") is False:
        replies.append(await reply(connection))
    return replies


async def until(true: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(PATIENCE_S) if hasattr(asyncio, "timeout") else _forever():
        while not true():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def _forever() -> AsyncIterator[None]:
    yield


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


BROWSER = "data:text/javascript,globalThis.navigator||={languages:['en']}"
"""What the page takes from a browser and older versions of Node.js lack."""


def run_modules(folder: Path, script: str, given: Any) -> Any:
    """Return what a script prints, as JSON, that lies beside the modules of the page; it reads `given`, as JSON."""
    for path in STATIC.glob("*.js"):
        shutil.copy(path, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "script.mjs").write_text(script)
    command = ["node", "--import", BROWSER, str(folder / "script.mjs")]
    ended = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)
