"""Sizes: no source file over 450 lines, no function over 60 lines without a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import nodes
from tests.house.test_rooms import ROOT

LONGEST_FILE = 450
LONGEST_FUNCTION = 60
LONGEST_LINE = 120
"""Columns of the kernel's sources; ruff checks Python."""

LONG_FUNCTIONS = {
    "tests/real/test_rounds.py:test_rounds_end_to_end_and_once_more_without_work": "one long run",
}
"""The functions over LONGEST_FUNCTION lines, each with the reason."""


def sources() -> Iterator[Path]:
    """Yield all source files: Python, also without an ending, Cython, C headers and shell scripts."""
    for folder in ("othello_bot", "protocol", "scripts", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            script = folder == "scripts" and not path.suffix and path.is_file()
            if script or path.suffix in (".py", ".pyx", ".pxi", ".pxd", ".pyi", ".h", ".sh", ".js"):
                yield path


def is_python(path: Path) -> bool:
    return path.suffix == ".py" or (not path.suffix and b"python" in path.read_bytes().partition(b"\n")[0])


def test_no_file_is_too_long() -> None:
    found = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines()) for path in sources()}
    assert {name: lines for name, lines in found.items() if lines > LONGEST_FILE} == {}


def test_no_line_of_the_kernel_is_too_long() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "othello_bot" / "kernel").glob("*"))
        if path.suffix in (".pyx", ".pxi", ".pxd", ".pyi", ".h")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert found == []


def test_no_function_is_too_long_without_a_reason() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in sources()
        if is_python(path)
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    }
    assert found == set(LONG_FUNCTIONS)
