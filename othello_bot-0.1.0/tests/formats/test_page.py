"""docs/formats.md: its examples in Python run, and its messages are those of the program."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from othello_bot.cli import main
from tests.house.test_rooms import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def test_the_examples_in_python() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "formats.md", "formats.md", 0)
    assert len(examples.examples) >= 6
    report: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=report.append).failed == 0, "".join(report)


def test_the_message_about_a_bad_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club.txt").write_text("f5d6c3\n\nf5a1\n\nf5f6\n")
    assert main(["convert", "club.txt", "club.sgf"]) == 1
    for line in capsys.readouterr().err.splitlines():
        assert line.partition(" failed")[0] in PAGE
