"""The tool server, tried with the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from othello_bot.base.errors import InputError
from othello_bot.engine import Engine, Options
from othello_bot.explorer import GameBase
from othello_bot.formats.record import GameRecord
from othello_bot.review import review_game
from othello_bot.rules import Game
from othello_bot.tools.mcp_server import MOST_WAITING, McpGames
from tests.explorer.games import built
from tests.rules.strategies import random_game

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client

pytestmark = pytest.mark.process

COMMAND = (sys.executable, "-m", "othello_bot", "mcp")


def _text(block: Any) -> str:
    assert block.type == "text"
    return str(block.text)


class Conversation:
    """One server, which the tests ask in turn: starting it takes seconds, most of them for the SDK."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client

    def __call__(self, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
        """Call tools in order; return for each whether it failed, and its text."""

        async def talk() -> list[tuple[bool, str]]:
            results = [await self.client.call_tool(name, arguments) for name, arguments in calls]
            return [(bool(result.is_error), "".join(map(_text, result.content))) for result in results]

        return self.portal.call(talk)


@pytest.fixture(scope="module")
def conversation() -> Iterator[Conversation]:
    from anyio.from_thread import start_blocking_portal  # imported here: every process of pytest collects this file
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(command=COMMAND[0], args=list(COMMAND[1:]))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Conversation(portal, client)


def name_of(text: str) -> str:
    """Return the name of the game that a tool has begun."""
    first, _, _ = text.partition("\n")
    assert first.startswith("id: game")
    return first.removeprefix("id: ")


def test_a_game(conversation: Conversation) -> None:
    begun = conversation(("new_game", {}), ("new_game", {"moves": "f5d6"}))
    one, two = (name_of(text) for _, text in begun)
    results = begun + conversation(
        ("play", {"game": one, "move": "f5"}),
        ("play", {"game": one, "move": "a1"}),
        ("show", {"game": one}),
        ("show", {"game": two}),
        ("best_move", {"game": one, "strength": "beginner", "seconds": 0.1}),
        ("evaluate", {"game": two, "seconds": 0.1}),
    )
    texts = [text for _, text in results]
    assert [failed for failed, _ in results] == [False, False, False, True, False, False, False, False]
    assert one != two and "Legal moves: d3 c4 f5 e6" in texts[0]
    assert "moves: f5\n" in texts[2] and "4 . . . O X . . . 4" in texts[2] and "white (O) to move" in texts[2]
    assert "illegal move" in texts[3] and "f4 d6 f6" in texts[3]
    assert texts[4] == texts[2] and "moves: f5d6\n" in texts[5]
    assert texts[6].split()[0] in ("f4", "d6", "f6")
    assert len(texts[7].splitlines()) == 5 and texts[7].split()[0] in ("c3", "c4", "c5", "c6", "c7", "e7")


def test_a_review_is_that_of_every_other_door(conversation: Conversation) -> None:
    game = Game.from_transcript("f5d6c4g5")
    ((failed, text),) = conversation(("review", {"game": game.transcript()}))
    with Engine(Options(threads=1)) as engine:
        assert (failed, text.splitlines()) == (False, [str(move) for move in review_game(engine, game).moves])


def test_a_review_ends_when_its_time_is_up() -> None:
    times = itertools.count(0, 4)
    table = McpGames(clock=lambda: float(next(times)))

    async def reviewed() -> str:
        async with table.lifespan():
            return await table.review("f5d6c3d3c4")

    *moves, last = asyncio.run(reviewed()).splitlines()
    assert 0 < len(moves) < 5 and last == f"{len(moves)} of 5 moves judged, because the time was up"


def test_calls_without_a_game(conversation: Conversation) -> None:
    full = "X" * 64 + " X"
    results = conversation(
        ("show", {"game": "f5d6c3"}),
        ("show", {"game": full}),
        ("review", {"game": "f5d6c3d3"}),
        ("evaluate", {"game": full}),
        ("evaluate", {"game": "f5", "seconds": 1000}),
        ("best_move", {"game": "f5", "strength": "god"}),
        ("play", {"game": "nothing", "move": "f5"}),
        ("new_game", {"moves": "f5f5"}),
        ("show", {"game": "game99"}),
        ("best_move", {"game": "1"}),
    )
    assert [failed for failed, _ in results] == [False, False, False, *[True] * 7]
    texts = [text for _, text in results]
    assert "moves: f5d6c3\n" in texts[0] and "game is over: black 64, white 0; score for black +64" in texts[1]
    assert len(texts[2].splitlines()) == 4 and texts[2].startswith("1. f5")
    assert all("expected" in text for text in texts[3:])


def test_refused_calls_say_what_would_be_accepted(conversation: Conversation) -> None:
    results = conversation(
        ("show", {"game": "f5", "ply": 3}),
        ("best_move", {"game": "f5", "level": 3, "seconds": 1}),
        ("new_game", {"transcript": "f5"}),
        ("play", {"game": "game0"}),
        ("review", {}),
        ("rate", {"as_black": "f5"}),
        ("evaluate", {"game": "f5", "seconds": "soon"}),
        ("analyze", {"game": "f5"}),
        ("show", {"game": "game0"}),
    )
    assert all(failed for failed, _ in results)
    wanted = (
        "argument of show 'ply': expected no others than game",
        "argument of best_move 'level': expected no others than game, strength, seconds",
        "argument of new_game 'transcript': expected no others than moves",
        "arguments of play 'game': expected game and move, at least",
        "arguments of review 'none': expected game, at least",
        "argument as_black of rate '\"f5\"': expected a valid list",
        "argument seconds of evaluate '\"soon\"': expected a valid number",
        "tool 'analyze': expected one of new_game, show, play, best_move, evaluate, review, rate, played",
        "expected",
    )
    for (_, text), words in zip(results, wanted, strict=True):
        assert words in text


def test_a_whole_game(conversation: Conversation) -> None:
    """The client plays its first legal move, the engine's moves are those of a beginner."""

    def told(tool: str, **arguments: Any) -> str:
        ((failed, text),) = conversation((tool, arguments))
        assert not failed
        return text

    seen, moves = told("new_game"), list[str]()
    name = name_of(seen)
    while "The game is over" not in seen:
        legal = seen.split("Legal moves: ")[1].split()
        if "white (O) to move" in seen:
            answer = told("best_move", game=name, strength="beginner")
            move = answer.split()[0]
            assert move in legal
        else:
            move = legal[0]
        moves.append(move)
        seen = told("play", game=name, move=move)
    game = Game.from_transcript("".join(moves))
    black, white = game.position.discs
    assert game.is_over and f"black {black}, white {white}; score for black {game.final_score:+d}" in seen


def test_a_player_is_rated_by_his_games(conversation: Conversation) -> None:
    strong, weak = "f5d6c3d3c4f4f6g5e6d7e3c5f3e7c6b5", random_game(1).transcript()
    ((_, begun),) = conversation(("new_game", {"moves": strong}))
    results = conversation(
        ("rate", {"as_black": [strong], "as_white": [strong]}),
        ("rate", {"as_black": [weak]}),
        ("rate", {"as_white": [name_of(begun)]}),
        ("rate", {}),
        ("rate", {"as_black": ["f5"] * 51}),
        ("rate", {"as_black": ["f5f5"]}),
    )
    assert [failed for failed, _ in results] == [False, False, False, True, True, True]
    ratings = [int(text.split()[0]) for _, text in results[:3]]
    assert ratings[1] < 1400 < min(ratings[0], ratings[2]) and " ± " in results[0][1]
    assert "expected 1 to 50 of them" in results[3][1] and "expected 1 to 50" in results[4][1]


def test_a_rating_ends_in_time() -> None:
    table = McpGames(itertools.count(step=6).__next__)
    game = "f5d6c3d3c4f4f6g5"

    async def rated() -> tuple[str, str]:
        async with table.lifespan():
            return await table.rate([game] * 5), await table.rate([game] * 2)

    found, counted = asyncio.run(rated())
    assert found.endswith("only the first 2 of 5 games, because the time was up)")
    assert found.split(" (")[0] == counted.split(" (")[0]


async def cancelled(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


LONG: dict[str, Any] = {"game": "f5", "seconds": 10}
MANY: dict[str, Any] = {"as_black": ["f5d6c3d3c4f4f6g5e6d7e3c5f3e7c6b5"] * 50}


def test_a_cancelled_call_ends_and_others_go_on(conversation: Conversation) -> None:
    """The calls would take three minutes one after the other."""
    client = conversation.client

    async def talk() -> None:
        for name, arguments in [("evaluate", LONG), ("best_move", LONG), ("rate", MANY)] * 6:
            call = asyncio.create_task(client.call_tool(name, arguments))
            await client.call_tool("show", {"game": "f5"})
            await cancelled(call)
        assert not (await client.call_tool("evaluate", {"game": "f5", "seconds": 0.1})).is_error

    conversation.portal.call(asyncio.wait_for, talk(), 120)


def test_calls_beyond_those_that_may_wait_are_refused(conversation: Conversation) -> None:
    client = conversation.client

    async def talk() -> None:
        calls = [asyncio.create_task(client.call_tool("evaluate", LONG)) for _ in range(MOST_WAITING + 2)]
        ((refused,), waiting) = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        assert len(waiting) == MOST_WAITING + 1 and refused.result().is_error
        assert "calls that wait 8: expected fewer than 8" in _text(refused.result().content[0])
        assert not (await client.call_tool("new_game", {})).is_error
        for call in waiting:
            await cancelled(call)

    conversation.portal.call(talk)


HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.mark.parametrize(
    ("tool", "end"),
    [(("rate", MANY), "input"), (("evaluate", LONG), "output"), (("evaluate", LONG), "interrupt")],
)
def test_the_server_ends_with_its_client_and_at_ctrl_c(tool: tuple[str, dict[str, Any]], end: str) -> None:
    """However it is told to end, calls are cancelled by the end of the input; the last one waits for nothing else."""
    begun: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": tool[0], "arguments": tool[1]}},
        {"id": 3, "method": "ping"},
    ]
    text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in begun)
    server = subprocess.Popen(
        [*COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdin is not None and server.stdout is not None and server.stderr is not None
    with server:
        server.stdin.write(text)
        server.stdin.flush()
        while json.loads(server.stdout.readline()).get("id") != 3:
            pass
        if end == "input":
            server.stdin.close()
        elif end == "output":
            server.stdout.close()
        else:
            server.send_signal(signal.SIGINT)
        assert server.wait(120) == (130 if end == "interrupt" else 0)
        assert server.stderr.read() == ""


def test_without_the_sdk() -> None:
    program = "import sys; sys.modules['mcp'] = None\nfrom othello_bot.cli import main\nsys.exit(main(['mcp']))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, input="")
    assert (run.returncode, run.stdout) == (2, "")
    assert "the tool server needs the SDK of MCP; install it with: " in run.stderr and "[mcp]" in run.stderr


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


def test_what_was_played_is_told_of_a_base(tmp_path: Path) -> None:
    games = [
        GameRecord(Game.from_transcript(moves), black=name) for moves, name in (("f5d6c3", "Rose"), ("f5f6", "Tom"))
    ]

    async def asked() -> list[str]:
        with built(tmp_path / "b", games) as base:
            table = McpGames(base=base)
            async with table.lifespan():
                return [await table.played("f5"), await table.played("f5", "--player rose --games")]

    table, listed = asyncio.run(asked())
    assert table.startswith("2 games, ") and "d6" in table and "f6" in table
    assert "Rose" in listed and "Tom" not in listed

    async def refused(filters: str, base: GameBase | None) -> None:
        async with (table := McpGames(base=base)).lifespan():
            await table.played("f5", filters)

    with pytest.raises(InputError, match="--base FILE"):
        asyncio.run(refused("", None))
    with GameBase(tmp_path / "b") as base, pytest.raises(InputError, match="no --programs"):
        asyncio.run(refused("--programs /etc/passwd", base))
