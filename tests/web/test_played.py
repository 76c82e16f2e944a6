"""What the page learns of games that were played, from the server's base."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.errors import InputError
from othello_bot.engine import Options
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from othello_bot.web.connection import Connection
from othello_bot.web.engines import SharedEngines
from othello_bot.web.played import opened
from tests.explorer.games import built

GAMES = [
    GameRecord(Game.from_transcript("f5d6c3d3"), black="Rose", white="Tom", event="Open", date="1999", result=4.0),
    GameRecord(Game.from_transcript("f5d6c4"), black="Ann", white="Rose", date="2010", result=-4.0),
    GameRecord(Game.from_transcript("f5f6"), black="Tom", white="Ann", date="2020"),
]


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Path]:
    built(tmp_path / "b", GAMES).close()
    yield tmp_path / "b"


def replies(base: Path | None, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a tab is told, a reply for each message."""

    async def talk() -> list[dict[str, Any]]:
        engines = SharedEngines(Options(hash=1, base_file=None if base is None else str(base)))
        told: asyncio.Queue[str] = asyncio.Queue()
        tab = Connection(engines, told.put, lambda why: None)
        working = asyncio.ensure_future(engines.work())
        found = []
        for number, message in enumerate(messages):
            tab.receive(json.dumps({"do": "played", "id": number, "moves": "", **message}))
            found.append(json.loads(await told.get()))
        tab.close()
        working.cancel()
        await asyncio.wait([working])
        return found

    return asyncio.run(talk())


def test_moves_and_games_of_a_position_are_told(base: Path) -> None:
    whole, rose, by_white, years, page = replies(
        base,
        {"moves": "f5", "count": 8},
        {"player": "rose"},
        {"player": "rose", "color": "white"},
        {"years": "2000-", "event": ""},
        {"first": 1, "count": 1},
    )
    assert whole["kind"] == "played" and whole["base"]
    assert [(one["move"], one["games"], one["won"], one["lost"]) for one in whole["moves"]] == [
        ("d6", 2, 1, 1),
        ("f6", 1, 0, 0),
    ]
    assert [(one["black"], one["ply"]) for one in whole["list"]] == [("Tom", 1), ("Ann", 1), ("Rose", 1)]
    assert [one["counts"]["games"] for one in (rose, by_white, years)] == [2, 1, 2]
    assert [one["black"] for one in page["list"]] == ["Ann"]


def test_filters_that_are_not_understood_are_an_error(base: Path) -> None:
    found = replies(
        base, {"years": "now"}, {"color": "black"}, {"color": "red"}, {"order": "best"}, {"first": -1}, {"player": 1}
    )
    assert [one["kind"] for one in found] == ["error"] * 6
    assert [one["id"] for one in found] == list(range(6))


def test_a_server_without_a_base_says_so() -> None:
    (reply,) = replies(None, {"moves": "f5"})
    assert (reply["kind"], reply["base"], reply["moves"]) == ("played", False, [])


def test_a_file_that_is_no_base_ends_the_server(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a base of games"):
        opened(str(tmp_path / "none"))
    (tmp_path / "text").write_text("f5d6")
    with pytest.raises(InputError, match="an intact base"):
        opened(str(tmp_path / "text"))
