"""Hostile clients of the server: random, oversized, half-open and foreign messages, over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket

from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClientConnection

from tests.web.conftest import RunningSite, ask

TABS = 4


def random_message(rng: random.Random) -> str | bytes:
    """Return anything from noise to an almost valid message."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return "".join(rng.choices('{}[]":,0123456789 \\udoeinull', k=rng.randrange(120)))
    values: list[object] = [1, -1, 2**70, 0.5, None, True, "", "f5d6", "f5f5", [], {}, "x" * 900, {"left_s": 1e999}]
    names = ["id", "do", "start", "moves", "level", "infinite", "strength", "strategy", "seed", "clock", "format"]
    message = {name: rng.choice(values) for name in rng.sample(names, rng.randrange(len(names)))}
    if kind == 3:
        message |= {
            "id": 7,
            "do": rng.choice(["opening", "people", "text", "stop", "review", "values", "move"]),
            "level": 1,
        }
    return json.dumps(message)


def random_request(rng: random.Random, address: str) -> bytes:
    """Return a request of HTTP: broken, foreign, oversized, or never ended."""
    kind = rng.randrange(5)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 400))
    path = rng.choice(["/", "/main.js", "/games", "/tab", "/../../etc/passwd", "/" + "x" * 9000])
    method = rng.choice(["GET", "POST", "PUT", "DELETE", "HEAD", "x"])
    host = rng.choice([address, "evil.example", "", address + "\r\nHost: evil.example"])
    origin = rng.choice([f"http://{address}", "http://evil.example", "null"])
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n"
    if kind == 1:
        return head.encode()  # half open: the blank line never comes
    if kind == 2:
        return f"{head}Content-Length: {rng.choice([5, 10**12, -1])}\r\n\r\nabc".encode()
    if kind == 3:
        return f"{head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    body = json.dumps({"files": rng.choice([[], None, [{"name": "a", "base64": "?"}], "x" * 100])})
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


async def flood(server: RunningSite, rng: random.Random, messages: int) -> None:
    """Send random messages on several tabs at once, and read the replies; then close the tabs."""
    await asyncio.gather(*(_flood_tab(server, random.Random(rng.random()), messages // TABS) for _ in range(TABS)))


async def _flood_tab(server: RunningSite, rng: random.Random, messages: int) -> None:
    tab = await server.tab()
    reading = asyncio.ensure_future(_read_all(tab))
    for number in range(messages):
        message = random_message(rng)
        await tab.write_message(message, binary=isinstance(message, bytes))
        if number % 50 == 0:
            await asyncio.sleep(0)
    tab.close()
    reading.cancel()


async def _read_all(tab: WebSocketClientConnection) -> None:
    while await tab.read_message() is not None:
        pass


async def assault(server: RunningSite, rng: random.Random, requests: int) -> None:
    """Send random requests, each on a connection of its own that is left by the client or by the server."""
    for _ in range(requests):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        with contextlib.suppress(OSError):
            writer.write(random_request(rng, server.address))
            await writer.drain()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(reader.read(2000), 0.02)
        writer.close()


async def exceed(server: RunningSite) -> None:
    """Send one message, and one upload, that are longer than the bounds; connect from another site."""
    tab = await server.tab()
    await tab.write_message("x" * (server.site.bounds.message_bytes + 1))
    assert await tab.read_message() is None
    with contextlib.suppress(HTTPClientError, OSError):
        await server.connect(Origin="http://evil.example")
        raise AssertionError("another site was let in")
    with socket.create_connection(("127.0.0.1", server.port)) as half_open:
        half_open.sendall(b"GET / HTTP/1.1\r\nHost:")


async def is_well(server: RunningSite) -> bool:
    """Return whether the server still answers on a new tab and over HTTP."""
    tab = await server.tab()
    [opening] = await ask(tab, do="opening", moves="f5")
    tab.close()
    return opening["kind"] == "opening" and (await server.get("/")).code == 200
