"""The lines of a module that belong to a fault, to find the tests that run them."""

from __future__ import annotations

import ast


def lines_around(tree: ast.Module, line: int) -> list[range]:
    """Return the lines of the statement at a line, then those of the function around it."""
    statements, functions = [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler):
            if line in (own := _own_lines(node)):
                statements.append(own)
            if isinstance(node, ast.FunctionDef) and _first_line(node) <= line <= _last_line(node):
                functions.append(range(node.body[0].lineno, _last_line(node) + 1))
    return sorted(statements, key=len)[:1] + sorted(functions, key=len)[:1]


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _last_line(node: ast.stmt | ast.ExceptHandler) -> int:
    return node.end_lineno or node.lineno


def _own_lines(node: ast.stmt | ast.ExceptHandler) -> range:
    """Return a simple statement's lines, or those of the head of a compound one."""
    body = getattr(node, "body", None)
    end = max(body[0].lineno, node.lineno + 1) if body else _last_line(node) + 1
    return range(node.lineno, end)
