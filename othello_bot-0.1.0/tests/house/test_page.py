"""The pages: docs/development/house.md describes the tree as it is, links lead somewhere, and no page is endless."""

from __future__ import annotations

import re

import pytest

from tests.house.test_rooms import FLOOR_OF, ROOT

PAGE = (ROOT / "docs" / "development" / "house.md").read_text(encoding="utf-8")
PAGES = sorted(path for folder in ("docs", "protocol") for path in (ROOT / folder).rglob("*.md"))
MOST_LINES = 200


def test_the_page_has_every_room_on_its_floor() -> None:
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", PAGE, re.MULTILINE)
    told = {name: int(floor) for floor, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == FLOOR_OF


def test_each_question_of_a_newcomer_is_answered_by_one_file() -> None:
    answers = re.findall(r"^\| Wh[^|]*\? \| (.*) \|$", PAGE, re.MULTILINE)
    assert len(answers) > 10
    for answer in answers:
        (path,) = re.findall(r"`([^`]+)`", answer)
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", [str(path.relative_to(ROOT)) for path in (*PAGES, *ROOT.glob("*.md"))])
def test_links_lead_to_files(name: str) -> None:
    page = ROOT / name
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("name", [str(path.relative_to(ROOT)) for path in (*PAGES, *ROOT.glob("*.md"))])
def test_sources_that_the_text_names_are_there(name: str) -> None:
    """Outside the house's page, with the folder at the top; a word in capitals stands for any."""
    page = ROOT / name
    folder = r"\w+" if page.name == "house.md" else "(?:othello_bot|protocol|scripts|tests)"
    named = re.findall(rf"`({folder}/[a-z_0-9./-]+\.\w+)`", page.read_text(encoding="utf-8"))
    assert [path for path in named if not ((ROOT / path).exists() or (ROOT / "othello_bot" / path).exists())] == []


@pytest.mark.parametrize("name", [str(path.relative_to(ROOT)) for path in (*PAGES, *ROOT.glob("*.md"))])
def test_links_lead_to_headings(name: str) -> None:
    """As GitHub names them: in lower case, spaces as hyphens, without other signs."""
    page = ROOT / name
    for target, heading in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            there = (page.parent / target if target else page).read_text(encoding="utf-8")
            titles = re.findall(r"^#+ (.*)$", there, re.MULTILINE)
            known = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in known, f"{target}#{heading}"


@pytest.mark.parametrize("name", [str(path.relative_to(ROOT)) for path in PAGES if "docs" in path.parts])
def test_a_page_is_read_in_one_sitting(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= MOST_LINES
