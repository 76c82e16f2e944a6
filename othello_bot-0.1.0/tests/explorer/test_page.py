"""docs/explorer.md: its Python example runs, and its table names every member of the JSON and every filter."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from othello_bot.cli import main
from othello_bot.explorer import question
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from tests.explorer.games import built

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "explorer.md").read_text(encoding="utf-8")
GAMES = [
    GameRecord(Game.from_transcript("f5d6c3"), black="Tastet", result=4.0, date="2019"),
    GameRecord(Game.from_transcript("f5d6c4"), white="Tastet", result=4.0, date="2019"),
]


def test_the_example_prints_the_moves_that_a_player_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    built(tmp_path / "games.base", GAMES).close()
    monkeypatch.chdir(tmp_path)
    exec(code, {"__name__": "__main__"})
    assert capsys.readouterr().out.splitlines() == ["18 1 1.0", "26 1 1.0"]


def test_the_tables_name_all_members_and_filters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path / "b", GAMES).close()
    assert main(["explore", str(tmp_path / "b"), "--json", "--people", "1500"]) == 0
    members = json.loads(capsys.readouterr().out.splitlines()[0]).keys()
    told = set(re.findall(r"`([a-z_]+)`", PAGE))
    assert members <= told, members - told
    for name in vars(question("")).keys() - {"moves", "games", "novelty", "json", "people", "count", "page", "order"}:
        assert re.search(rf"^\| `--{name} ", PAGE, re.MULTILINE), name
