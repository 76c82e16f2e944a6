"""Uploads are read in a process of their own, which holds up nobody and ends with the server."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import signal
import sys
from typing import Any

import psutil
import pytest

from othello_bot.web import upload
from othello_bot.web.guard import Bounds
from othello_bot.web.writing import listed
from tests.formats.samples import wthor_file
from tests.rules.strategies import random_game
from tests.web.conftest import RunningSite, ask, run, served, until

pytestmark = pytest.mark.process

ENDLESS = (sys.executable, "-c", "import time; time.sleep(1000)")
GAME = json.dumps({"files": [{"name": "a.txt", "base64": base64.b64encode(b"f5d6").decode()}]})


async def send(server: RunningSite, body: str = GAME) -> dict[str, object]:
    answer = await server.get("/games", method="POST", body=body, headers={"Origin": f"http://{server.address}"})
    reply: dict[str, object] = json.loads(answer.body)
    return reply


def readers() -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):  # it has just ended
            if "sleep(1000)" in " ".join(child.cmdline()):
                found.append(child)
    return found


def test_an_upload_that_takes_long_holds_up_nobody_and_ends_with_the_server(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(upload, "COMMAND", ENDLESS)

    async def test() -> None:
        async with served() as server:
            sent = [asyncio.ensure_future(send(server)) for _ in range(2)]
            await until(lambda: len(readers()) == 2)
            tab = await server.tab()
            [opening] = await ask(tab, do="opening", moves="f5")
            assert opening["kind"] == "opening" and not any(task.done() for task in sent)
            refused = await server.get(
                "/games", method="POST", body=GAME, headers={"Origin": f"http://{server.address}"}
            )
            assert refused.code == 503
        await until(lambda: not readers())
        for task in sent:
            task.cancel()

    run(test)
    assert not caplog.records


def test_the_largest_year_of_the_wthor_base_is_read_whole() -> None:
    base = wthor_file([random_game(1)] * 9113)
    files = [{"name": "WTH_2004.wtb", "base64": base64.b64encode(base).decode()}]
    reply = listed(json.dumps({"files": files}).encode())
    assert (len(reply["games"]), reply["more"]) == (9113, False)


def test_an_upload_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "COMMAND", ENDLESS)

    async def test() -> None:
        async with served(Bounds(upload_s=0.01)) as server:
            assert "takes more than 0.01 s" in str((await send(server))["text"])
            await until(lambda: not readers())

    run(test)


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_reader_that_is_given_up_has_ended_before_the_answer(
    cancelled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the server might end first, and what is left of the reader would complain of a closed loop."""
    monkeypatch.setattr(upload, "COMMAND", ENDLESS)
    start, started = asyncio.create_subprocess_exec, list[asyncio.subprocess.Process]()

    async def noted(*command: str, **pipes: Any) -> asyncio.subprocess.Process:
        started.append(await start(*command, **pipes))
        return started[-1]

    async def test() -> None:
        reading = asyncio.ensure_future(upload.games_of_upload(GAME.encode(), 1000.0 if cancelled else 0.01))
        if cancelled:
            await until(lambda: bool(started))
            reading.cancel()
        await asyncio.wait([reading])
        assert reading.cancelled() is cancelled
        assert [reader.returncode for reader in started] == [-signal.SIGKILL]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    asyncio.run(test())


def test_a_reader_that_breaks_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "COMMAND", (sys.executable, "-c", "import sys; sys.exit(3)"))

    async def test() -> None:
        async with served() as server:
            assert await send(server) == {"kind": "error", "code": "unread", "text": "the upload could not be read"}

    run(test)


@pytest.mark.parametrize("text", [b"", b" \n", b"# a comment", b"\xef\xbb\xbf"])
def test_an_upload_without_a_game_is_told(text: bytes) -> None:
    body = json.dumps({"files": [{"name": "a.txt", "base64": base64.b64encode(text).decode()}]})

    async def test() -> None:
        async with served() as server:
            reply = await send(server, body)
            assert (reply["code"], "there is no game in it" in str(reply["text"])) == ("empty", True)

    run(test)


def test_a_browser_that_leaves_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "COMMAND", ENDLESS)

    async def test() -> None:
        async with served() as server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = f"POST /games HTTP/1.1\r\nHost: {server.address}\r\nOrigin: http://{server.address}\r\n"
            writer.write(f"{head}Content-Length: {len(GAME)}\r\n\r\n{GAME}".encode())
            await until(lambda: len(readers()) == 1)
            writer.close()
            await until(lambda: not readers())

    run(test)


@pytest.mark.parametrize(
    ("path", "origin", "status"),
    [
        ("/games", "http://evil.example", 403),
        ("/games", "", 403),
        ("/", "http://evil.example", 403),
        ("/", "", 400),
        ("/tab", "http://evil.example", 400),
    ],
)
def test_the_body_of_a_refused_request_is_not_read(path: str, origin: str, status: int) -> None:
    """The answer comes although the body never does, and the connection is closed."""

    async def test() -> None:
        async with served() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = f"POST {path} HTTP/1.1\r\nHost: {server.address}\r\n"
            head += f"Origin: {origin}\r\n" if origin else ""
            writer.write(f"{head}Content-Length: 20000000\r\n\r\n".encode())
            answer = await reader.read()
            assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer
            writer.close()

    run(test)
