"""`scripts/learn STEP`: which step runs, and the message for an unknown step."""

from __future__ import annotations

import pytest

from othello_bot.learning import commands
from othello_bot.learning.commands import ALL_ROUNDS, STEPS, main, overview


@pytest.fixture
def ran(monkeypatch):
    """Return the list of the steps that ran, each with its arguments; none of them does anything."""
    calls: list[tuple[str, list[str]]] = []

    def pretend(name: str):
        return lambda arguments: calls.append((name, list(arguments))) or 0

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
def test_the_first_word_names_the_step_and_without_one_it_is_all_rounds(ran, words, step, arguments):
    assert main(words) == 0
    assert ran == [(step, arguments)]


def test_a_step_that_there_is_not_is_refused_with_those_that_there_are(capsys):
    assert main(["fitt"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"step fitt: expected {', '.join(STEPS)}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_overview_names_every_step(ran, monkeypatch, capsys, flag):
    assert main([flag]) == 0
    assert ran == []
    assert capsys.readouterr().out == overview()
    monkeypatch.undo()
    for name, step in STEPS.items():
        assert f"  {name} " in overview()
        assert (step.__doc__ or "none").splitlines()[0] in overview()


@pytest.mark.parametrize("name", STEPS)
def test_every_step_tells_its_arguments_under_the_name_of_its_script(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    script = "scripts/evaluate" if name == "evaluate" else f"scripts/learn {name}"
    assert capsys.readouterr().out.startswith(f"usage: {script} [-h]")
