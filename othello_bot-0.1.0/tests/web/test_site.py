"""The server over real sockets: files, refused sites, moves, values, several tabs, hostile input."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import hashlib
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tornado.httpclient import HTTPClientError

from othello_bot.engine import Engine, Options
from othello_bot.review import review_game
from othello_bot.rules import Game
from othello_bot.web.command import needs_engine
from othello_bot.web.guard import Bounds
from othello_bot.web.page_files import LOGIN_FILES, STATIC, PageFiles
from tests.rules.strategies import random_game
from tests.web.conftest import ask, reply, run, served, until


def test_a_browser_keeps_the_files_of_an_edition_and_asks_for_the_page() -> None:
    async def test() -> None:
        async with served() as server:
            page = await server.get("/")
            assert page.headers["Cache-Control"] == "no-cache"
            named = re.findall(r'(?:href|src)="([^"#]+)"', page.body.decode())
            edition = server.site.files.edition
            assert len(named) > 10 and all(path.startswith(f"{edition}/") for path in named), "relative: below any path"
            for path in named:
                file = await server.get(f"/{path}")
                assert file.code == 200 and "immutable" in file.headers["Cache-Control"]
            old = await server.get(f"/{named[0]}".replace(edition, "0" * 24))
            assert old.code == 404
            assert (await reply(await server.connect()))["edition"] == server.site.files.edition

    run(test)


def test_the_edition_changes_with_any_file(tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    before = PageFiles(tmp_path / "static").edition
    assert PageFiles(tmp_path / "static").edition == before == PageFiles().edition
    (tmp_path / "static" / "rules.js").write_text("changed")
    assert PageFiles(tmp_path / "static").edition != before


def test_page_and_files() -> None:
    async def test() -> None:
        async with served() as server:
            page = await server.get("/")
            assert page.code == 200 and b"main.js" in page.body
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            script = await server.get("/main.js")
            assert script.headers["Content-Type"].startswith("text/javascript")
            again = await server.get("/main.js", headers={"If-None-Match": script.headers["Etag"]})
            assert again.code == 304
            icon = await server.get("/favicon.ico")  # beside a file that names none
            assert icon.headers["Content-Type"] == "image/svg+xml" and icon.body.startswith(b"<svg")

    run(test)


@pytest.mark.parametrize(
    "path",
    ["/types.d.ts", "/../site.py", "/%2e%2e/site.py", "/..%2fsite.py", "//etc/passwd", "/static/main.js", "/%00"],
)
def test_no_other_file_is_served(path: str) -> None:
    async def test() -> None:
        async with served() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {server.address}\r\nConnection: close\r\n\r\n".encode())
            assert (await reader.read()).startswith(b"HTTP/1.1 404")
            writer.close()

    run(test)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
    ],
)
def test_other_sites_are_refused(headers: dict[str, str]) -> None:
    async def test() -> None:
        async with served() as server:
            sent = {name: value.format(port=server.port) for name, value in headers.items()}
            assert (await server.get("/", headers=sent)).code == 403
            assert (await server.get("/games", method="POST", body="{}", headers=sent)).code == 403
            with pytest.raises(HTTPClientError, match="403"):
                await server.connect(**sent)
            assert (await server.get("/")).code == 200

    run(test)


def imports(module: str) -> set[str]:
    """Return the modules that a module of the page needs at once: its own imports, and theirs."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r'\bfrom "\./([a-z]+\.js)"', (STATIC / name).read_text())
    return found


