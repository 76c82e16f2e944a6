"""Quarry 0.2.0 runs this engine as its user would: registered by the dialog, then whole games on its board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.notation import Color
from othello_bot.formats import sgf
from tests.formats.samples import first_game
from tests.real.desktop import Desktop, wait_for
from tests.real.quarry import GRHINO, LAUNCHER, OURS, Quarry


@pytest.fixture
def quarry(desktop: Desktop, tmp_path: Path) -> Quarry:
    return Quarry(desktop, tmp_path)


def saved_at_the_end(quarry: Quarry) -> str:
    """Wait for the end of the game and save it as soon as Quarry has seen the end too: then its file has a result."""
    wait_for(lambda: quarry.game().is_over, "the end of the game", 300)
    text = ""

    def has_result() -> bool:
        nonlocal text
        text = quarry.save()
        return "RE[" in text

    wait_for(has_result, "the result in Quarry's file")
    return text


def test_the_dialog_of_engines_takes_it(quarry: Quarry) -> None:
    quarry.start()
    quarry.register(str(LAUNCHER))
    written = quarry.quit()
    section = written[written.index('[GTP Engine "othello-bot') :].split("\n\n")[0]
    settings = dict(line.replace("\t", " ").split(" = ") for line in section.split("\n")[1:])
    settings = {name.strip(): value.strip('" ') for name, value in settings.items()}
    assert settings["Name"] == "othello-bot"
    assert settings["Version"]
    assert settings["Supported games"] == "Reversi"


@pytest.mark.parametrize("ours", Color)
def test_a_whole_game_against_grhino(quarry: Quarry, ours: Color) -> None:
    """Quarry's own rules judge every move, and count the discs at the end."""
    if ours == Color.BLACK:
        quarry.configure(black=OURS, white=GRHINO)
    else:
        quarry.configure(black=GRHINO, white=OURS)
    quarry.start()
    quarry.new_game()
    record = first_game(sgf, saved_at_the_end(quarry))
    assert record.game.transcript() == quarry.game().transcript()
    assert record.game.is_over
    black, white = record.game.position.black, record.game.position.white
    assert record.result == black.bit_count() - white.bit_count()
    sent = quarry.sent()
    assert sent[:3] == ["protocol_version", "name", "version"]
    assert {line for line in sent if line.startswith("genmove")} == {f"genmove {ours.name.lower()}"}
    assert not any(line.startswith("?") for line in quarry.answered())


CLOCKS: dict[str, dict[str, Any]] = {
    "game": {"Time control type": 1, "Time limit for game": "00:05"},
    "move": {"Time control type": 2, "Time limit for move": "00:01"},
    "Canadian": {
        "Time control type": 3,
        "Main time": "00:02",
        "Overtime period length": "00:05",
        "Moves per overtime": 10,
    },
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_no_flag_falls_on_its_clocks(quarry: Quarry, clock: str) -> None:
    """A game against itself under each of Quarry's time controls; Quarry ends it when a flag falls."""
    quarry.configure(black=OURS, white=GRHINO, time=CLOCKS[clock])
    quarry.start()
    quarry.new_game()
    text = saved_at_the_end(quarry)
    sent = quarry.sent()
    assert any(line.startswith("time_settings ") for line in sent)
    assert any(line.startswith("time_left ") for line in sent)
    assert not any(line.startswith("?") for line in quarry.answered())
    assert "+T" not in text
    assert first_game(sgf, text).game.is_over
