"""Bitboards in tables of other libraries: the recipes of docs/python/labels.md, and what is refused."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_bot import InputError, batch

PAGE = Path(__file__).parents[2] / "docs" / "python" / "labels.md"

CORNER = 1 << 63
"""A disc on h8."""

MOVERS = [5] * 3000 + [CORNER | 1, (1 << 53) + 1]
OPPONENTS = [CORNER] * 3000 + [1 << 62, CORNER]


def recipe(library: str) -> str:
    """Return the code of the page that begins with a library's name."""
    (code,) = re.findall(rf"```python\n# {library}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


@pytest.mark.parametrize("library", ["pandas", "pyarrow", "polars"])
def test_the_recipes_of_the_page_lose_no_disc(library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library)
    rows = [f"{mover},{opponent},x" for mover, opponent in zip(MOVERS, OPPONENTS, strict=True)]
    (tmp_path / "boards.csv").write_text("\n".join(["mover,opponent,name", *rows[:10], ",7,y", *rows[10:]]) + "\n")
    monkeypatch.chdir(tmp_path)
    made: dict[str, Any] = {}
    exec(recipe(library), made)
    assert made["mover"].tolist() == MOVERS and made["opponent"].tolist() == OPPONENTS
    assert len(batch.legal_moves(made["mover"], made["opponent"])) == len(MOVERS)


def test_int64_columns_of_sqlite_keep_every_bit() -> None:
    boards = np.array([CORNER | 1, 5], np.uint64)
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE boards (mover INTEGER)")
        base.executemany("INSERT INTO boards VALUES (?)", [(one,) for one in boards.view(np.int64).tolist()])
        column = np.array([mover for (mover,) in base.execute("SELECT mover FROM boards")])
    others = np.array([CORNER >> 1, 0], np.uint64)
    with pytest.raises(InputError, match=r"mover, dtype 'int64': .* mover\.view\(numpy\.uint64\)"):
        batch.label(column, others)
    assert batch.is_over(column.view(np.uint64), others).tolist() == batch.is_over(boards, others).tolist()


def test_floats_and_columns_are_refused_with_the_way_out() -> None:
    class Column:
        def to_numpy(self) -> None: ...

    ones = np.ones(2, np.uint64)
    with pytest.raises(
        InputError, match=r"dtype 'float64': .*floats have lost discs: read the table again with uint64"
    ):
        batch.label(np.ones(2), ones)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"mover 'Column': .*; mover\.to_numpy\(\) makes one"):
        batch.label(Column(), ones)  # type: ignore[arg-type]