def test_the_page_names_the_modules_that_it_begins_with_so_that_none_is_waited_for() -> None:
    page = (STATIC / "index.html").read_text()
    named = re.findall(r'(?:rel="modulepreload" href|type="module" src)="edition/([a-z]+\.js)"', page)
    assert sorted(named) == sorted({*imports("main.js"), "en.js"})  # the words of most visitors
    texts = "".join(path.read_text() for path in STATIC.glob("*.js"))
    later = re.findall(r'import\("\./([a-z]+\.js)"\)', texts)
    later += re.findall(r'(?:new URL|register)\("([a-z]+\.js)"', texts)
    opened = imports("main.js").union(*map(imports, later), imports("login.js"))
    assert opened == {path.name for path in STATIC.glob("*.js")}
    assert {*LOGIN_FILES} == {*imports("login.js"), "en.js", "ja.js", "icon.svg"}
    styles = set(re.findall(r'rel="stylesheet" href="edition/([a-z]+\.css)"', page))
    assert styles == {path.name for path in STATIC.glob("*.css")}


def test_the_page_holds_its_style_sheets_and_may_apply_no_other_style() -> None:
    async def test() -> None:
        async with served() as server:
            page = await server.get("/")
            styles = re.findall(rb"<style>(.*?)</style>", page.body, re.DOTALL)
            assert styles == [(STATIC / name).read_bytes() for name in ("page.css", "board.css", "review.css")]
            hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(style).digest()).decode()}'" for style in styles]
            assert f"style-src {' '.join(hashes)};" in page.headers["Content-Security-Policy"]
            assert b'rel="stylesheet"' not in page.body
            refused = await server.get("/nothing")
            assert "style-src 'none'" in refused.headers["Content-Security-Policy"]

    run(test)


STARTED = """
import sys
from othello_bot.cli import main
def bound(event, values):
    if event == "socket.bind":
        loaded = [name for name in ("asyncio", "tornado", "othello_bot.engine") if name in sys.modules]
        sys.stdout.write(f"{loaded}\\n")
sys.addaudithook(bound)
sys.exit(main(["web", "--no-browser", "--listen", "127.0.0.1", "--port", sys.argv[1]]))
"""


@pytest.mark.process
def test_the_command_listens_before_it_imports_anything_large() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run([sys.executable, "-c", STARTED, port], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, "[]\n")


@pytest.mark.process
def test_the_site_is_imported_without_the_engine() -> None:
    program = (
        "import sys, othello_bot.web.site;"
        "print([name for name in ('othello_bot.engine', 'othello_bot.rules') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], False),
        (["--port", "0", "--no-browser", "--listen=::1"], False),
        (["--help"], True),
        (["--hash", "64"], True),
        (["--port=1", "--threads=2"], True),
    ],
)
def test_the_engine_is_needed_for_its_options_and_for_help(words: list[str], expected: bool) -> None:
    assert needs_engine(words) is expected


def test_reviews_are_those_of_the_command_whatever_the_engine_did_before() -> None:
    async def test() -> None:
        async with served() as server:
            tab, other = await server.tab(), await server.tab()
            moves = "f5d6c3d3c4f4f6g5"
            with Engine(Options(hash=1, book=False)) as engine:
                expected = review_game(engine, Game.from_transcript(moves), 6)
            for _ in range(2):
                await ask(other, do="review", moves="f5f6e6d6", level=6)
                replies = await ask(tab, do="review", moves=moves, level=6)
                found = {one["ply"]: (one["score"], one["loss"]) for one in replies[:-1]}
                assert found == {move.ply: (move.score, move.loss) for move in expected.moves}

    run(test)


def test_a_game_against_the_engine_and_a_textbook_player() -> None:
    async def test() -> None:
        async with served() as server:
            tab = await server.tab()
            game = Game()
            players = ({"strength": 2}, {"strategy": "weighted"})
            while not game.is_over:
                player = players[int(game.position.color)]
                [answer] = await ask(tab, do="move", moves=game.transcript(passes=True), seed=3, **player)
                game.play(answer["move"])
            assert game.is_over

    run(test)


