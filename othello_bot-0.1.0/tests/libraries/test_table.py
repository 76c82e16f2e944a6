"""docs/python/other-libraries.md: each row is what the library does when it is run again."""

from __future__ import annotations

import inspect
import re
import shutil
from pathlib import Path

import pytest

from tests.libraries import probes
from tests.libraries.conftest import REPOSITORY, Script

PAGE = REPOSITORY / "docs" / "python" / "other-libraries.md"
TABLE = re.compile(r"(?<=<!-- libraries: begin -->\n).*?(?=<!-- libraries: end -->)", re.DOTALL)
HEADING = ("", *probes.COLUMNS)


def rows_of(page: str) -> dict[str, list[str]]:
    """Return the table's rows by the library's name, without its version."""
    found = TABLE.search(page)
    assert found is not None, "the page has no place for the table"
    rows = [re.split(r" \| ", line.strip("| ")) for line in found[0].splitlines()[2:] if line]
    return {row[0].rpartition(" ")[0]: row for row in rows}


def line_of(row: list[str]) -> str:
    return f"| {' | '.join(row)} |"


def written(page: str, rows: dict[str, list[str]]) -> str:
    """Return the page with these rows in the order of the probes, then the others."""
    order = sorted(rows, key=lambda name: (list(probes.PROBES).index(name) if name in probes.PROBES else 99, name))
    lines = [line_of(list(HEADING)), "|" + "---|" * len(HEADING), *(line_of(rows[name]) for name in order)]
    return TABLE.sub(lambda _: "\n".join(lines) + "\n", page)


@pytest.mark.parametrize("name", probes.PROBES)
def test_the_row_of_a_library(name: str, script: Script, newest: bool, pytestconfig: pytest.Config) -> None:
    own = name == probes.Grhino.package
    if own and shutil.which("gtp-rhino") is None:
        pytest.skip("gtp-rhino is missing: sudo apt-get install grhino")
    seen = script(name, Path(probes.__file__), name, own=own)
    row = [f"{name} {seen['version']}", *(seen[column] for column in probes.COLUMNS)]
    page = PAGE.read_text()
    rows = rows_of(page)
    if pytestconfig.getoption("--write", default=False):
        PAGE.write_text(written(page, rows | {name: row}))
        return
    first = 1 if newest else 0
    assert dict(zip(HEADING[first:], rows[name][first:], strict=True)) == dict(
        zip(HEADING[first:], row[first:], strict=True)
    )


def test_the_function_of_the_last_column_is_the_one_that_is_run() -> None:
    body = inspect.getsource(probes.position).splitlines()[-1].strip()
    assert f"...     {body}\n" in PAGE.read_text()
