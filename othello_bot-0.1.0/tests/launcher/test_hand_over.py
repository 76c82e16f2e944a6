"""scripts/othello-bot once everything is built: it starts the engine, and notices when it must build first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.checkout import REPOSITORY, Checkout

pytestmark = pytest.mark.process

INPUTS = (
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "scripts/_setup/__main__.py",
    "scripts/_setup/making.py",
    "othello_bot/kernel/core.pyx",
    "othello_bot/kernel/board.pxi",
    "othello_bot/kernel/bits.h",
)


def test_everything_passes_through(built: Checkout, tmp_path: Path) -> None:
    """Arguments, stdin, working directory, variables and exit status, by a symbolic link to a symbolic link."""
    elsewhere = tmp_path / "somewhere else"
    elsewhere.mkdir()
    (elsewhere / "first").symlink_to(built.root / "scripts" / "othello-bot")
    (elsewhere / "second").symlink_to("first")
    ended = subprocess.run(
        [str(elsewhere / "second"), "a b", "", "*", "--x=$HOME"],
        cwd=elsewhere,
        env=built.environment(),
        input="name\nquit\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == f"engine: ['a b', '', '*', '--x=$HOME'] in {elsewhere} reads 'name\\nquit\\n'\n"
    assert ended.stderr == ""
    assert ended.returncode == 7
    assert built.builds() == 1


@pytest.mark.parametrize(
    "how", ["sh scripts/othello-bot", "cd scripts && sh othello-bot", "PATH=scripts:$PATH othello-bot"]
)
def test_is_found_however_it_was_started(built: Checkout, how: str) -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", how],
        cwd=built.root,
        env=built.environment(),
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.startswith("engine: []")
    assert ended.stderr == ""


@pytest.mark.parametrize("path", ["setup.cfg", "othello_bot/kernel/bits.h"])
def test_a_changed_input_is_built_once(built: Checkout, path: str) -> None:
    """Also when its date lies in the future; the test of both sides has all inputs."""
    built.touch(path, later_s=1000.0)
    assert "building again" in built.run().stderr
    assert built.builds() == 2
    assert built.run().stderr == ""
    assert built.builds() == 2


@pytest.mark.parametrize("path", ["othello_bot/errors.py", "othello_bot/kernel/core.pyi", "scripts/test"])
def test_other_files_need_no_build(built: Checkout, path: str) -> None:
    built.touch(path)
    assert built.run().stderr == ""
    assert built.builds() == 1


def test_both_sides_watch_the_same_files(built: Checkout) -> None:
    """The quick check in ready.sh and the thorough one in environment.py: neither misses a file that the other sees."""
    listing = "import sys, pathlib, environment; print(*environment.inputs(pathlib.Path(sys.argv[1])), sep='\\n')"
    setup = REPOSITORY / "scripts" / "_setup"
    listed = subprocess.run(
        [sys.executable, "-c", listing, str(built.root)], cwd=setup, capture_output=True, text=True, check=True
    )
    inputs = [Path(line) for line in listed.stdout.splitlines()]
    assert {built.root / path for path in INPUTS} <= set(inputs)
    for path in inputs:
        before = path.stat()
        assert built.is_ready()
        built.touch(path)
        assert not built.is_ready(), path
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    built.touch(inputs[-1])
    assert "ready after" in built.run().stderr


def test_a_moved_checkout_is_built_again(built: Checkout, tmp_path: Path) -> None:
    moved = Checkout(tmp_path / "moved", built.tools, built.log)
    built.root.rename(moved.root)
    assert "ready after" in moved.run().stderr
    assert moved.run().stderr == ""


def test_a_python_that_went_away_is_replaced(built: Checkout) -> None:
    python = built.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nonexistent/python3.9")
    ended = built.run()
    assert "first start" in ended.stderr
    assert ended.stdout.startswith("engine:")


def test_removed_modules_are_built_again(built: Checkout) -> None:
    (built.root / "othello_bot" / "kernel" / "baseline" / "board.so").unlink()
    assert "ready after" in built.run().stderr
    assert built.run().stderr == ""


def test_the_callers_python_is_kept_out(built: Checkout) -> None:
    """A GUI's own Python settings must not break the engine's: every Python is started isolated."""
    built.touch("setup.cfg")
    odd = {"PYTHONPATH": "/odd", "PYTHONHOME": "/odd", "PIP_TARGET": "/odd", "PIP_INDEX_URL": "file:///kept"}
    ended = built.run(**odd)
    assert ended.stdout.startswith("engine:"), ended.stderr
    [*_, pip] = built.asked("pip", "install")
    assert "PIP_TARGET" not in pip[-1]
    assert pip[-1]["PIP_INDEX_URL"] == "file:///kept"
    assert not any(name.startswith("PYTHON") for name in pip[-1])
    assert {line[1] for line in built.asked()} == {"-I"}
