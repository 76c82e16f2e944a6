"""`othello-bot train`: the list of its steps, and what it says when a step cannot run."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot.training import command
from othello_bot.training.command import STEPS, TrainingStep
from tests.training.running import train


def test_the_help_lists_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        train(["--help"])
    assert ended.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, step in STEPS.items():
        about, _, _ = (step.run.__doc__ or "none").partition("\n\n")
        assert f" {name} {' '.join(about.split())}" in shown


@pytest.mark.parametrize("words", [["fitt"], [], ["--share", "0.05"]])
def test_a_step_must_be_named(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        train(words)
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == "" and "STEP" in told.err


@pytest.mark.parametrize("name", STEPS)
def test_every_step_tells_its_arguments(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        train([name, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: othello-bot train {name} [-h]")


def test_without_the_extra_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(options: argparse.Namespace) -> int:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setitem(command.STEPS, "fit", TrainingStep(lambda parser: None, run))
    assert train(["fit"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("othello-bot train fit: the step needs numpy; install it with: ") and "[train]" in told


@pytest.mark.process
def test_its_arguments_need_no_extra() -> None:
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['scipy'] = sys.modules['dask'] = None\n"
        "from othello_bot.cli import parsers; parsers()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["../elsewhere", "/tmp/elsewhere", "*", "", "two words"])
def test_the_name_of_a_collection_is_no_path(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        train(["make-positions", "--folder", str(tmp_path / "folder"), "--name", name, "--shards", "1"])
    assert ended.value.code == 2 and "expected letters" in capsys.readouterr().err and not list(tmp_path.iterdir())
