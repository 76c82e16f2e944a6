"""The page as static files: relative addresses, what is packed, and what is refused."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.cli import main
from othello_bot.web.export import PACKED, export
from tests.protocol.processes import is_gone_within


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    for name in ("pyodide.mjs", *PACKED):
        (folder / name).write_text(name * 100)
    (folder / "pyodide-lock.json").write_text(json.dumps({"info": {"version": "1"}, "packages": {"numpy": {}}}))
    return folder


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "othello_bot-1-cp311-abi3-pyemscripten_2026_0_wasm32.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("__init__.py", "arena/match.py", "web/static/main.js", "data/policy.packed"):
            archive.writestr(f"othello_bot/{name}", "content")
    return path


def parts(folder: Path) -> tuple[Path, Path, Path]:
    """Return the folder of Pyodide and the two archives that an exported page names."""
    named = re.search(r'data-engine="([^"]*)"', (folder / "index.html").read_text())
    assert named is not None
    python, engine, people = (folder / part for part in named[1].split())
    return python, engine, people


def kept(folder: Path) -> list[str]:
    """Return the files that the page lists, besides itself: what a browser keeps."""
    listed = re.search(
        r'<script type="application/json" id="all-files">(.*)</script>', (folder / "index.html").read_text()
    )
    assert listed is not None
    return list(json.loads(listed[1]))


def test_the_page_has_relative_addresses_and_its_parts(tmp_path: Path, pyodide: Path, wheel: Path) -> None:
    folder = tmp_path / "out" / "page"
    size = export(folder, pyodide, wheel)
    page = (folder / "index.html").read_text()
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert all((folder / address).is_file() for address in addresses if not address.startswith("#"))
    assert not any(address.startswith(("/", "http")) for address in addresses)
    edition = next(path for path in folder.iterdir() if len(path.name) == 24)
    assert (edition / "worker.js").is_file() and not (edition / "login.html").exists()
    python, engine, people = parts(folder)
    assert zipfile.ZipFile(engine).namelist() == ["othello_bot/__init__.py"]
    assert zipfile.ZipFile(people).namelist() == ["othello_bot/data/policy.packed"]
    for name in PACKED:
        assert gzip.decompress((python / f"{name}.packed").read_bytes()).decode() == name * 100
    assert json.loads((python / "pyodide-lock.json").read_text())["packages"] == {}
    assert size == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert export(folder, pyodide, wheel) == size


def test_it_can_be_installed_and_all_its_files_are_kept_for_visits_without_a_network(
    tmp_path: Path, pyodide: Path, wheel: Path
) -> None:
    export(tmp_path / "page", pyodide, wheel)
    files = kept(tmp_path / "page")
    there = {str(path.relative_to(tmp_path / "page")) for path in (tmp_path / "page").rglob("*") if path.is_file()}
    assert there - set(files) == {"sw.js", "index.html"} and len(files) == len(set(files)) == len(there) - 2
    manifest = json.loads((tmp_path / "page" / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == manifest["scope"] == "./"
    assert all((tmp_path / "page" / icon["src"]).is_file() for icon in manifest["icons"])


def test_another_engine_is_another_version_and_what_the_former_left_goes(
    tmp_path: Path, pyodide: Path, wheel: Path
) -> None:
    folder = tmp_path / "page"
    export(folder, pyodide, wheel)
    before, engine, keeper = kept(folder), parts(folder)[1], (folder / "sw.js").read_bytes()
    export(folder, pyodide, wheel)
    assert kept(folder) == before
    (folder / "mine.html").write_text("mine")
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("othello_bot/more.py", "more")
    export(folder, pyodide, wheel)
    assert kept(folder) != before and not engine.exists() and parts(folder)[1].exists()
    assert (folder / "sw.js").read_bytes() == keeper  # browsers take their time to replace a service worker
    assert (folder / "mine.html").read_text() == "mine"


def test_what_cannot_be_exported_is_refused_and_changes_nothing(tmp_path: Path, pyodide: Path, wheel: Path) -> None:
    other = tmp_path / "mine"
    other.mkdir()
    (other / "index.html").write_text("<!doctype html>\n<html lang=en>my own site")
    with pytest.raises(InputError, match=r"--export .*expected a new folder, an empty one"):
        export(other, pyodide, wheel)
    with pytest.raises(InputError, match="--export"):
        export(wheel, pyodide, wheel)
    with pytest.raises(InputError, match=r"--pyodide .*with pyodide.mjs"):
        export(tmp_path / "page", tmp_path / "nothing", wheel)
    (tmp_path / "other.whl").write_text("no archive")
    for wrong in (tmp_path / "other.whl", tmp_path / "lacking.whl"):
        with pytest.raises(InputError, match=r"--wheel .*scripts/release --browser"):
            export(tmp_path / "page", pyodide, wrong)
    assert [path.name for path in other.iterdir()] == ["index.html"] and "my own" in (other / "index.html").read_text()
    assert not (tmp_path / "page").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--export", "page", "--port", "0"], "--port is for the server of this command, not for --export"),
        (
            ["--export", "page", "--password-file", "pw"],
            "--password-file is for the server of this command, not for --export",
        ),
        (
            ["--export", "page", "--level", "21"],
            "an option of the engine is for the server of this command, not for --export",
        ),
        (["--wheel", "some.whl"], "--pyodide and --wheel are for --export"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["web", *words]) == 1
    assert capsys.readouterr().err == f"othello-bot web: {message}\n"


MAKER = """\
import subprocess, sys, tempfile, time
tempfile.mkdtemp()
compiler = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(compiler.pid, flush=True)
time.sleep(600)
"""
EXPORT = """\
import sys
from pathlib import Path
from othello_bot.__main__ import main
from othello_bot.web import command
command.PARTS_MAKER = Path(sys.argv.pop())
sys.exit(main())
"""


@pytest.mark.process
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_an_end_ends_the_making_of_the_parts(how: signal.Signals, tmp_path: Path) -> None:
    maker, temporary = tmp_path / "maker", tmp_path / "temporary"
    maker.mkdir()
    temporary.mkdir()
    (maker / "__main__.py").write_text(MAKER)
    command = [sys.executable, "-c", EXPORT, "web", "--export", str(tmp_path / "page"), str(maker)]
    variables = {**os.environ, "TMPDIR": str(temporary)}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=variables, start_new_session=True
    ) as exporting:
        assert exporting.stdout is not None
        compiler = int(exporting.stdout.readline())
        os.killpg(exporting.pid, how)
        assert is_gone_within(compiler, 30)
        told = exporting.communicate(timeout=60)[1]
    if how is signal.SIGINT:  # nothing is left of it
        assert exporting.returncode == 130 and "Traceback" not in told
        assert list(temporary.iterdir()) == []
