"""The README says nothing that is not so: its examples are run, its table is generated, its links lead somewhere."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys

import pytest

from tests.launcher.checkout import REPOSITORY

README = REPOSITORY / "README.md"


def test_its_examples_and_its_table_are_as_they_come_now() -> None:
    ended = subprocess.run(
        [sys.executable, str(REPOSITORY / "scripts" / "update-readme"), "--check"],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, f"run scripts/update-readme\n{ended.stdout}\n{ended.stderr}"


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
