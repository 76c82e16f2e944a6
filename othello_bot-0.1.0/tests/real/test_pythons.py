"""The quick tests under other Pythons that this machine has, each in an environment of its own.

A Python is found on the PATH or among those of pyenv. The package comes from the source distribution.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.conftest import run

VERSIONS = ("3.10", "3.12", "3.14")


def places(version: str) -> Iterator[Path]:
    """Yield the files that may be a Python of a version."""
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    for folder in [*map(Path, os.get_exec_path()), *sorted(pyenv.glob(f"versions/{version}.*/bin"))]:
        if (folder / f"python{version}").is_file():
            yield folder / f"python{version}"


def starts(python: Path) -> bool:
    """Return whether this is a Python that can make environments, not the front of one that is not chosen."""
    return subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0


def others() -> Iterator[tuple[str, Path]]:
    """Yield each of these versions that this machine has beside the Python that runs these tests."""
    for version in VERSIONS:
        if version != f"{sys.version_info.major}.{sys.version_info.minor}":
            yield from ((version, python) for python in [next(filter(starts, places(version)), None)] if python)


@pytest.mark.parametrize(("version", "python"), list(others()))
def test_the_quick_tests_pass(distributions: Path, tools: Path, tmp_path: Path, version: str, python: Path) -> None:
    [packed] = distributions.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path)
    [unpacked] = tmp_path.iterdir()
    run(python, "-m", "venv", unpacked / ".venv", cwd=tmp_path)
    inside = unpacked / ".venv" / "bin" / "python"
    install = (tools / "uv", "pip", "install", "-q", "--python", inside)
    run(*install, "-e", ".[arena,test,train,web]", cwd=unpacked)
    # tests/house needs version control, and is the same under every Python. One process, because each would have to
    # collect all tests, beside the other real tests that run now.
    words = ("-m", "pytest", "-q", "-n", "0", "-m", "not real and not process and not slow", "--ignore=tests/house")
    assert " passed" in run(inside, *words, cwd=unpacked)
    shutil.rmtree(unpacked)
