"""The page's list of players is the engine's."""

from __future__ import annotations

import importlib

import pytest

from tests.house.test_rooms import ROOT


def test_the_page_lists_the_players_that_the_engine_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    players = importlib.import_module("_figures.players")
    assert players.MODULE.read_text(encoding="utf-8") == players.players_module(), "run scripts/figures players"
