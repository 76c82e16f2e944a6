"""The tool server, tried with the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from othello_bot.tools.mcp_server import McpTable
from tests.rules.strategies import random_game

pytestmark = pytest.mark.process

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "othello_bot", "mcp"])


def _text(block: Any) -> str:
    assert block.type == "text"
    return str(block.text)


def conversation(*calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """Call the tools of one server in order; return for each whether it failed, and its text."""

    async def talk() -> list[tuple[bool, str]]:
        async with Client(SERVER) as client:
            results = [await client.call_tool(name, arguments) for name, arguments in calls]
            return [(bool(result.is_error), "".join(map(_text, result.content))) for result in results]

    return asyncio.run(talk())


def test_a_game() -> None:
    results = conversation(
        ("new_game", {}),
        ("new_game", {"moves": "f5d6"}),
        ("play", {"game": "game1", "move": "f5"}),
        ("play", {"game": "game1", "move": "a1"}),
        ("show", {"game": "game1"}),
        ("show", {"game": "game2"}),
        ("best_move", {"game": "game1", "strength": "beginner", "seconds": 0.1}),
        ("evaluate", {"game": "game2", "seconds": 0.1}),
    )
    texts = [text for _, text in results]
    assert [failed for failed, _ in results] == [False, False, False, True, False, False, False, False]
    assert texts[0].startswith("id: game1\n") and "Legal moves: d3 c4 f5 e6" in texts[0]
    assert "moves: f5\n" in texts[2] and "4 . . . O X . . . 4" in texts[2] and "white (O) to move" in texts[2]
    assert "illegal move" in texts[3] and "f4 d6 f6" in texts[3]
    assert texts[4] == texts[2] and "moves: f5d6\n" in texts[5]
    assert texts[6].split()[0] in ("f4", "d6", "f6")
    assert len(texts[7].splitlines()) == 5 and texts[7].split()[0] in ("c3", "c4", "c5", "c6", "c7", "e7")


def test_calls_without_a_game() -> None:
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
    )
    assert [failed for failed, _ in results] == [False, False, False, True, True, True, True, True]
    texts = [text for _, text in results]
    assert "moves: f5d6c3\n" in texts[0] and "game is over: black 64, white 0; score for black +64" in texts[1]
    assert len(texts[2].splitlines()) == 4 and texts[2].startswith("1. f5")
    assert all("expected" in text for text in texts[3:])


def test_a_player_is_rated_by_his_games() -> None:
    strong, weak = "f5d6c3d3c4f4f6g5e6d7e3c5f3e7c6b5", random_game(1).transcript()
    results = conversation(
        ("rate", {"as_black": [strong], "as_white": [strong]}),
        ("rate", {"as_black": [weak]}),
        ("new_game", {"moves": strong}),
        ("rate", {"as_white": ["game1"]}),
        ("rate", {}),
        ("rate", {"as_black": ["f5"] * 51}),
        ("rate", {"as_black": ["f5f5"]}),
    )
    assert [failed for failed, _ in results] == [False, False, False, False, True, True, True]
    ratings = [int(text.split()[0]) for _, text in (results[0], results[1], results[3])]
    assert ratings[1] < 1400 < min(ratings[0], ratings[2]) and " ± " in results[0][1]
    assert "expected 1 to 50 of them" in results[4][1] and "expected 1 to 50" in results[5][1]


def test_a_rating_ends_in_time() -> None:
    table = McpTable(itertools.count(step=6).__next__)
    game = "f5d6c3d3c4f4f6g5"
    found = table.rate([game] * 5)
    assert found.endswith("only the first 2 of 5 games, because the time was up)")
    assert found.split(" (")[0] == table.rate([game] * 2).split(" (")[0]
    table.close()


def test_without_the_sdk() -> None:
    program = "import sys; sys.modules['mcp'] = None\nfrom othello_bot.cli import main\nsys.exit(main(['mcp']))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, input="")
    assert (run.returncode, run.stdout) == (2, "") and "othello-bot[mcp]" in run.stderr


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