def test_judged_moves_opening_and_texts() -> None:
    async def test() -> None:
        async with served() as server:
            tab = await server.tab()
            replies = await ask(tab, do="review", moves="f5d6c7", level=6)
            assert {one["ply"]: one["loss"] > 5 for one in replies[:-1]}[3]
            assert [(one["done"], one["total"]) for one in replies[:-1]] == [(1, 3), (2, 3), (3, 3)]
            assert replies[-1]["kind"] == "reviewed"
            assert replies[-1]["players"]["white"]["opening"]["moves"] == 1
            assert replies[-1]["players"]["black"]["rating_error"] > 50
            assert [one["played_by"] is None for one in replies[-1]["people"].values()] == [True, False, False]
            [last, end] = await ask(tab, do="review", moves="f5d6c7", level=6, first_ply=2)
            assert last["ply"] == 3 and end["kind"] == "reviewed"
            [opening] = await ask(tab, do="opening", moves="f5d6c3")
            assert opening["name"] == "Perpendicular" and opening["moves"]
            [people] = await ask(tab, do="people", moves="f5d6c3", rating=1800)
            assert people["rating"] == 1800 and people["moves"][0]["move"] == "d3"
            assert sum(one["probability"] for one in people["moves"]) == pytest.approx(1, abs=0.01)
            [text] = await ask(tab, do="text", moves="f5d6", format="ggf", black="me", loser="black", ending="time")
            assert "PB[me]" in text["text"] and "B[F5" in text["text"].upper()

    run(test)


@pytest.mark.parametrize("plies", [3, 60])
def test_a_review_tells_of_every_move_the_last_one_judged_included(plies: int) -> None:
    async def test() -> None:
        async with served() as server:
            game = random_game(3, plies)
            replies = await ask(await server.tab(), do="review", moves=game.transcript(passes=True), level=1)
            assert sorted(one["ply"] for one in replies[:-1]) == list(range(1, game.ply + 1))
            assert [one["done"] for one in replies[:-1]] == list(range(1, game.ply + 1))

    run(test)


def test_an_analysis_does_not_delay_a_move_and_goes_on_after_it() -> None:
    async def test() -> None:
        async with served() as server:
            thinking, playing = await server.tab(), await server.tab()
            await thinking.write_message(json.dumps({"id": 1, "do": "values", "level": 60, "infinite": True}))
            await reply(thinking)
            [move] = await ask(playing, do="move", moves="f5", strength=18)
            assert move["kind"] == "move"
            assert server.jobs == 1

    run(test)


@pytest.mark.slow
def test_two_analyses_take_turns() -> None:
    async def test() -> None:
        async with served() as server:
            tabs = [await server.tab(), await server.tab()]
            for tab, moves in zip(tabs, ("f5d6", "f5f6"), strict=True):
                message = {"id": 1, "do": "values", "level": 60, "infinite": True, "moves": moves}
                await tab.write_message(json.dumps(message))
            for tab in tabs:
                while (await reply(tab))["lines"][0]["depth"] < 8:
                    pass

    run(test)


