"""The environments of the libraries, which `scripts/test --libraries` makes and keeps, and its options."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from othello_bot.base.files import cache_folder
from tests.real.conftest import PATIENCE_S, REPOSITORY, alone, run, tools

__all__ = ["REPOSITORY", "tools"]

REQUIREMENTS: Final = {
    "cli-othello": "cli-othello==1.0.8",
    "creversi-python": "creversi-python==0.1.0",
    "kaggle-environments": "kaggle-environments==1.33.2",
    "ludax": "ludax==1.0.0",
    "open_spiel": "open_spiel==2.0.2",
    "othellopy": "othellopy==0.2.5",
    "pgx": "pgx==2.6.0",
    "pyffish": "pyffish==0.0.90",
    "pyreversi": "pyreversi==2.1.2",
    "reversi-ai": "reversi-ai==0.2.1",
    "reversi42": "reversi42==7.0.13",
    "rust-reversi": "rust-reversi==1.4.4",
    "simple-othello": "simple-othello==1.2.7",
    "textarena": "textarena==0.7.4",
    "ray": "ray[rllib]==2.60.0 torch==2.15.0 pettingzoo==1.27.0",
    "sb3-contrib": "sb3-contrib==2.9.2 torch==2.15.0",
    "tianshou": "tianshou==2.0.1 torch==2.15.0 pettingzoo==1.27.0",
    "torchrl": "torchrl==0.14.1 torch==2.15.0 gymnasium==1.4.0 pettingzoo==1.27.0",
}
"""What each environment has, apart from what this program needs."""

Script = Callable[..., Any]
"""Runs a program (its words after `python`) in the environment of a library; returns the JSON of its last line."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of `scripts/test --libraries`."""
    parser.addoption("--write", action="store_true", help="write the table of docs/python/other-libraries.md anew")
    parser.addoption("--newest", action="store_true", help="the newest versions instead of the pinned ones")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this directory as `real`, which the other commands leave out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.real)


def environment(name: str, uv: Path, newest: bool) -> Path:
    """Return the Python of a library's environment, which is made where it is missing; skip where that fails."""
    wanted = REQUIREMENTS[name].split()
    if newest:
        wanted = [requirement.partition("==")[0] for requirement in wanted]
    folder = cache_folder() / "libraries" / (f"{name}-newest" if newest else name)
    python, made = folder / "bin" / "python", folder / "requirements.txt"
    with alone(folder):
        if newest or not made.exists() or made.read_text().split() != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            try:
                run(uv, "venv", "-q", "--python", sys.executable, folder, cwd=folder.parent)
                run(uv, "pip", "install", "-q", "--python", python, *wanted, "typing-extensions", cwd=folder.parent)
            except AssertionError as failed:
                shutil.rmtree(folder, ignore_errors=True)
                pytest.skip(f"{' '.join(wanted)} cannot be installed: {str(failed)[-500:]}")
            made.write_text("\n".join(wanted))
    return python


@pytest.fixture
def newest(pytestconfig: pytest.Config) -> bool:
    """Return whether the newest versions are asked for."""
    return bool(pytestconfig.getoption("--newest", default=False))


@pytest.fixture
def script(tools: Path, newest: bool, tmp_path: Path) -> Script:
    """Return what runs a program in the environment of a library, from an empty folder."""

    def ran(name: str, *words: str | Path, own: bool = False) -> Any:
        python = Path(sys.executable) if own else environment(name, tools / "uv", newest)
        done = subprocess.run(
            [python, "-P", *words],
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "JAX_PLATFORMS": "cpu"},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return json.loads(done.stdout.splitlines()[-1])

    return ran
