"""Constants of the search that only a build for tuning lets options change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot import kernel
from othello_bot.engine import OPTIONS, Options

ROOT = Path(__file__).resolve().parents[2]

IN_A_BUILD_FOR_TUNING = """
from othello_bot import kernel

used = []
kernel.tuned_constants = lambda: (("probcut_width", 20, 500, "the width"),)
kernel.use_tuned_constants = lambda options: used.append(options.tune_probcut_width)

from othello_bot.engine import Engine, Limits, OptionError, Options, find_option
from othello_bot.rules import Position

assert find_option("tune-probcut-width").expected == "20 to 500 %"
with Engine(Options(hash=1, tune_probcut_width=150, seed=1)) as engine:
    engine.search(Position.start(), Limits(depth=1))
    engine.set_option("tune_probcut_width", "80")
    engine.search(Position.start(), Limits(depth=1))
assert used == [150, 80], used
assert Options().tune_probcut_width == 100
try:
    Options(tune_probcut_width=501)
except OptionError as error:
    print(error)
"""


def test_the_shipped_build_has_no_such_options() -> None:
    kernel.use_tuned_constants(Options())
    assert kernel.tuned_constants() == ()
    assert [option.name for option in OPTIONS if option.name.startswith("tune")] == []


@pytest.mark.process
def test_in_a_build_for_tuning_every_search_uses_the_options_of_its_engine() -> None:
    done = subprocess.run([sys.executable, "-c", IN_A_BUILD_FOR_TUNING], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "option tune_probcut_width 501: expected 20 to 500 %\n"


@pytest.mark.process
def test_a_build_says_what_it_expects() -> None:
    variables = os.environ | {"OTHELLO_BOT_BUILD_TUNING": "yes"}
    command = [sys.executable, "setup.py", "--name"]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert done.returncode == 1
    assert "OTHELLO_BOT_BUILD_TUNING=yes: expected 0 or 1" in done.stderr
