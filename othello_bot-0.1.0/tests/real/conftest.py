"""Shared by the tests against other programs and those that take long.

Only `scripts/test --real` runs them; none is skipped, but for the container's test where it takes root.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.real.desktop import Desktop

REPOSITORY = Path(__file__).resolve().parents[2]
NODE_DIRECTORY = REPOSITORY / "build" / "real"
"""Where npm puts its packages: out of the version control's sight, kept from run to run."""
TOOLS = REPOSITORY / "build" / "python-tools"
"""The environment of the tools that build and install; out of the version control's sight, kept from run to run."""

PATIENCE_S = 900


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this directory as `real`."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.real)


def run(*command: str | Path, cwd: Path, path: str | None = None) -> str:
    """Run a command that must succeed, outside of the checkout; return what it printed on standard output."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OTHELLO_BOT_"))}
    ended = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=variables | {} if path is None else variables | {"PATH": path, "CC": "/nonexistent/cc"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, f"{command}: {ended.returncode}\n{ended.stdout[-2000:]}\n{ended.stderr[-4000:]}"
    return ended.stdout


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    """Provide a separate screen for each test."""
    with Desktop() as screen:
        yield screen


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep the other processes of this run, which need the same thing, waiting while it is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """Install the packages of package.json and return their folder."""
    with alone(NODE_DIRECTORY):
        return _node_modules()


def _node_modules() -> Path:
    wanted = Path(__file__).with_name("package.json").read_text()
    manifest = NODE_DIRECTORY / "package.json"
    if not manifest.exists() or manifest.read_text() != wanted or not (NODE_DIRECTORY / "complete").exists():
        shutil.rmtree(NODE_DIRECTORY, ignore_errors=True)
        NODE_DIRECTORY.mkdir(parents=True)
        manifest.write_text(wanted)
        _npm_install()
        (NODE_DIRECTORY / "complete").touch()
    return NODE_DIRECTORY / "node_modules"


def _npm_install() -> None:
    """Let npm fetch the packages, up to four times, because a download may fail."""
    command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    for pause_s in (5, 15, 60, 0):
        done = subprocess.run(command, cwd=NODE_DIRECTORY, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        time.sleep(pause_s)
    pytest.fail(f"npm install failed: {done.stderr}")


@pytest.fixture(scope="session")
def tools() -> Path:
    """Install build, pipx and uv; return their folder."""
    with alone(TOOLS):
        return _tools()


def _tools() -> Path:
    programs = TOOLS / "bin"
    if (
        not (programs / "uvx").exists()
        or not (programs / "pipx").exists()
        or not (programs / "pyproject-build").exists()
    ):
        shutil.rmtree(TOOLS, ignore_errors=True)
        run(sys.executable, "-m", "venv", TOOLS, cwd=REPOSITORY)
        run(programs / "python", "-m", "pip", "install", "-q", "build", "pipx", "uv", cwd=REPOSITORY)
    return programs


@pytest.fixture(scope="session")
def distributions(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution, and the wheel from it, once for all processes of this run; return their folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "distributions"
    with alone(folder):
        if not any(folder.glob("*.whl")):
            folder.mkdir(exist_ok=True)
            run(tools / "python", "-m", "build", "--outdir", folder, REPOSITORY, cwd=folder)
    return folder


@pytest.fixture(scope="session")
def for_browsers(distributions: Path) -> Path:
    """Build the wheel for Pyodide, and the page without a server, once for all processes; return their folder.

    The archive of the page is unpacked in the folder `page`, as a person does it.
    """
    folder = distributions.with_name("for browsers")
    with alone(folder):
        if not (folder / "page").is_dir():
            folder.mkdir(exist_ok=True)
            (source,) = distributions.glob("*.tar.gz")
            run(sys.executable, REPOSITORY / "scripts" / "_browser", "release", source, folder, cwd=folder)
            (archive,) = folder.glob("*.zip")
            shutil.unpack_archive(archive, folder)
            (folder / archive.stem).rename(folder / "page")
    return folder


def python_of_page(for_browsers: Path) -> Path:
    """Return a folder with the page's Python, unpacked; once for all processes."""
    folder = for_browsers / "python of the page"
    with alone(folder):
        if not folder.is_dir():
            making = for_browsers / "python of the page, unfinished"
            making.mkdir()
            (packed,) = (for_browsers / "page").glob("pyodide-*")
            for path in packed.iterdir():
                if path.suffix == ".packed":
                    (making / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
                else:
                    shutil.copy2(path, making)
            making.rename(folder)
    return folder
