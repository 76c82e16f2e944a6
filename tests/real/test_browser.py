"""The engine in a browser: its tests in Pyodide under Node.js, and the page without a server in Chromium."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from othello_bot.suites.bench import signature
from tests.real.browser import Page, chromium
from tests.real.conftest import REPOSITORY, alone, run

ROOMS = ("rules", "kernel", "policy")
"""The tests that run in Pyodide: those that fit into a minute."""

LEFT_OUT = ("test_stop_from_another_thread_in_mid_search", "test_what_can_be_built_is_what_can_be_loaded")
"""Those that start threads, and those that read setup.py beside the engine."""

TESTERS = ("pytest==9.0.2", "hypothesis==6.135.26", "pytest-xdist==3.8.0", "typing-extensions==4.15.0")
"""Versions without compiled parts."""

MOST_MB = 15.0
"""The size of the page that docs/browser.md promises."""

PATIENCE_S = 900


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page without a server, once for all processes of this run; return its folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "page without a server"
    with alone(folder):
        if not (folder / "index.html").exists():
            said = run(REPOSITORY / "scripts" / "browser", folder, cwd=REPOSITORY)
            assert re.search(r": \d+\.\d MB$", said.strip())
    return folder


@pytest.fixture(scope="module")
def site(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the folder below a path by the standard library's server; yield the address."""
    root = tmp_path_factory.mktemp("site")
    (root / "club").mkdir()
    (root / "club" / "othello").symlink_to(exported)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *said: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/club/othello/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with chromium() as started:
        yield started


def test_the_size_of_the_page(exported: Path) -> None:
    assert sum(path.stat().st_size for path in exported.rglob("*") if path.is_file()) < MOST_MB * 1e6


def in_pyodide(exported: Path, folder: Path, *words: str) -> str:
    """Return what pytest says in Pyodide, which sees `folder`; it must succeed."""
    python = folder.parent / "pyodide"
    if not python.exists():
        python.mkdir()
        for path in (exported / "pyodide").iterdir():
            packed = path.suffix == ".packed"
            content = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
            (python / (path.stem if packed else path.name)).write_bytes(content)
    (engine,) = exported.glob("*/engine.zip")
    script = Path(__file__).with_name("pyodide.mjs")
    done = subprocess.run(
        ["node", str(script), str(python), str(engine), str(folder), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    return done.stdout


def test_the_tests_of_the_rules_and_the_kernel_pass_in_pyodide(exported: Path, tmp_path: Path) -> None:
    folder = tmp_path / "checkout"
    shutil.copytree(REPOSITORY / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(REPOSITORY / "docs", folder / "docs")
    for name in ("setup.cfg", "README.md"):
        shutil.copy2(REPOSITORY / name, folder)
    (folder / "tests" / "test_signature.py").write_text(
        "from othello_bot.suites.bench import signature\n\n\n"
        f"def test_signature() -> None:\n    assert signature() == {signature()}\n"
    )
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-cache-dir", "--no-compile", "--only-binary=:all:")
    run(*pip, "--target", folder / "packages", *TESTERS, cwd=tmp_path)
    places = [f"tests/{room}" for room in ROOMS]
    names = " and ".join(f"not {name}" for name in LEFT_OUT)
    chosen = ("-p", "no:xdist", "-q", "-m", "not real and not process and not slow", "-k", names)
    said = in_pyodide(exported, folder, *chosen, *places, "tests/test_signature.py")
    last = said.strip().splitlines()[-1]
    print(
        f"in Pyodide, {', '.join(ROOMS)}: {last}; left out: what starts processes or threads, reads setup.py, or takes long"
    )
    passed = re.search(r"(\d+) passed", last)
    assert passed and int(passed[1]) > 200, said[-2000:]


def test_the_page_plays_reviews_and_reads_files_without_a_server(site: str, browser: Chrome, tmp_path: Path) -> None:
    began_s = time.monotonic()
    page = Page(browser, site)
    board_s = time.monotonic() - began_s
    moves = page.play()
    print(f"board after {board_s:.1f} s, the computer's reply after {time.monotonic() - began_s:.1f} s")
    assert moves.startswith("f5")
    page.review("f5d6c3d3c4f4")
    page.mode("games")
    games = tmp_path / "games.txt"
    games.write_text("f5f6e6f4\n")
    page.import_files(games)
    page.until(lambda: page.all(".delete"))
    assert not [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    loaded = page.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert loaded and all(address.startswith((site, "blob:", "data:")) for address in loaded)
