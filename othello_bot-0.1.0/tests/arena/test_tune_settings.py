"""`match tune`: parameters and where they stand in the settings of an engine, files, and settings that are none."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from othello_bot.arena import tune
from othello_bot.arena.errors import ConfigError
from othello_bot.arena.spsa import Parameter
from othello_bot.arena.store import MatchStore
from othello_bot.arena.tune import configuration
from othello_bot.cli import main
from tests.arena.builders import mock_spec
from tests.arena.tunings import SimulatedTuning, arguments

# -- engines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "told"),
    [
        (("cmd=program --width {width}", "st=1"), "program --width 4"),
        (("mini-othello:2:end={width}",), "mini-othello:2:end=4"),
        (("cmd=program", "st=1", "init=width {width}"), "width 4"),
        (("cmd=program", "depth={width}"), "depth=4"),
    ],
)
def test_a_parameter_may_stand_anywhere_in_the_settings(engine: tuple[str, ...], told: str) -> None:
    _, tuning, settings = configuration(arguments("--tune", "width=4,1,8,1,int", engine=engine))
    made = tune.side_of(settings, tuning, ["4"], "+")
    assert told in (" ".join(made.command), made.strategy, *made.init, str(made.limits))
    assert "width" not in dict(made.options)


@pytest.mark.process
def test_a_process_gets_its_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    engine = mock_spec("--log", str(log))
    words = ["--tune", "width=4,1,8,1,int", "--iterations", "1", "--pairs", "1"]
    assert main(["match", "tune", "--engine", *shlex.split(engine), *words, "--store", str(tmp_path / "a.db")]) == 0
    assert {line.split()[-1] for line in log.read_text().splitlines() if "setoption" in line} >= {"3", "5"}
    capsys.readouterr()


@pytest.mark.process
def test_an_option_that_the_engine_does_not_have_is_refused_before_the_first_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "a.db"
    words = ["--engine", *shlex.split(mock_spec()), "--tune", "nonexistent=4,1,8,1", "--store", str(place)]
    assert main(["match", "tune", *words]) == 1
    error = capsys.readouterr().err
    assert "does not take nonexistent=4" in error and "unknown option" in error and "{nonexistent}" in error
    with MatchStore(place) as store:
        assert store.matches() == []
    for kind in ("engine", "self"):
        assert main(["match", "tune", "--engine", kind, "nodes=5", "--tune", "no=1,0,2,1", "--store", str(place)]) == 2
        assert "option name 'no'" in capsys.readouterr().err
        assert main(["match", "tune", "--engine", kind, "nodes=5", "--tune", "threads=1,0,999,1,int"]) == 2
        assert "option threads '0'" in capsys.readouterr().err


def test_an_option_of_whole_numbers_that_is_tuned_in_fractions_is_refused_before_the_first_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "a.db"
    for engine, option in (("mini-othello:1:end={end}", "end"), ("engine nodes=5", "hash")):
        words = ["--engine", *engine.split(), "name=one", "--tune", f"{option}=3,2,9,1", "--store", str(place)]
        assert main(["match", "tune", *words]) == 2
        assert "expected" in capsys.readouterr().err and not place.exists()


# -- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "parameters 'none'"),
        (("--tune", "x"), "NAME=START,MIN,MAX,STEP"),
        (("--tune", "=1,0,2,1"), "NAME=START,MIN,MAX,STEP"),
        (("--tune", "x=1,0,2"), "NAME=START,MIN,MAX,STEP"),
        (("--tune", "x=1,0,2,1,real"), "NAME=START,MIN,MAX,STEP"),
        (("--tune", "x=3,0,2,1"), "START of parameter 'x=3,0,2,1': expected 0 to 2"),
        (("--tune", "x=1,2,0,1"), "MIN and MAX of parameter"),
        (("--tune", "x=1,0,2,0"), "STEP of parameter"),
        (("--tune", "x=1,0,2,3"), "more than 0, at most 2"),
        (("--tune", "x=one,0,2,1"), "'one' in parameter 'x=one,0,2,1': expected a number"),
        (("--tune", "x=nan,0,2,1"), "expected a number"),
        (("--tune", "x=1e999,0,2,1"), "expected a number"),
        (("--tune", "x=1.5,0,2,1,int"), "'1.5' in parameter 'x=1.5,0,2,1,int': expected an integer"),
        (("--tune", "x=1,0,2,1", "--iterations", "0"), "iterations '0'"),
        (("--tune", "x=1,0,2,1", "--pairs", "x"), "pairs 'x'"),
        (("--tune", "x=1,0,2,1", "--gain", "-1"), "gain '-1'"),
        (("--tune", "x=1,0,2,1", "--alpha", "2"), "alpha '2'"),
        (("--tune", "x=1,0,2,1", "--engine", "cmd=other", "st=1"), "engines '2 engines': expected one"),
        (("--tune", "x=1,0,2,1", "--each", "option.x=5"), "option 'x'"),
    ],
)
def test_settings_that_are_none_say_what_would_be(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(told)):
        configuration(arguments(*words))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--tune", "x=1,0,2,1", "--seed", "1"), "tuning.parameters.0.step is 0.5 there"),
        (("--tune", "x=1,0,2,0.5", "--seed", "2"), "match.seed is 1 there"),
        (("--tune", "y=1,0,2,0.5"), 'tuning.parameters.0.name is "x" there'),
        (("--tune", "x=1,0,2,0.5", "z=1,0,2,0.5"), "tuning.parameters is"),
        (("--tune", "x=1,0,2,0.5", "--pairs", "3"), "tuning.pairs is 2 there"),
        (("--tune", "x=1,0,2,0.5", "--stability", "7"), "tuning.stability is 0.5 there"),
    ],
)
def test_another_tuning_in_the_store_is_not_replaced(store: MatchStore, words: tuple[str, ...], told: str) -> None:
    first = ("--tune", "x=1,0,2,0.5", "--iterations", 5)
    SimulatedTuning(store, *first).run()
    with pytest.raises(ConfigError, match=re.escape(told)):
        SimulatedTuning(store, *words, "--iterations", 5)
    SimulatedTuning(store, *words, "--iterations", 5, "--event", "another").run()
    assert SimulatedTuning(store, *first).run() and len(store.matches()) == 2


def test_a_tuning_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tune.toml"
    text = """
        openings = "random"
        seed = 4
        [[engine]]
        cmd = ["program", "{y}"]
        st = 0.1
        [tune]
        iterations = 70
        gain = 0.5
        [tune.parameters]
        x = [1, 0, 2.5, 0.5]
        y = "3,1,9,1,int"
    """
    path.write_text(text)
    parser = argparse.ArgumentParser()
    tune.add_arguments(parser)
    config, tuning, _ = configuration(parser.parse_args(["--config", str(path), "--pairs", "3", "--tune", "x=2,0,3,1"]))
    assert (config.rounds, config.seed, tuning.pairs, tuning.gain, tuning.seed) == (210, 4, 3, 0.5, 4)
    assert tuning.parameters == (Parameter("x", 2, 0, 3, 1), Parameter("y", 3, 1, 9, 1, True, True))
    assert main(["match", "--config", str(path)]) == 2
    assert "match tune" in capsys.readouterr().err
    for wrong, told in (
        ("iterations = 70", "speed = 3"),
        ("gain = 0.5", "gain = true"),
        ("[tune.parameters]", "[tune.params]"),
        ('y = "3,1,9,1,int"', "y = 3"),
    ):
        path.write_text(text.replace(wrong, told))
        assert main(["match", "tune", "--config", str(path), "--store", str(tmp_path / "a.db")]) == 2
    path.write_text("rounds = 5\n" + text)
    assert main(["match", "tune", "--config", str(path)]) == 2
    assert "'rounds'" in capsys.readouterr().err
