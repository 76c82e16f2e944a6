"""The report about a player: openings, opponents, and where the games that he lost began to be lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello_bot.base.notation import Color
from othello_bot.cli import main
from othello_bot.explorer import Selection, player_report
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import write_games
from othello_bot.rules import Game, Position
from tests.explorer.games import built
from tests.rules.strategies import random_game

LOST = GameRecord(
    random_game(4, start=Position.parse("OOOOOOO-OXXXXX--OXXXXO--OXXXOOO-OXXOXOO-OXOXXOO-OOXXXX--OOXXX--- X")),
    black="Rose",
    white="Tom",
    result=-20.0,
)
GAMES = [
    GameRecord(Game.from_transcript("f5d6c3d3c4"), black="Rose", white="Tom", result=10.0),
    GameRecord(Game.from_transcript("f5d6c3d3c4f4"), black="Rose", white="Ann", result=0.0),
    GameRecord(Game.from_transcript("f5f6"), black="Tom", white="Rose", result=-4.0),
    GameRecord(Game.from_transcript("f5f4"), black="Tom", white="Ann", result=-4.0),
    LOST,
]


def test_openings_and_opponents_are_counted_by_colour(tmp_path: Path) -> None:
    names = {Game.from_transcript("f5d6c3d3c4").position: "Tiger", Game.from_transcript("f5f6").position: "Diagonal"}
    with built(tmp_path / "b", GAMES) as base:
        report = player_report(base, Selection(player="rose"), names.get)
    found = {key: (line.games, line.won, line.drawn, line.lost) for key, line in report.openings.items()}
    assert found == {
        (Color.BLACK, "Tiger"): (2, 1, 1, 0),
        (Color.BLACK, ""): (1, 0, 0, 1),
        (Color.WHITE, "Diagonal"): (1, 1, 0, 0),
    }
    assert report.total(Color.BLACK).mean_discs == pytest.approx((10 + LOST.game.final_score) / 3)
    assert report.total(Color.WHITE).mean_discs == 4
    assert {name: line.games for name, line in report.opponents.items()} == {"Tom": 3, "Ann": 1}


def test_stored_reviews_tell_where_a_loss_began(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path / "b", GAMES).close()
    write_games([LOST], tmp_path / "lost.ggf")
    store = ["--store", str(tmp_path / "reviews.db")]
    asked = ["explore", str(tmp_path / "b"), "--report", "--player", "rose", *store]
    assert main(asked) == 0
    assert "none of the lost games is in the store" in capsys.readouterr().out
    assert main(["review", str(tmp_path / "lost.ggf"), "--level", "10", "--json", *store]) == 0
    judged = json.loads(capsys.readouterr().out)["moves"]
    mistakes = [move for move in judged if move["color"] == "black" and (move["loss"] or 0) >= 6]
    assert mistakes
    assert main([*asked, "--review-level", "10", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (turn,) = [one for one in told if "lost_game" in one]
    assert (turn["ply"], turn["loss"]) == (mistakes[0]["ply"], mistakes[0]["loss"])
    assert turn["lost_game"] == 5
    assert main([*asked, "--review-level", "10"]) == 0
    assert "where losses begin, in 1 reviewed game: " in capsys.readouterr().out


def test_a_report_needs_a_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path / "b", GAMES).close()
    assert main(["explore", str(tmp_path / "b"), "--report"]) == 2
    assert "the name of a player" in capsys.readouterr().err
    assert main(["explore", str(tmp_path / "b"), "--report", "--player", "nobody"]) == 0
    assert capsys.readouterr().out == "no game of such a player is in the base, or none that the filters take\n"
