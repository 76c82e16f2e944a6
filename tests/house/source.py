"""The sources as syntax trees, each parsed once for all tests that read them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path


@cache
def nodes(path: Path) -> Sequence[ast.AST]:
    """Return all nodes of a Python file."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
