"""Help and messages on terminals of every width: lines break between words, and words stay whole."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

import pytest

from othello_bot.base.visible import columns_of
from othello_bot.cli import SUBCOMMANDS, main


def show_on_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Make both streams terminals of this width."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)


def lines_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return what a command shows, on both streams, without the escapes of colours and progress."""
    with contextlib.suppress(SystemExit):
        main(list(words))
    said = capsys.readouterr()
    return re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", said.out + said.err).splitlines()


def too_long(lines: list[str], columns: int) -> list[str]:
    """Return the lines that a terminal breaks, except those of one word."""
    return [line for line in lines if columns_of(line) > columns and len(line.split()) > 1]


@pytest.mark.parametrize("columns", [40, 57, 80, 120, 200])
def test_help_fits_every_width(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show_on_terminal(monkeypatch, columns)
    for command in ("", *SUBCOMMANDS):
        lines = lines_of(capsys, *command.split(), "--help")
        assert lines and too_long(lines, columns) == [], command
    for words in (["help"], ["play", "--strategies"]):
        lines = lines_of(capsys, *words)
        assert lines and too_long(lines, columns) == [], words


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_messages_fit_every_width(
    columns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show_on_terminal(monkeypatch, columns)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("f5d6c3 what is this supposed to be\n")
    for words in (
        ["convert", "a.txt", "out.ggf"],
        ["convert", "none.txt", "out.jou"],
        ["review", "none.txt", "a.txt"],
        ["help", "nothing"],
        ["play", "--load", "none.txt"],
        ["match", "report", "none.db"],
    ):
        lines = lines_of(capsys, *words)
        assert lines and too_long(lines, columns) == [], words


def test_programs_get_whole_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever COLUMNS says: only a terminal has a width."""
    monkeypatch.chdir(tmp_path)
    told = {}
    for columns in ("", "30"):
        monkeypatch.setenv("COLUMNS", columns)
        told[columns] = [
            lines_of(capsys, *words)
            for words in (
                ["--help"],
                ["convert", "--help"],
                ["convert", "none.txt", "out.jou"],
                ["play", "--strategies"],
            )
        ]
    assert told[""] == told["30"]
    assert len(told["30"][2]) == 1
