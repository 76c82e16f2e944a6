"""The adapters for rust-reversi and CodinGame."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.session.harness import COMMAND, TIMEOUT_S

pytestmark = pytest.mark.process

EMPTY_ROWS = "........\n" * 3
FAST = ["--depth", "2", "--no-book"]


def play(arguments: list[str], text: str) -> tuple[int, list[str], str]:
    raw = text.encode("utf-8", "surrogateescape")
    # As strict about text as Python is by default, whatever the locale of the tests.
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        [*COMMAND, "play-as", *arguments],
        input=raw,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
        env=environment,
    )
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


@pytest.mark.parametrize(("color", "legal"), [("BLACK", {19, 26, 37, 44}), ("WHITE", {20, 29, 34, 43})])
def test_rust_reversi(color: str, legal: set[int]) -> None:
    board = "---------------------------OX------XO---------------------------"
    code, lines, problem = play(["rust-reversi", *FAST, color], f"ping\n{board}\n{board}\nexit\n{board}\n")
    assert (code, problem) == (0, "")
    assert lines[0] == "pong" and len(lines) == 3
    assert lines[1] == lines[2] and int(lines[1]) in legal


def test_rust_reversi_ends_with_its_input() -> None:
    assert play(["rust-reversi", "BLACK"], "") == (0, [], "")


def test_codingame() -> None:
    first = f"{EMPTY_ROWS}...10...\n...01...\n{EMPTY_ROWS}4\nd3\nc4\nf5\ne6\n"
    second = f"{EMPTY_ROWS}...10...\n...000..\n...1....\n........\n........\n5\nc3\nd3\nc4\nc7\nd7\n"
    code, lines, problem = play(["codingame", *FAST], f"0\n8\n{first}{second}")
    assert (code, problem) == (0, "")
    assert lines[0] in ("d3", "c4", "f5", "e6")
    assert lines[1] in ("c3", "d3", "c4", "c7", "d7")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["rust-reversi", "BLACK"], "garbage\n"),
        (["rust-reversi", "BLACK"], "\udcff\udc80\n"),
        (["codingame"], "7\n8\n"),
        (["codingame"], "0\n10\n"),
        (["codingame"], "0" * 5000 + "\n8\n"),
    ],
)
def test_nonsense_is_reported(arguments: list[str], text: str) -> None:
    code, lines, problem = play(arguments, text)
    assert code == 1 and lines == []
    assert problem.startswith("othello-bot: ") and problem.count("\n") == 1
