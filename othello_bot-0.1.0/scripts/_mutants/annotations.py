"""Places in a module: those where a fault has no effect, because they are never executed, and its operators."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

Span = tuple[tuple[int, int], tuple[int, int]]
"""First and last place in a file, each as line (from 1) and column (from 0)."""


def idle_spans(path: Path) -> list[Span]:
    """Return the spans of annotations, which are never evaluated, and of blocks that only a type checker reads."""
    return [_span(node) for node in _idle_nodes(ast.parse(path.read_text(encoding="utf-8")))]


def _idle_nodes(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.returns
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield node


def _span(node: ast.AST) -> Span:
    assert isinstance(node, ast.expr | ast.stmt) and node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def operator_spans(path: Path) -> list[Span]:
    """Return the spans between the operands of binary operators."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    pairs = [(node.left, node.right) for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    pairs += [(node.target, node.value) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]
    return [(_span(left)[1], _span(right)[0]) for left, right in pairs]


def is_in(start: tuple[int, int], spans: list[Span]) -> bool:
    """Return whether a place lies in one of the spans."""
    return any(first <= start < last for first, last in spans)
