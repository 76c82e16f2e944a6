"""The command that a message gives for an optional library: it leaves a checkout's installation in place."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path

import pytest

from othello_bot.base.version import install_command

ROOT = Path(__file__).resolve().parents[2]


def test_a_checkout_is_installed_in_place_from_any_folder() -> None:
    words = shlex.split(install_command("arena"))
    assert words == [sys.executable, "-m", "pip", "install", "-e", f"{ROOT}[arena]"]


def test_a_checkout_in_a_folder_with_spaces_is_quoted(tmp_path: Path) -> None:
    root = tmp_path / "my games"
    (root / "othello_bot").mkdir(parents=True)
    (root / "setup.cfg").touch()
    assert shlex.split(install_command("web", root / "othello_bot"))[-1] == f"{root}[web]"


def test_an_installed_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "othello_bot"
    assert shlex.split(install_command("arena", package))[1:] == ["-m", "pip", "install", "othello-bot[arena]"]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert install_command("arena", package).startswith("uv pip install --python ")


def test_no_page_says_what_would_replace_the_installation_of_a_checkout() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        for line in page.read_text(encoding="utf-8").splitlines():
            assert "install '.[" not in line and "install .[" not in line, f"{page}: {line}"
