"""The package's metadata: nothing of the tree is forgotten when it is installed by pip."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.checkout import REPOSITORY


def metadata() -> configparser.ConfigParser:
    """Return the contents of setup.cfg."""
    parser = configparser.ConfigParser()
    parser.read(REPOSITORY / "setup.cfg", encoding="utf-8")
    return parser


def test_every_package_is_listed() -> None:
    listed = set(metadata()["options"]["packages"].split())
    packages = {path.parent for path in (REPOSITORY / "othello_bot").rglob("__init__.py")}
    packages |= {REPOSITORY / "othello_bot" / "protocol"}  # a link, which rglob() does not follow
    assert listed == {".".join(package.relative_to(REPOSITORY).parts) for package in packages}


def test_every_kernel_source_is_built() -> None:
    kernel = REPOSITORY / "othello_bot" / "kernel"
    included = re.findall(r'^include "(.*)"$', (kernel / "core.pyx").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(included) == sorted(path.name for path in kernel.glob("*.pxi"))
    assert {path.stem for path in kernel.glob("*.pyx")} == {"core", "processor"}


def test_every_data_file_is_installed() -> None:
    patterns = metadata()["options.package_data"]["othello_bot"].replace(",", " ").split()
    data = [path for path in (REPOSITORY / "othello_bot" / "data").rglob("*") if path.is_file()]
    assert data
    for path in data:
        name = path.relative_to(REPOSITORY / "othello_bot")
        assert any(name.match(pattern) and len(name.parts) == pattern.count("/") + 1 for pattern in patterns), name


def test_a_build_in_place_needs_no_import_hook() -> None:
    """It does if a package is not in the folder of its name."""
    assert metadata()["options"]["package_dir"].split() == ["=", "."]


@pytest.mark.process
def test_the_pages_of_the_documentation_are_installed(tmp_path: Path) -> None:
    pytest.importorskip("Cython")
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True)
    pages = {path.name for path in (REPOSITORY / "docs").glob("*.md")}
    assert pages and {path.name for path in (tmp_path / "othello_bot" / "documents").iterdir()} == pages
    assert (tmp_path / "othello_bot" / "protocol" / "README.md").exists() and not (tmp_path / "tests").exists()


def test_the_engine_needs_nothing_at_run_time() -> None:
    assert metadata()["options"]["install_requires"].split() == ["typing-extensions>=4.4"]


def test_the_version_is_the_same_in_both_places() -> None:
    import othello_bot

    assert metadata()["metadata"]["version"] == othello_bot.__version__
