"""A Python without SQLite: the engine runs there, and what needs a database says so in a line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot.book.store import Store
from tests.launcher.checkout import REPOSITORY

pytestmark = pytest.mark.process

COMMAND = """
import sys
sys.modules["_sqlite3"] = None
from othello_bot.cli import main
sys.exit(main())
"""
"""Starts the command as a Python does that was built without SQLite: its module `sqlite3` finds no `_sqlite3`."""


def run(place: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in an empty folder with a cache of its own, with text on its standard input."""
    variables = os.environ | {"PYTHONPATH": str(REPOSITORY), "XDG_CACHE_HOME": str(place)}
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        cwd=place,
        env=variables,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_session_is_held_with_the_shipped_book_but_without_a_growing_one(tmp_path: Path) -> None:
    Store(str(tmp_path / "mine.book"), create=True).close()
    ended = run(tmp_path, "--gtp", typed="setoption book-file mine.book\ngenmove b\nquit\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    refusal, move, _ = ended.stdout.split("\n\n")[:3]
    assert refusal.startswith("? ") and "this Python has no SQLite" in refusal
    assert move.startswith("= ") and len(move) == 4


def test_nboard_is_told_why_nothing_is_learned(tmp_path: Path) -> None:
    squares = f"{'-' * 27}O*------*O{'-' * 27}"
    game = f"(;GM[Othello]PB[a]PW[b]TY[8]BO[8 {squares} *]B[F5]W[D6]B[C3];)"
    ended = run(tmp_path, "--nboard", typed=f"nboard 2\nset game {game}\nlearn\nquit\n")
    assert ended.returncode == 0
    assert "SQLite" in ended.stdout + ended.stderr, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("match", "--engine", "random", "--engine", "random", "--rounds", "1", "--store", "games.db"),
        ("match", "report", "games.db"),
        ("review", "game.txt"),
        ("book", "grow", "mine.book", "--time", "1s"),
    ],
)
def test_a_command_that_needs_a_database_says_so_in_a_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "game.txt").write_text("f5d6c3d3c4\n", encoding="ascii")
    if words[1:2] == ("report",):
        (tmp_path / "games.db").touch()
    ended = run(tmp_path, *words)
    assert ended.returncode in (1, 2)
    assert "this Python has no SQLite" in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr


def test_help_completion_and_doctor_need_none(tmp_path: Path) -> None:
    assert run(tmp_path, "match", "--help").returncode == 0
    assert "complete" in run(tmp_path, "completion", "bash").stdout
    assert "sqlite missing" in run(tmp_path, "doctor", "--no-test").stdout.splitlines()
