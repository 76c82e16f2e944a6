"""The README's examples show the current output, and its links point to existing files."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.checkout import REPOSITORY

README = REPOSITORY / "README.md"


def check_examples(*options: str) -> None:
    """Run README's examples and assert that they print what it shows."""
    ended = subprocess.run(
        [sys.executable, str(REPOSITORY / "scripts" / "figures"), "readme", "--check", *options],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, f"run scripts/figures readme\n{ended.stdout}\n{ended.stderr}"


@pytest.mark.process
def test_its_quick_examples_show_the_present_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing was ever cached; tests/real runs the others too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    check_examples("--quick")


@pytest.mark.slow
def test_its_python_examples() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", str(README), 0)
    assert len(examples.examples) >= 4
    report: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=report.append).failed == 0, "".join(report)


def test_its_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert len(targets) >= 4
    for target in targets:
        assert "://" in target or (REPOSITORY / target).exists(), target


@pytest.mark.parametrize("script", ["scripts/othello-bot", "scripts/test"])
def test_it_begins_with_the_two_commands(script: str) -> None:
    first, second = re.findall(r"^\$ (.*)$", README.read_text(encoding="utf-8"), re.MULTILINE)[:2]
    assert script in (first, second)


def test_a_session_comes_before_the_command_that_runs_the_tests() -> None:
    text = README.read_text(encoding="utf-8")
    start, end = text.index("\n```session\n"), text.index("\n$ scripts/test\n")
    assert 0 < start < end
    session = text[start:end].split("```")[1]
    assert session.count("\nothello> ") == 5
    assert "a  b  c  d" not in session  # the boards are in a picture


def test_the_options_are_listed_in_the_reference_only() -> None:
    reference = (REPOSITORY / "protocol" / "README.md").read_text(encoding="utf-8")
    assert "| option | type | default |" in reference
    assert "| option | type | default |" not in README.read_text(encoding="utf-8")


def test_it_is_read_in_one_sitting() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 200
