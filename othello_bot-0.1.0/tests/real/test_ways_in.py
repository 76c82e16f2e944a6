"""The ways into an installed engine, each from an empty environment and without a compiler on the PATH.

The wheel is built once, with every variant of the kernel, from the source distribution, as `python -m build` does it.
pipx, uv and build are fetched into build/real.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from othello_bot.suites.bench import SIGNATURE
from tests.real.conftest import REPOSITORY, run

COMPILERS = ("cc", "gcc", "clang", "c99", "zig", "tcc")


@pytest.fixture(scope="session")
def wheel(distributions: Path) -> Path:
    """Return the wheel."""
    [found] = distributions.glob("*.whl")
    return found


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return a PATH that holds Python and what an installation needs, but no compiler."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "python3").symlink_to(sys.executable)
    for name in ("sh", "uname", "env", "realpath", "dirname"):
        (folder / name).symlink_to(str(shutil.which(name)))
    assert not any(shutil.which(name, path=str(folder)) for name in COMPILERS)
    return str(folder)


def test_the_source_distribution_holds_what_was_committed(distributions: Path) -> None:
    [packed] = distributions.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    needed = {name for name in listed.splitlines() if not name.startswith((".ci/", ".git"))}
    assert needed - held == set()
    assert not [name for name in held if name.endswith((".so", ".c", ".pyc"))]


def test_the_wheel_holds_every_variant_and_no_source_in_c(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    modules = [name for name in names if name.endswith(".so")]
    folders = {Path(name).parent.name for name in modules}
    if "x86_64" in wheel.name:
        assert folders == {"kernel", "baseline", "x86-64-v3", "x86-64-v4"}
    assert not [name for name in names if name.endswith((".c", ".pyx", ".pxi", ".pxd", ".h"))]


def test_pip_installs_the_wheel(wheel: Path, tmp_path: Path, path: str) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "empty", cwd=tmp_path)
    programs = tmp_path / "empty" / "bin"
    run(programs / "python", "-m", "pip", "install", "-q", "--no-deps", wheel, cwd=tmp_path, path=path)
    assert run(programs / "othello-bot", "version", cwd=tmp_path, path=path).startswith("othello-bot ")
    checked = run(programs / "python", REPOSITORY / "scripts/_setup/check_wheel.py", cwd=tmp_path, path=path)
    assert f"Bench: {SIGNATURE}" in checked
    assert "244" in run(programs / "python", "-m", "othello_bot", "perft", "4", cwd=tmp_path, path=path)


def test_pipx_runs_the_wheel(wheel: Path, tools: Path, tmp_path: Path, path: str) -> None:
    words = ("othello-bot", "version", "--verbose")
    shown = run(tools / "pipx", "run", "--no-cache", "--spec", wheel, *words, cwd=tmp_path, path=path)
    assert "\nkernel " in shown


def test_uvx_runs_the_wheel(wheel: Path, tools: Path, tmp_path: Path, path: str) -> None:
    words = ("othello-bot", "version", "--verbose")
    shown = run(tools / "uvx", "--python", sys.executable, "--from", wheel, *words, cwd=tmp_path, path=path)
    assert "\nkernel " in shown


@pytest.mark.parametrize(
    ("extra", "modules"),
    [
        ("arena", "othello_bot.arena.command othello_bot.arena.report_command dask distributed matplotlib rich"),
        ("train", "othello_bot.training.fit numpy scipy"),
        ("web", "othello_bot.web.command othello_bot.web.site tornado"),
    ],
)
def test_an_extra_comes_from_the_wheel(
    wheel: Path, tools: Path, tmp_path: Path, path: str, extra: str, modules: str
) -> None:
    """By uv, which takes a tenth of pip's time for the large packages."""
    python = tmp_path / "empty" / "bin" / "python"
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty", cwd=tmp_path)
    install = (tools / "uv", "pip", "install", "-q", "--python", python)
    run(*install, f"othello-bot[{extra}] @ {wheel.as_uri()}", cwd=tmp_path, path=path)
    run(python, "-c", f"import {', '.join(modules.split())}", cwd=tmp_path, path=path)
