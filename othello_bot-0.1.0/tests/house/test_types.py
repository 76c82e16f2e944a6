"""Everything is checked for types: the packages, the tests and the scripts."""

from __future__ import annotations

import configparser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_script_in_python_is_checked() -> None:
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")
    checked = {word.strip() for word in settings["mypy"]["files"].replace("\n", ",").split(",")} - {""}
    files = [path for path in (ROOT / "scripts").iterdir() if path.is_file()]
    scripts = {f"scripts/{path.name}" for path in files if b"python" in path.read_bytes().partition(b"\n")[0]}
    folders = {f"scripts/{path.parent.name}" for path in (ROOT / "scripts").glob("*/*.py")}
    assert {name for name in checked if name.startswith("scripts/")} == scripts | folders
    assert {"othello_bot", "tests"} <= checked