def test_a_closed_tab_and_a_withdrawn_question_end_their_search() -> None:
    async def test() -> None:
        async with served() as server:
            tab = await server.tab()
            endless = {"id": 5, "do": "values", "level": 60, "infinite": True}
            await tab.write_message(json.dumps(endless))
            await reply(tab)
            await tab.write_message(json.dumps({"id": 5, "do": "stop"}))
            await until(lambda: server.jobs == 0)
            await tab.write_message(json.dumps(endless))
            await until(lambda: server.jobs == 1)
            tab.close()
            await until(lambda: server.jobs == 0 and not server.site.tabs)

    run(test)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no json", "JSON"),
        ("[1]", "JSON object"),
        ('{"id": 1, "do": "fly"}', "one of move"),
        ('{"id": -1, "do": "opening"}', "whole number"),
        ('{"id": 1, "do": "opening", "moves": "a1"}', "d3 c4 f5 e6"),
        ('{"id": 1, "do": "opening", "start": "XO"}', "64 cells"),
        ('{"id": 1, "do": "people", "rating": "strong"}', "whole number from 1 to 9999"),
        ('{"id": 1, "do": "move", "strength": 999}', "whole number from 1"),
        ('{"id": 1, "do": "move", "strategy": "nobody"}', "random"),
        ('{"id": 1, "do": "move", "clock": {"left_s": NaN}}', "seconds"),
        ('{"id": 1, "do": "values", "level": true}', "whole number"),
        ('{"id": 1, "do": "text", "format": "doc"}', "ggf"),
        ('{"id": 1, "do": "text", "format": "json", "loser": "black", "ending": "boredom"}', "resignation, time"),
        ("[" * 60000, "JSON"),
        ('{"id": 1, "do": "values", "level": ' + "[" * 900 + "]" * 900 + "}", "'an array': expected a whole number"),
        ('{"id": 1, "do": ' + '{"a":' * 900 + "1" + "}" * 901, "'an object': expected a text"),
    ],
)
def test_invalid_messages_are_answered(message: str, expected: str) -> None:
    async def test() -> None:
        async with served() as server:
            tab = await server.tab()
            await tab.write_message(message)
            answer = await reply(tab)
            assert answer["kind"] == "error" and expected in answer["text"]
            [opening] = await ask(tab, do="opening", moves="f5")
            assert opening["kind"] == "opening"

    run(test)


@pytest.mark.process
def test_uploads() -> None:
    async def upload(server, *files: tuple[str, bytes]):  # type: ignore[no-untyped-def]
        parts = [{"name": name, "base64": base64.b64encode(content).decode()} for name, content in files]
        origin = {"Origin": f"http://{server.address}"}
        answer = await server.get("/games", method="POST", body=json.dumps({"files": parts}), headers=origin)
        return json.loads(answer.body)

    async def test() -> None:
        async with served() as server:
            [game] = (await upload(server, ("a.txt", b"F5 d6 C3")))["games"]
            assert game["moves"] == "f5d6c3"
            two = await upload(server, ("b.txt", b"f5d6\nf5f6e6\n"))
            assert [one["moves"] for one in two["games"]] == ["f5d6", "f5f6e6"]
            assert "illegal" in (await upload(server, ("c.txt", b"f5a1")))["text"]
            drawn = b"........\n........\n........\n...OX...\n...XO...\n........\n........\n........\nO\n"
            [game] = (await upload(server, ("pasted.txt", drawn)))["games"]
            assert (game["start"][-1], game["moves"]) == ("O", "")
            [game] = (await upload(server, ("e.txt", gzip.compress("f5d6".encode("utf-16")))))["games"]
            assert game["moves"] == "f5d6"
            assert (await upload(server, ("d.wtb", b"short")))["kind"] == "error"
            assert (await upload(server))["kind"] == "error"

    run(test)


def test_oversized_and_half_open_connections() -> None:
    async def test() -> None:
        bounds = Bounds(idle_s=0.2, upload_bytes=1 << 16, connections=8, tabs=2)
        async with served(bounds) as server:
            tab = await server.tab()
            await tab.write_message("x" * (bounds.message_bytes + 1))
            assert await tab.read_message() is None
            origin = {"Origin": f"http://{server.address}"}
            large = await server.get("/games", method="POST", body="x" * (1 << 17), headers=origin)
            assert large.code != 200
            half = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(12)]
            for reader, writer in half:
                with contextlib.suppress(OSError):
                    writer.write(b"GET / HTTP/1.1\r\nHost:")
                with contextlib.suppress(OSError):
                    await reader.read()  # ends once the server gives up
                writer.close()
            assert (await server.get("/")).code == 200
            tabs = [await server.tab(), await server.tab()]
            with pytest.raises(HTTPClientError, match="503"):
                await server.connect()
            assert len(tabs) == len(server.site.tabs)

    run(test)


def test_a_taken_port_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    from othello_bot.cli import main

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["web", "--no-browser", "--port", str(port)]) == 1
    assert f"port {port}" in capsys.readouterr().err
