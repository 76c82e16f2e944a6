"""The variant of the kernel that a build in place chooses: asked of the processor, by a program that may not run."""

from __future__ import annotations

import os
import runpy
import shlex
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.launcher.checkout import REPOSITORY

pytestmark = pytest.mark.process


@pytest.fixture
def best_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Provide the function of setup.py in a checkout whose path has a quote and more, with a compiler of no other."""
    setuptools = pytest.importorskip("setuptools")
    pytest.importorskip("Cython")
    if shutil.which("cc") is None or os.uname().machine != "x86_64":
        pytest.skip("needs a C compiler and an x86-64 processor")
    monkeypatch.setattr(setuptools, "setup", lambda **settings: None)
    kernel = tmp_path / "it's $x" / "othello_bot" / "kernel"
    kernel.mkdir(parents=True)
    for header in (REPOSITORY / "othello_bot" / "kernel").glob("*.h"):
        shutil.copy(header, kernel)
    monkeypatch.chdir(kernel.parents[1])
    monkeypatch.setenv("CC", "cc")
    found: dict[str, Any] = runpy.run_path(str(REPOSITORY / "setup.py"))
    best: Callable[[], str] = found["best_here"]
    return best


def compiler_of_unusable_programs(folder: Path, where: str) -> str:
    """Return a compiler whose programs cannot be run if they lie below this path, as on a disk mounted noexec."""
    compiler = folder / "a cc"
    compiler.write_text(
        f'#!/bin/sh\ncc "$@" || exit\nfor last; do :; done\ncase $last in {where}*) chmod -x "$last";; esac\n'
    )
    compiler.chmod(0o755)
    return shlex.join([str(compiler)])


def test_a_folder_for_temporary_files_from_which_nothing_runs_does_not_matter(
    best_here: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    level = best_here()
    temporary = tmp_path / "noexec"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("CC", compiler_of_unusable_programs(tmp_path, shlex.quote(str(temporary))))
    assert best_here() == level
    assert "could not be asked" not in capfd.readouterr().err


def test_a_checkout_from_which_nothing_runs_asks_elsewhere(
    best_here: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = best_here()
    monkeypatch.setenv("CC", compiler_of_unusable_programs(tmp_path, shlex.quote(os.getcwd())))
    assert best_here() == level


def test_a_processor_that_cannot_be_asked_is_told(
    best_here: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", compiler_of_unusable_programs(tmp_path, ""))
    assert best_here() == "baseline"
    assert "kernel: made for every x86-64 processor, because this one could not be asked" in capfd.readouterr().err


def test_a_compiler_that_cannot_be_read_is_named(best_here: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/home/o'brien/cc")
    with pytest.raises(SystemExit, match="CC=/home/o'brien/cc: expected a command as a shell reads it"):
        best_here()
