"""The page as static files: relative addresses, what is packed, and what is refused."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.web.export import PACKED, export


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
        for name in ("othello_bot/__init__.py", "othello_bot/arena/match.py", "othello_bot/web/static/main.js"):
            archive.writestr(name, "content")
    return path


def test_the_page_has_relative_addresses_and_its_parts(tmp_path: Path, pyodide: Path, wheel: Path) -> None:
    folder = tmp_path / "out" / "page"
    size = export(folder, pyodide, wheel)
    page = (folder / "index.html").read_text()
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert all((folder / address).is_file() for address in addresses if not address.startswith("#"))
    assert not any(address.startswith(("/", "http")) for address in addresses)
    assert 'data-engine="worker"' in page
    edition = next(path for path in folder.iterdir() if len(path.name) == 24)
    assert (edition / "worker.js").is_file() and not (edition / "login.html").exists()
    with zipfile.ZipFile(edition / "engine.zip") as archive:
        assert archive.namelist() == ["othello_bot/__init__.py"]
    for name in PACKED:
        assert gzip.decompress((folder / "pyodide" / f"{name}.packed").read_bytes()).decode() == name * 100
    assert json.loads((folder / "pyodide" / "pyodide-lock.json").read_text())["packages"] == {}
    assert size == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert export(folder, pyodide, wheel) == size


def test_what_cannot_be_exported_is_refused_and_changes_nothing(tmp_path: Path, pyodide: Path, wheel: Path) -> None:
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
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
    assert [path.name for path in other.iterdir()] == ["thesis.txt"] and not (tmp_path / "page").exists()
