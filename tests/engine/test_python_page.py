"""docs/python.md and the pages in docs/python: their examples run, and they name everything that is public."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import othello_bot
from tests.house.test_rooms import ROOT

OVERVIEW = ROOT / "docs" / "python.md"
PAGES = sorted((ROOT / "docs" / "python").glob("*.md"))
REFERENCE = sorted((ROOT / "docs" / "python" / "reference").glob("*.md"))
MOST_LINES = 200


@pytest.mark.parametrize("page", [OVERVIEW, *PAGES], ids=lambda page: page.stem)
def test_the_examples(page: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, page.name, 0)
    assert examples.examples
    report: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=report.append).failed == 0, "".join(report)


def test_no_page_takes_the_place_of_one_of_sphinx() -> None:
    """Of two pages that are called search or genindex, the site would keep the one of Sphinx."""
    assert {page.stem for page in PAGES} & {"genindex", "py-modindex", "search"} == set()


def test_the_pages_are_short() -> None:
    assert len(PAGES) >= 8 and len(REFERENCE) >= 4
    assert [page.name for page in [*PAGES, *REFERENCE] if page.read_text().count("\n") > MOST_LINES] == []


def test_the_reference_has_every_public_name() -> None:
    text = "".join(page.read_text() for page in REFERENCE)
    listed = re.findall(r"^\.\. auto\w+:: [\w.]+\.(\w+)$", text, re.MULTILINE)
    assert {name for name in othello_bot.__all__ if not name.startswith("__")} - set(listed) == set()
