"""The variant of the kernel that a build in place chooses: asked of the processor, by a program that may not run."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.launcher.checkout import REPOSITORY

pytestmark = pytest.mark.process


Build = Callable[[], "subprocess.CompletedProcess[str]"]

ASK = f"""
import runpy, setuptools
setuptools.setup = lambda **settings: None
print(runpy.run_path({str(REPOSITORY / "setup.py")!r})["best_here"]())
"""


@pytest.fixture
def best_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Provide what a build says in a checkout whose path has a quote and more, with a compiler of no other."""
    if shutil.which("cc") is None or os.uname().machine != "x86_64":
        pytest.skip("needs a C compiler and an x86-64 processor")
    kernel = tmp_path / "it's $x" / "othello_bot" / "kernel"
    kernel.mkdir(parents=True)
    for header in (REPOSITORY / "othello_bot" / "kernel").glob("*.h"):
        shutil.copy(header, kernel)
    monkeypatch.chdir(kernel.parents[1])
    monkeypatch.setenv("CC", "cc")
    return lambda: subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=False)


def compiler_of_unusable_programs(folder: Path, where: str) -> str:
    """Return a compiler whose programs cannot be run if they lie below this path, as on a disk mounted noexec."""
    compiler = folder / "a cc"
    compiler.write_text(
        f'#!/bin/sh\ncc "$@" || exit\nfor last; do :; done\ncase $last in {where}*) chmod -x "$last";; esac\n'
    )
    compiler.chmod(0o755)
    return shlex.join([str(compiler)])


def test_a_folder_for_temporary_files_from_which_nothing_runs_does_not_matter(
    best_here: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = best_here().stdout
    temporary = tmp_path / "noexec"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("CC", compiler_of_unusable_programs(tmp_path, shlex.quote(str(temporary))))
    there = best_here()
    assert there.stdout == usual != ""
    assert "could not be asked" not in there.stderr


def test_a_checkout_from_which_nothing_runs_asks_elsewhere(
    best_here: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = best_here().stdout
    monkeypatch.setenv("CC", compiler_of_unusable_programs(tmp_path, shlex.quote(os.getcwd())))
    assert best_here().stdout == usual != ""


def test_a_processor_that_cannot_be_asked_is_told(
    best_here: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", compiler_of_unusable_programs(tmp_path, ""))
    told = best_here()
    assert told.stdout == "baseline\n"
    assert "kernel: made for every x86-64 processor, because this one could not be asked" in told.stderr


def test_a_compiler_that_cannot_be_read_is_named(best_here: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/home/o'brien/cc")
    refused = best_here()
    assert refused.returncode == 1
    assert "CC=/home/o'brien/cc: expected a command as a shell reads it" in refused.stderr
