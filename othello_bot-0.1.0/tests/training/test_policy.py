"""`othello-bot train policy` and `policy-check`: a policy fitted to a base's games, and measured on those of a year."""

from __future__ import annotations

import dataclasses
import random
import re
from pathlib import Path

import pytest

from othello_bot.base.notation import PASS
from othello_bot.cli import main
from othello_bot.policy import unpack
from othello_bot.rules import Game
from othello_bot.training import policy_fit

PLAYERS = 10


def base(folder: Path, games: int = 30, years: tuple[int, ...] = (2001,)) -> list[str]:
    """Write a base of random games, so many a year; return the arguments that name it."""
    chance = random.Random(1)
    with open(folder / "games.pgn", "w") as file:
        for year in years * games:
            black, white = chance.sample(range(PLAYERS), 2)
            game = Game()
            while not game.is_over:
                game.play(chance.choice(game.position.legal_moves or (PASS,)))
            moves = game.transcript(passes=True)
            print(f'[Date "{year}"]\n[Black "p{black}"]\n[White "p{white}"]\n', file=file)
            print(*(moves[at : at + 2].replace("pa", "--") for at in range(0, len(moves), 2)), "*\n", file=file)
    assert main(["convert", str(folder / "games.pgn"), str(folder / "{year}.wtb")]) == 0
    (folder / "programs.txt").write_text("# none\n")
    files = [str(folder / f"{year}.wtb") for year in years]
    return [*files, "--programs", str(folder / "programs.txt"), "--folder", str(folder / "labels")]


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
        "loss expected of a move in discs, alone: rated 500 ",
        "loss expected of a move in discs, with searches: rated 500 ",
        "ratings from the moves of",
    ):
        assert words in shown


def test_so_many_positions_of_each_year_are_measured_and_nothing_is_told_of_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    arguments = base(tmp_path, 10, (2001, 2002))
    assert main(["train", "policy-check", *arguments, "--years", "2001", "2002", "--positions", "40"]) == 0
    shown = capsys.readouterr().out
    for year in (2001, 2002):
        counts = re.findall(rf"{year}: alone, all: (\d+) decisions", shown)
        assert len(counts) == 1 and 30 <= int(counts[0]) <= 40
        assert f"{year}: loss expected of a move in discs, alone: rated 500 " in shown
    assert "ratings from the moves of" not in shown
    assert "nan" not in shown and not recwarn.list


def test_a_year_without_games_is_refused_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = base(tmp_path)
    assert main(["train", "policy-check", *arguments, "--years", "1999"]) == 2
    assert "1999" in (message := capsys.readouterr().err) and "2001 to 2001" in message


@pytest.mark.parametrize("option", ["--fit-to", "--report"])
def test_a_fit_to_no_games_or_a_report_of_none_is_refused_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    arguments = [*base(tmp_path), "--output", str(tmp_path / "model"), "--report", "2001", option, "1999"]
    assert main(["train", "policy", *arguments]) == 2
    assert "1999" in capsys.readouterr().err and not (tmp_path / "labels").exists()


@pytest.mark.slow
def test_the_fit_makes_the_same_model_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "policy", *base(tmp_path, games=10), "--fit-to", "2001", "--report", "2001", "--output"]
    made = []
    for name in ("one", "other"):
        assert main([*arguments, str(tmp_path / name)]) == 0
        made.append((tmp_path / name).read_bytes())
        for state in (tmp_path / "labels").glob("*.unfinished"):
            state.unlink()
    assert made[0] == made[1]
    assert "first choices" in capsys.readouterr().out
    assert unpack(made[0], "made").model()


@pytest.mark.slow
def test_a_model_is_no_surer_of_the_moves_of_other_years_than_it_may_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tables with room for everything learn by heart what was played by chance.
    monkeypatch.setattr(policy_fit, "LEAST_SEEN", dict.fromkeys(policy_fit.LEAST_SEEN, 1))
    for part, passes in (("PATTERNS", 10), ("TRUST", 20), ("BLEND", 10)):
        settings = dataclasses.replace(getattr(policy_fit, part), passes=passes, batch=64)
        monkeypatch.setattr(policy_fit, part, settings)
    arguments, model = base(tmp_path, 20, (2001, 2002)), str(tmp_path / "model")
    fit = ["--fit-to", "2001", "--report", "2002", "--output", model]
    assert main(["train", "policy", *arguments, *fit]) == 0
    capsys.readouterr()
    assert main(["train", "policy-check", *arguments, "--model", model, "--years", "2002"]) == 0
    found = re.search(
        r"a draw from the model is the person's .* in (\S+) ± .*, its own in (\S+) %", capsys.readouterr().out
    )
    assert found
    persons, own = map(float, found.groups())
    assert own < 1.5 * persons
