"""`othello-bot train policy-check`: a policy measured on the games of a year."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from othello_bot.base.notation import PASS
from othello_bot.cli import main
from othello_bot.rules import Game

PLAYERS = 10


def base(folder: Path) -> list[str]:
    """Write a base of random games of a year; return the arguments that name it."""
    chance = random.Random(1)
    with open(folder / "games.pgn", "w") as file:
        for _ in range(30):
            black, white = chance.sample(range(PLAYERS), 2)
            game = Game()
            while not game.is_over:
                game.play(chance.choice(game.position.legal_moves or (PASS,)))
            moves = game.transcript(passes=True)
            print(f'[Date "2001"]\n[Black "p{black}"]\n[White "p{white}"]\n', file=file)
            print(*(moves[at : at + 2].replace("pa", "--") for at in range(0, len(moves), 2)), "*\n", file=file)
    assert main(["convert", str(folder / "games.pgn"), str(folder / "games.wtb")]) == 0
    (folder / "programs.txt").write_text("# none\n")
    return [str(folder / "games.wtb"), "--programs", str(folder / "programs.txt"), "--folder", str(folder / "labels")]


@pytest.mark.slow
def test_a_year_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = base(tmp_path)
    assert main(["train", "policy-check", *arguments, "--years", "2001"]) == 0
    shown = capsys.readouterr().out
    assert "nan" not in shown
    for words in (
        "first choices",
        "log loss beyond",
        "a draw from a step",
        "mean loss in discs",
        "ratings from the moves of",
    ):
        assert words in shown


def test_a_year_without_games_is_refused_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = base(tmp_path)
    assert main(["train", "policy-check", *arguments, "--years", "1999"]) == 2
    assert "1999" in (message := capsys.readouterr().err) and "2001 to 2001" in message
