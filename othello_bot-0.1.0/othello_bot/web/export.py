"""`othello-bot web --export FOLDER`: the page as static files, which any web host serves, under any path.

The engine runs in the browser, in a web worker: Pyodide's Python with the wheel that `scripts/release --browser` makes.
All addresses are relative. Whatever changes from version to version is named by its content, except index.html, which
lists all files, and the manifest. A service worker, sw.js, answers from what the page keeps for visits without a network.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole
from othello_bot.web.page_files import ALONE, PAGE, PageFiles, digest

PACKED: Final = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""The files of Pyodide that worker.js unpacks, because plain hosts compress nothing; pyodide.mjs is taken as it is."""

LOCK: Final = "pyodide-lock.json"

LEFT_OUT: Final = (
    *("arena/", "batch/", "book_growing/", "cli.py", "daemon/", "dialects/", "environments/", "ggs/"),
    *("play/", "suites/", "terminal/", "tools/", "training/", "web/static/"),
)
"""Parts of the package that the page does not use."""

OF_PEOPLE: Final = ("data/policy.packed",)
"""What the engine needs only for people's moves: it is loaded last."""

KEEPER: Final = "sw.js"
MANIFEST: Final = "manifest.webmanifest"

FORMER: Final = re.compile(r"[0-9a-f]{24}|pyodide(-[0-9a-f]{24})?|(engine|people)-[0-9a-f]{24}\.zip")
"""What an exported page consists of besides the files of fixed names."""


def export(folder: Path, pyodide: Path, wheel: Path) -> int:
    """Write the page to a folder, which is made; return the number of bytes. The page that was there before goes.

    `pyodide` is the folder of the npm package of that name, `wheel` the engine's wheel for it. Raise InputError for a
    folder that is not empty or has another page's files, and for parts that are missing; OSError.
    """
    missing = [name for name in ("pyodide.mjs", *PACKED, LOCK) if not (pyodide / name).is_file()]
    if missing:
        raise InputError("--pyodide", str(pyodide), f"the folder of the npm package pyodide, with {missing[0]}")
    if not wheel.is_file() or not zipfile.is_zipfile(wheel) or "wasm32" not in wheel.name:
        raise InputError("--wheel", str(wheel), "the engine's wheel for Pyodide (scripts/release --browser)")
    may_export_to(folder)
    page = PageFiles()
    python = _python(pyodide)
    engine = _archive(wheel, lambda name: name not in OF_PEOPLE)
    people = _archive(wheel, lambda name: name in OF_PEOPLE)
    parts = [f"pyodide-{digest(*python.values())}/", f"engine-{digest(engine)}.zip", f"people-{digest(people)}.zip"]
    files = {
        **{f"{page.edition}/{name}": content for name, content in page.contents() if name != KEEPER},
        **{parts[0] + name: content for name, content in python.items()},
        parts[1]: engine,
        parts[2]: people,
        MANIFEST: _manifest(page.edition),
    }
    # The page last: a browser that sees a new one asks for all that it lists.
    first = page.alone(" ".join(parts), MANIFEST, sorted(files))
    files |= {KEEPER: dict(page.contents())[KEEPER], PAGE: first}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, content)
    _remove_former(folder, {Path(name).parts[0] for name in files})
    return sum(map(len, files.values()))


def may_export_to(folder: Path) -> None:
    """Raise InputError for a folder with files that are no exported page."""
    if folder.exists() and not (folder.is_dir() and (_is_exported(folder / PAGE) or not any(folder.iterdir()))):
        raise InputError("--export", str(folder), "a new folder, an empty one, or one with an exported page")


def _is_exported(page: Path) -> bool:
    """Return whether a file is the first page of an exported one; another site's page would be lost."""
    return page.is_file() and ALONE in page.read_bytes()


def _python(pyodide: Path) -> dict[str, bytes]:
    """Return the files of Pyodide as the page stores them."""
    files = {f"{name}.packed": gzip.compress((pyodide / name).read_bytes(), mtime=0) for name in PACKED}
    lock = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    files[LOCK] = json.dumps({"info": lock["info"], "packages": {}}).encode()
    return {"pyodide.mjs": (pyodide / "pyodide.mjs").read_bytes(), **files}


def _archive(wheel: Path, wanted: Callable[[str], bool]) -> bytes:
    """Return an archive of those files of the wheel that the page uses and that are `wanted`."""
    made = io.BytesIO()
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for entry in source.infolist():
            inner = entry.filename.removeprefix("othello_bot/")
            if wanted(inner) and not inner.startswith(LEFT_OUT) and not inner.endswith(".pyi"):
                target.writestr(zipfile.ZipInfo(entry.filename), source.read(entry), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def _manifest(edition: str) -> bytes:
    """Return what a browser reads to install the page; addresses are relative to it."""
    icon = {"src": f"{edition}/icon.svg", "sizes": "any", "type": "image/svg+xml"}
    color = "#23785c"
    named = {"name": "othello-bot", "short_name": "othello-bot", "description": "Play, learn and review Othello"}
    shown = {"display": "standalone", "background_color": color, "theme_color": color, "icons": [icon]}
    return json.dumps({**named, "id": "./", "start_url": "./", "scope": "./", **shown}).encode()


def _remove_former(folder: Path, kept: set[str]) -> None:
    """Delete what another version of the page has left in its folder."""
    for path in folder.iterdir():
        if path.name in kept or not FORMER.fullmatch(path.name):
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
