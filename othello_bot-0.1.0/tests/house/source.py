"""The sources as syntax trees, each parsed once for all tests that read them."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


def sources() -> Iterator[Path]:
    """Yield all source files: Python, also without an ending, Cython, C headers, shell scripts and the page's."""
    for folder in ("othello_bot", "protocol", "scripts", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            script = folder == "scripts" and not path.suffix and path.is_file()
            if script or path.suffix in (".py", ".pyx", ".pxi", ".pxd", ".pyi", ".h", ".sh", ".js"):
                yield path


def is_python(path: Path) -> bool:
    """Return whether a file is in Python, by its ending or its first line."""
    return path.suffix == ".py" or (not path.suffix and b"python" in path.read_bytes().partition(b"\n")[0])


@cache
def nodes(path: Path) -> Sequence[ast.AST]:
    """Return all nodes of a Python file."""
    # The collector would walk through all trees again and again, which takes four times as long as to parse them.
    gc.disable()
    try:
        return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    finally:
        gc.enable()
