"""`othello-bot train policy` and `policy-check`: a policy fitted to a base's games, and measured on those of a year."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import numpy as np
import pytest

from othello_bot.base.notation import PASS
from othello_bot.cli import main
from othello_bot.policy import unpack
from othello_bot.rules import Game
from othello_bot.training import policy_fit
from othello_bot.training.policy_games import Decisions
from tests.kernel.test_policy import as_table, cases, scores_of

PLAYERS = 10


def base(folder: Path, games: int = 30) -> list[str]:
    """Write a base of random games of a year; return the arguments that name it."""
    chance = random.Random(1)
    with open(folder / "games.pgn", "w") as file:
        for _ in range(games):
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


@pytest.mark.slow
def test_the_fit_makes_the_same_model_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "policy", *base(tmp_path, games=10), "--fit-to", "2001", "--choose", "2001", "--output"]
    made = []
    for name in ("one", "other"):
        assert main([*arguments, str(tmp_path / name)]) == 0
        made.append((tmp_path / name).read_bytes())
        for state in (tmp_path / "labels").glob("*.unfinished"):
            state.unlink()
    assert made[0] == made[1]
    assert "first choices" in capsys.readouterr().out
    assert unpack(made[0], "made").model()


@pytest.mark.parametrize("heat", [-0.3, 0.0, 0.3])
def test_a_model_is_made_as_sure_as_it_may_be(heat: float) -> None:
    chance = np.random.default_rng(3)
    model = policy_fit.Model(np.zeros(0, np.int32), np.zeros(0, np.uint32), 1)
    model.networks[:] = chance.normal(0, 0.15, len(model.networks))
    known = cases(800)
    movers, opponents, lasts = (np.array(column) for column in zip(*known, strict=True))
    scores = np.stack([np.asarray(as_table(scores_of(case, place))) for place, case in enumerate(known)])
    count = len(known)
    zeros = np.zeros(count, np.int32)
    unplayed = Decisions(
        movers.astype(np.uint64),
        opponents.astype(np.uint64),
        lasts.astype(np.uint8),
        zeros.astype(np.uint8),
        np.full(count, 1500, np.float32),
        zeros.astype(np.int16),
        zeros,
        zeros,
    )
    values = policy_fit.logarithms(model.kernel, unplayed, scores)
    moves = (values + chance.gumbel(size=values.shape)).argmax(1).astype(np.uint8)  # draws from the model
    played = dataclasses.replace(unplayed, moves=moves)
    right = float(model.networks[-4])
    model.networks[-4] += heat
    policy_fit.temper(model, played, scores)
    assert model.networks[-4] == pytest.approx(right, abs=0.08)
