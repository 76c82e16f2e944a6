"""docs/examples: each program does what its head says, on this machine and without a network."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import re
import shlex
import socket
import subprocess
import sys
import threading
import time
import types
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from othello_bot import Color, Game, Position, move_name
from tests.launcher.checkout import REPOSITORY

EXAMPLES = REPOSITORY / "docs" / "examples"
PATIENCE_S = 60


def example(name: str) -> ModuleType:
    """Import a program of the folder."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Channel:
    """A channel of the fake gateway: what is written there."""

    def __init__(self, number: int) -> None:
        self.id = number
        self.said: list[str] = []

    async def send(self, text: str) -> None:
        self.said.append(text)


def chat(
    monkeypatch: pytest.MonkeyPatch, *messages: tuple[int, str], start: Position | None = None
) -> dict[int, Channel]:
    """Run the bot on a fake of discord.py that delivers messages in order; return the channels.

    Messages written by the bot itself are delivered to it as well, as Discord does.
    """
    channels = {number: Channel(number) for number, _ in messages}
    handlers: dict[str, Callable[[Any], Any]] = {}

    async def deliver() -> None:
        for number, text in messages:
            channel = channels[number]
            author = types.SimpleNamespace(bot=False)
            before = len(channel.said)
            await handlers["on_message"](types.SimpleNamespace(author=author, channel=channel, content=text))
            for own in channel.said[before:]:
                author = types.SimpleNamespace(bot=True)
                await handlers["on_message"](types.SimpleNamespace(author=author, channel=channel, content=own))

    class Client:
        def __init__(self, intents: Any) -> None:
            assert intents.message_content

        def event(self, handler: Callable[[Any], Any]) -> None:
            handlers[handler.__name__] = handler

        def run(self, token: str) -> None:
            assert token == "secret"
            asyncio.run(deliver())

    fake = types.ModuleType("discord")
    fake.__dict__.update(Client=Client, Intents=types.SimpleNamespace)
    monkeypatch.setitem(sys.modules, "discord", fake)
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    bot = example("chat_bot")
    monkeypatch.setattr(bot, "Game", lambda: Game(start))
    bot.main()
    return channels


def test_the_chat_bot_plays_a_game_in_each_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    channels = chat(
        monkeypatch,
        (1, "hello"),
        (1, "d3"),
        (1, "!othello beginner"),
        (2, "!othello nobody"),
        (2, "!othello"),
        (1, "a nice game"),
        (1, "a1"),
        (1, "F5"),
        (2, "!stop"),
        (2, "d3"),
    )
    begun, refused, played = channels[1].said
    assert "You are black" in begun and "black (X) to move" in begun
    assert refused == "illegal move 'a1': expected d3 c4 f5 e6"
    assert re.match(r"white: [a-h][1-8]\n```\n", played) and "X" in played and "black (X) to move" in played
    unknown, begun, ended = channels[2].said
    assert "nobody" in unknown and "novice" in unknown and ended == "The game has ended."


def test_the_chat_bot_plays_forced_passes_and_says_how_a_game_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Position.parse(f"-OXXXXXX{'-' * 48}-OXXXXXX X")
    channels = chat(monkeypatch, (1, "!othello"), (1, "a1"), (1, "a8"), (1, "a8"), start=start)
    _, passed, over = channels[1].said
    assert passed.startswith("white: pass\n") and "black (X) to move" in passed
    assert over.endswith("The game is over: +64 discs for black.")


