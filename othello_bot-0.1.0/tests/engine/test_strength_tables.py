"""The tables of docs/development/strength.md: what is written is read back, and rows of changed steps go."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from othello_bot.arena.pentanomial import elo_of_score
from tests.arena.builders import met

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module that writes and reads the tables."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("_strength.ladder")


def scores(ladder: ModuleType) -> dict[tuple[str, str], object]:
    return {
        ("engine strength=2", "engine strength=1"): ladder.Score(0.7, 0.04, 400, "2026-11-23"),
        ("engine strength=13", "engine strength=12"): ladder.Score(0.625, 0.05, 200, "2026-11-24"),
        ("engine strength=1", "difference"): ladder.Score(0.55, 0.05, 400, "2026-11-24"),
    }


def test_what_is_written_is_read_back(ladder: ModuleType) -> None:
    written = scores(ladder)
    assert ladder.published(ladder.tables(written)) == written


def test_a_row_goes_once_one_of_its_steps_has_changed(ladder: ModuleType) -> None:
    text = ladder.tables(scores(ladder))
    row = next(line for line in text.splitlines() if line.startswith("| 12 |"))
    changed = text.replace(row, row.replace("a person rated ", "a person rated 9"))
    gone = set(ladder.published(text)) - set(ladder.published(changed))
    assert gone == {("engine strength=13", "engine strength=12")}


def test_rows_of_people_go_once_the_model_has_changed(ladder: ModuleType) -> None:
    levels = {("engine strength=18", "engine strength=17"): ladder.Score(0.7, 0.04, 400, "2026-11-23")}
    text = ladder.tables(scores(ladder) | levels)
    changed = text.replace(ladder.model_name(), "0123456789abcdef")
    assert ladder.published(changed) == levels


def test_ratings_are_those_of_the_pairs_of_games(ladder: ModuleType) -> None:
    meeting = met(260, 0, 140, [30, 0, 80, 0, 90])
    score = ladder.Score.of(meeting, "2026-11-24")
    assert str(score).startswith("65.0 ± ") and score.points().points == pytest.approx(260)
    rated = ladder.elos({("random", "difference"): score})
    assert rated["difference"] == 0
    assert rated["random"] == pytest.approx(elo_of_score(0.65), abs=2)


def test_who_never_met_the_fixed_points_has_no_elo(ladder: ModuleType) -> None:
    assert "engine strength=13" not in ladder.elos(scores(ladder))
    assert re.search(r"^\| 13 \| strong \| - \| 62.5 ± 5.0 % \| 200 \|", ladder.tables(scores(ladder)), re.MULTILINE)


def test_the_pages_are_of_the_steps_as_they_are(ladder: ModuleType) -> None:
    measured = (ROOT / "docs" / "development" / "strength.md").read_text(encoding="utf-8")
    against_the_next = [first for first, second in ladder.published(measured) if second.startswith("engine strength")]
    assert len(against_the_next) == len(ladder.STEPS) - 1
    page = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\d+) \| (\w*) \| ([+-]\d+) \| (.*) \|$", page, re.MULTILINE)
    rows = re.findall(r"^\| (\d+) \| (\w*) \| ([+-]\d+) \|.*\| ((?:the engine|a person).*) \|$", measured, re.MULTILINE)
    full = ", here at level 21"
    assert shown == [(number, name, elo, what.replace(full, " at full strength")) for number, name, elo, what in rows]
