"""`scripts/learn STEP`: which step runs, and the message for an unknown step."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from othello_bot.learning import commands
from othello_bot.learning.commands import ALL_ROUNDS, STEPS, main, overview

Calls: TypeAlias = list[tuple[str, list[str]]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Return the list of the steps that ran, each with its arguments; none of them does anything."""
    calls: Calls = []

    def pretend(name: str) -> Callable[[Sequence[str]], int]:
        def step(arguments: Sequence[str]) -> int:
            calls.append((name, list(arguments)))
            return 0

        return step

    monkeypatch.setattr(commands, "STEPS", {name: pretend(name) for name in STEPS})
    return calls


@pytest.mark.parametrize(
    ("words", "step", "arguments"),
    [
        (["fit", "--output", "new.weights"], "fit", ["--output", "new.weights"]),
        (["evaluate", "a.obf"], "evaluate", ["a.obf"]),
        (["all", "--share", "0.05"], ALL_ROUNDS, ["--share", "0.05"]),
        (["--share", "0.05"], ALL_ROUNDS, ["--share", "0.05"]),
        ([], ALL_ROUNDS, []),
    ],
)
def test_the_first_word_names_the_step_and_without_one_it_is_all_rounds(
    ran: Calls, words: list[str], step: str, arguments: list[str]
) -> None:
    assert main(words) == 0
    assert ran == [(step, arguments)]


def test_a_step_that_there_is_not_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fitt"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"step fitt: expected {', '.join(STEPS)}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_overview_names_every_step(
    ran: Calls, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    assert main([flag]) == 0
    assert ran == []
    assert capsys.readouterr().out == overview()
    monkeypatch.undo()
    for name, step in STEPS.items():
        assert f"  {name} " in overview()
        assert (step.__doc__ or "none").splitlines()[0] in overview()


@pytest.mark.parametrize("name", STEPS)
def test_every_step_tells_its_arguments_under_the_name_of_its_script(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    script = "scripts/evaluate" if name == "evaluate" else f"scripts/learn {name}"
    assert capsys.readouterr().out.startswith(f"usage: {script} [-h]")


@pytest.mark.parametrize("words", [("evaluate", "one.obf"), ("--help",), ("fit", "--help")])
def test_a_reader_that_closes_the_pipe_is_no_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "one.obf"
    file.write_text("OOOOOOO-OOOOOOXXOOXOOXXXOOXXOOXXOXOOOOXXOOOXXXXX-OXXXXXXOXXXXX-- X; +4;\n")
    with subprocess.Popen(
        [sys.executable, "-m", "othello_bot.learning", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0
