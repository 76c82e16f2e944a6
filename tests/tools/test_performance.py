"""scripts/measure performance --threads: which positions are searched, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
BOARD = "-" * 19 + "X" + "-" * 7 + "XX" + "-" * 6 + "XO" + "-" * 27
AFTER_D3 = f"{BOARD} O; c3:+0;"


def performance(*words: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "measure"), "performance", *words]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, check=False)


def test_threads_search_every_nth_position_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "three.obf"
    file.write_text(f"{AFTER_D3}\n" * 3, encoding="utf-8")
    words = ("--threads", "--positions", str(file), "--every", "2", "--plies", "3", "--repetitions", "1")
    ended = performance(*words)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "2 positions of three.obf, 3 plies at 73 %" in " ".join(ended.stdout.split())
    rows = [line.split("|")[1].strip() for line in ended.stdout.splitlines() if line.startswith("| ")]
    assert rows[-4:] == ["1", "2", "8", "32"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--threads", "--every", "2"], "--every needs --threads --positions FILE.obf"),
        (["--threads", "--plies", "9"], "--plies needs --threads --positions FILE.obf"),
        (["--positions", "some.obf"], "--positions needs --threads"),
        (["--beside", "old=othello-bot"], "--beside needs --whole"),
        (["--whole", "--beside", 'old="'], "argument --beside: 'old=\"': expected NAME=COMMAND"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(words: list[str], message: str) -> None:
    ended = performance(*words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.endswith(f"error: {message}\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "No such file or directory"),
        ("% nothing\n", "no positions"),
        ("what is this\n", "positions in OBF are accepted"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "some.obf"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    ended = performance("--threads", "--positions", str(file))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"scripts/measure performance: {file}: ")
    assert reason in ended.stderr and ended.stderr.count("\n") == 1


def test_a_reader_that_closes_the_pipe_ends_it_silently(tmp_path: Path) -> None:
    file = tmp_path / "one.obf"
    file.write_text(f"{AFTER_D3}\n", encoding="utf-8")
    words = ("--threads", "--positions", str(file), "--plies", "3", "--repetitions", "1")
    reading, writing = os.pipe()
    os.close(reading)
    ended = performance(*words, stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")
