"""docs/house.md describes the tree as it is."""

from __future__ import annotations

import re

from tests.house.test_rooms import FLOOR_OF, ROOT

PAGE = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")


def test_the_page_has_every_room_on_its_floor() -> None:
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", PAGE, re.MULTILINE)
    told = {name: int(floor) for floor, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == FLOOR_OF


def test_the_files_that_answer_are_there() -> None:
    answers = re.findall(r"^\| Where[^|]+\| `([^`]+)`", PAGE, re.MULTILINE)
    assert len(answers) == 12
    assert [answer for answer in answers if not (ROOT / answer).exists()] == []
