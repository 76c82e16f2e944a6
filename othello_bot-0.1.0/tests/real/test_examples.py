"""The examples of docs/python as users' own programs: mypy --strict and pyright have nothing to say about them."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real.conftest import REPOSITORY

PAGES = sorted((REPOSITORY / "docs" / "python").glob("*.md"))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a program for each page, made of its examples, and the programs of docs/examples."""
    folder = tmp_path_factory.mktemp("examples")
    for page in PAGES:
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        name = page.stem.replace("-", "_")
        (folder / f"page_{name}.py").write_text(doctest.script_from_examples("\n".join(blocks)), encoding="utf-8")
    for program in (REPOSITORY / "docs" / "examples").glob("*.py"):
        (folder / program.name).write_bytes(program.read_bytes())
    return folder


def test_mypy_finds_nothing(programs: Path) -> None:
    # Libraries without types of their own (OpenSpiel) are not what is checked.
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--config-file", "", "."]
    run = subprocess.run(command, cwd=programs, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_pyright_finds_nothing(programs: Path, node_modules: Path) -> None:
    command = ["node", str(node_modules / "pyright" / "index.js"), "--pythonpath", sys.executable, "."]
    run = subprocess.run(command, cwd=programs, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
