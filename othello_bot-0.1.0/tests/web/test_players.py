"""The page's list of players is the engine's."""

from __future__ import annotations

import importlib

import pytest

from othello_bot import engine, review
from tests.house.test_rooms import ROOT


def test_the_page_lists_the_players_that_the_engine_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    players = importlib.import_module("_figures.players")
    assert players.MODULE.read_text(encoding="utf-8") == players.players_module(), "run scripts/figures players"


def test_the_page_uses_the_levels_of_every_other_door() -> None:
    static = ROOT / "othello_bot" / "web" / "static"
    said = {name: (static / name).read_text(encoding="utf-8") for name in ("game.js", "app.js", "exercise.js")}
    assert f"const HINT_LEVEL = {engine.DEFAULT_LEVEL};" in said["game.js"]
    assert f"level: {engine.DEFAULT_LEVEL}, reviewLevel: {review.DEFAULT_LEVEL}," in said["app.js"]
    assert f"const LEVEL = {review.DEFAULT_LEVEL};" in said["exercise.js"]