@contextmanager
def served(answers: dict[str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """Run a web server with these answers; yield its address and the paths that were asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200 if self.path in answers else 404)
            self.end_headers()
            self.wfile.write(answers.get(self.path, b""))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


QUEST_GAME = {
    "id": "a1",
    "created": "2026-01-02T03:04:05.678Z",
    "tcb": 300000,
    "players": [{"name": "ann", "oldR": 1500}, {"name": "ben", "oldR": 1600}],
    "position": {"moves": [{"m": "f5", "t": 1000}, {"m": "d6", "t": 900}, {"s": "LOSE:RESIGN"}]},
}


QUEST_ANSWERS = {
    "/games/reversi/name.json": json.dumps({"games": [{"id": "a1"}]}).encode(),
    "/game/a1.json": json.dumps(QUEST_GAME).encode(),
}


def fetch_quest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "othello_quest.py"), *words, "--pause", "0"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


@pytest.mark.process
def test_games_of_othello_quest_become_a_file_that_is_read(tmp_path: Path) -> None:
    games = [QUEST_GAME, QUEST_GAME | {"id": "b/2"}]
    answers = {"/games/reversix/ann.json": json.dumps({"games": [{"id": one["id"]} for one in games]}).encode()}
    answers |= {"/game/a1.json": json.dumps(games[0]).encode(), "/game/b%2F2.json": json.dumps(games[1]).encode()}
    with served(answers) as (address, asked):
        ended = fetch_quest(tmp_path, "Ann", "quest.json", "--kind", "xot", "--server", address)
    assert (ended.returncode, ended.stderr) == (0, "") and asked == list(answers)
    convert = [sys.executable, "-m", "othello_bot", "convert", "quest.json", "quest.pgn"]
    subprocess.run(convert, cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE_S)
    text = (tmp_path / "quest.pgn").read_text()
    assert text.count("1. f5 {1.000s} d6") == 2 and text.count('[Black "ann"]') == 2


@pytest.mark.process
def test_othello_quest_that_answers_something_else_is_told_in_a_line(tmp_path: Path) -> None:
    with served({"/games/reversi/ann.json": b"<html>"}) as (address, _):
        for name in ("ann", "ben"):
            ended = fetch_quest(tmp_path, name, "quest.json", "--server", address)
            assert ended.returncode == 1 and ended.stdout == "" and not (tmp_path / "quest.json").exists()
            assert ended.stderr.startswith("othello_quest: ") and ended.stderr.count("\n") == 1


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def asked(address: str) -> tuple[int, Any]:
    """Return the status and the JSON at an address, once somebody listens there."""
    end_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except OSError:
            assert time.monotonic() < end_s
            time.sleep(0.1)


@pytest.mark.process
def test_the_endpoint_answers_in_json() -> None:
    pytest.importorskip("uvicorn")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen([sys.executable, str(EXAMPLES / "endpoint.py"), "--port", str(port)]) as process:
        try:
            status, moved = asked(f"{address}/move?game=f5d6c3&strength=novice")
            assert status == 200 and moved["game"] == f"f5d6c3{moved['move']}" and moved["over"] is False
            legal = set(map(move_name, Game.from_transcript("f5d6c3").position.legal_moves))
            status, said = asked(f"{address}/values?game=f5d6c3")
            assert status == 200 and {one["move"] for one in said["values"]} == legal
            assert said["values"][0]["line"][0] == said["values"][0]["move"]
            for wrong in ("move?game=f5f5", "move?strength=god", f"values?game={'f5' * 600}", "move?game=%1b"):
                status, said = asked(f"{address}/{wrong}")
                assert status == 400 and list(said) == ["error"]
        finally:
            process.terminate()
    assert process.returncode in (0, -15)


@pytest.mark.process
def test_the_notebook_reviews_ones_own_games(tmp_path: Path) -> None:
    nbformat, nbclient = importlib.import_module("nbformat"), importlib.import_module("nbclient")
    notebook = nbformat.read(EXAMPLES / "my_games.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "committed without outputs"
    notebook.cells[1].source = notebook.cells[1].source.replace("LEVEL = 10", "LEVEL = 2")
    game = '[Black "Ann"]\n[White "ben"]\n\n1. f5 f6 2. e6 f4 3. c3 d7 4. g4 c5 5. c8 d6 *\n\n'
    (tmp_path / "games.pgn").write_text(game + '[Black "ben"]\n[White "eve"]\n\n1. f5 d6 *\n')
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    text = "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs)
    assert "2 games, 1 of them by ann" in text
    assert re.search(r"opening +5 moves, +\d+\.\d\d discs", text)
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)


def test_what_a_learner_sees_and_what_it_leaves_behind(tmp_path: Path) -> None:
    """The learner itself needs PyTorch; its weights play in tiny_network.py."""
    pytest.importorskip("gymnasium")
    import numpy as np

    ppo, tiny = example("ppo"), example("tiny_network")
    board = ppo.Board(Color.BLACK)
    seen, info = board.reset(seed=1)
    assert seen.shape == (128,) and seen.dtype == np.float32 and seen.sum() == 4
    assert list(np.flatnonzero(board.action_masks())) == sorted(info["legal_actions"])
    start = Position.start()
    assert (seen == tiny.cells_of(np.array([start.mover], np.uint64), np.array([start.opponent], np.uint64))[0]).all()
    board.close()

    class Array(np.ndarray):
        """What PyTorch's parameters are asked for."""

        def detach(self) -> Array:
            return self

        def cpu(self) -> Array:
            return self

        def numpy(self) -> np.ndarray[Any, Any]:
            return np.asarray(self)

    def layer(inputs: int, outputs: int) -> types.SimpleNamespace:
        weight = np.zeros((outputs, inputs), np.float32).view(Array)
        return types.SimpleNamespace(weight=weight, bias=np.arange(outputs, dtype=np.float32).view(Array))

    inner = types.SimpleNamespace(policy_net=[layer(128, ppo.HIDDEN)])
    policy = types.SimpleNamespace(mlp_extractor=inner, action_net=layer(ppo.HIDDEN, 65))
    np.savez(tmp_path / "network.npz", **ppo.exported(policy))
    with np.load(tmp_path / "network.npz") as arrays:
        network = tiny.Network(**arrays)
    assert move_name(network.choose(start)) == "e6"  # the legal square with the highest bias


def unit() -> dict[str, str]:
    """Return the settings of the unit that stand there once."""
    lines = (EXAMPLES / "othello-bot.service").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line))


@pytest.mark.process
def test_the_service_starts_with_the_line_of_its_unit(tmp_path: Path) -> None:
    pytest.importorskip("tornado")
    settings, port = unit(), free_port()
    (tmp_path / "password").write_text("a word\n")
    (tmp_path / "password").chmod(0o600)
    program, *words = shlex.split(settings["ExecStart"].replace("${CREDENTIALS_DIRECTORY}", str(tmp_path)))
    assert program.endswith("/bin/othello-bot") and settings["LoadCredential"].startswith("password:")
    name, cache = settings["Environment"].split("=")
    assert (name, cache) == ("XDG_CACHE_HOME", "/var/cache") and settings["CacheDirectory"] == "othello-bot"
    command = [sys.executable, "-m", "othello_bot", *words, "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        try:
            request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": "othello.example.org"})
            end_s = time.monotonic() + PATIENCE_S
            while True:
                try:
                    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                        assert b'id="password"' in answer.read()
                        break
                except urllib.error.URLError:
                    assert process.poll() is None and time.monotonic() < end_s
                    time.sleep(0.1)
        finally:
            process.terminate()
