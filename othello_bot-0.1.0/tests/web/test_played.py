"""What the page learns of games that were played, from the server's base."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.errors import InputError
from othello_bot.engine import Options
from othello_bot.explorer import Builder, read_players
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from othello_bot.web.connection import Connection
from othello_bot.web.engines import SharedEngines
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


def replies(base: Path | None, *messages: dict[str, Any] | Callable[[], dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what a tab is told, a reply for each message."""

    async def talk() -> list[dict[str, Any]]:
        engines = SharedEngines(Options(hash=1, base_file=None if base is None else str(base)))
        told: asyncio.Queue[str] = asyncio.Queue()
        tab = Connection(engines, told.put, lambda why: None)
        working = asyncio.ensure_future(engines.work())
        found = []
        for number, message in enumerate(messages):
            fields = message() if callable(message) else message
            tab.receive(json.dumps({"do": "played", "id": number, "moves": "", **fields}))
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


def test_every_filter_of_the_command_line_is_one_of_the_page(base: Path, tmp_path: Path) -> None:
    filters: list[tuple[dict[str, Any], int]] = [
        ({"player": "rose", "opponent": "ann"}, 1),
        ({"result": "white"}, 1),
        ({"result": "unknown"}, 1),
        ({"rating": "1500-"}, 0),
        ({"player": "-- --json"}, 0),
        ({"between": "people"}, -1),
    ]
    found = replies(base, *(words for words, _ in filters))
    assert [one.get("counts", {"games": -1})["games"] for one in found] == [games for _, games in filters]
    assert not found[0]["programs"]
    (tmp_path / "programs").write_text("tom\n")
    with Builder(base, programs=read_players(tmp_path / "programs")):
        pass
    people, both = replies(base, {"between": "people"}, {"between": "both"})
    assert (people["counts"]["games"], both["counts"]["games"], both["programs"]) == (1, 2, True)


def test_a_base_that_breaks_while_it_is_served_is_told(base: Path) -> None:
    whole = base.read_bytes()

    def broken(message: dict[str, Any]) -> dict[str, Any]:
        base.write_bytes(whole[:24] + b"new!" + whole[28:4096] + bytes(len(whole) - 4096))
        return message

    first, second, third = replies(base, {}, lambda: broken({"moves": "f5"}), {"moves": "d3"})
    assert first["kind"] == "played"
    assert [one["kind"] for one in (second, third)] == ["error", "error"]
    assert second["code"] == "base" and "is damaged" in second["text"]


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
    (tmp_path / "text").write_text("f5d6")
    for name, message in (("none", "No such file"), ("text", "an intact base")):
        engines = SharedEngines(Options(hash=1, base_file=str(tmp_path / name)))
        engines.begin()
        with pytest.raises(InputError, match=message):
            asyncio.run(engines.work())
