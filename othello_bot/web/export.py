"""`othello-bot web --export FOLDER`: the page as static files, which any web host serves, under any path.

The engine runs in the browser, in a web worker: Pyodide's Python with the wheel that `scripts/release --browser` makes.
All addresses are relative. What changes from version to version lies in folders named by its content; index.html names
them.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole
from othello_bot.web.page_files import PAGE, PageFiles

PACKED: Final = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""The files of Pyodide that worker.js unpacks, because plain hosts compress nothing; pyodide.mjs is taken as it is."""

LEFT_OUT: Final = ("arena/", "training/", "ggs/", "environments/", "documents/", "web/static/", "cluster/")
"""Parts of the package that the page does not use."""


def export(folder: Path, pyodide: Path, wheel: Path) -> int:
    """Write the page to a folder, which is made; return the number of bytes.

    `pyodide` is the folder of the npm package of that name, `wheel` the engine's wheel for it. Raise InputError for a
    folder that is not empty or has another page's files, and for parts that are missing; OSError.
    """
    missing = [name for name in ("pyodide.mjs", *PACKED, "pyodide-lock.json") if not (pyodide / name).is_file()]
    if missing:
        raise InputError("--pyodide", str(pyodide), f"the folder of the npm package pyodide, with {missing[0]}")
    if not wheel.is_file() or not zipfile.is_zipfile(wheel) or "wasm32" not in wheel.name:
        raise InputError("--wheel", str(wheel), "the engine's wheel for Pyodide (scripts/release --browser)")
    if folder.exists() and not (folder.is_dir() and ((folder / PAGE).is_file() or not any(folder.iterdir()))):
        raise InputError("--export", str(folder), "a new folder, an empty one, or one with an exported page")
    page = PageFiles()
    place = folder / page.edition
    place.mkdir(parents=True, exist_ok=True)
    for name, content in page.contents():
        write_whole(place / name, content)
    write_whole(place / "engine.zip", packed_engine(wheel))
    python = folder / "pyodide"
    python.mkdir(exist_ok=True)
    write_whole(python / "pyodide.mjs", (pyodide / "pyodide.mjs").read_bytes())
    for name in PACKED:
        write_whole(python / f"{name}.packed", gzip.compress((pyodide / name).read_bytes(), mtime=0))
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    write_whole(python / "pyodide-lock.json", json.dumps({"info": lock["info"], "packages": {}}).encode())
    write_whole(folder / PAGE, page.alone())
    return sum(path.stat().st_size for path in (folder / PAGE, *place.iterdir(), *python.iterdir()))


def packed_engine(wheel: Path) -> bytes:
    """Return an archive of what the page uses of the wheel."""
    made = io.BytesIO()
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for entry in source.infolist():
            inner = entry.filename.removeprefix("othello_bot/")
            if not inner.startswith(LEFT_OUT) and not inner.endswith(".pyi"):
                target.writestr(zipfile.ZipInfo(entry.filename), source.read(entry), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()
