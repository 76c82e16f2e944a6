"""Growers of books, killed ten times; tests/book_growing kills only a few."""

from __future__ import annotations

import random
from pathlib import Path

from tests.book_growing.test_growing import kill_while_it_grows

KILLS = 10

KILLS_OF_A_BOOK = 5
"""Small books are checked faster."""


def test_ten_kills_lose_nothing(tmp_path: Path) -> None:
    rng = random.Random(2)
    for number in range(KILLS):
        kill_while_it_grows(tmp_path / f"{number // KILLS_OF_A_BOOK}.book", rng)
