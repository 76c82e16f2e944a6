"""Docstrings: imperative for functions and methods, noun phrases for properties; ruff checks the verbs (D401)."""

from __future__ import annotations

import ast

import pytest

from tests.house.source import is_python, nodes, sources
from tests.house.test_rooms import ROOT

pytestmark = pytest.mark.slow

VERBS = ("Return", "Yield", "Raise")
"""Words that begin the docstring of a function, never that of a property."""

NO_VERBS = frozenset(
    [
        "A",
        "An",
        "The",
        "What",
        "Whether",
        "How",
        "Where",
        "Which",
        "Who",
        "All",
        "Each",
        "Every",
        "Both",
        "One",
        "True",
        "False",
    ]
)
"""Words that begin a noun phrase or a description, which no function's docstring is."""


def documented() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """Return all functions with a docstring: where they are, the definition, the first word."""
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node, docstring.split()[0])
        for path in sources()
        if is_python(path)
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (docstring := ast.get_docstring(node))
    ]


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def test_functions_are_described_by_a_verb() -> None:
    functions = [(place, word) for place, node, word in documented() if not is_property(node)]
    assert len(functions) > 1000
    described = [(place, word) for place, word in functions if not place.startswith("tests/")]
    assert [(place, word) for place, word in described if word in NO_VERBS or not word[0].isupper()] == []


def test_properties_are_described_by_a_noun() -> None:
    properties = [(place, word) for place, node, word in documented() if is_property(node)]
    assert len(properties) > 100
    assert [(place, word) for place, word in properties if word in VERBS] == []


def test_constants_are_described_in_one_style() -> None:
    """A docstring after the value, not a comment before it."""
    marked = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources()
        if is_python(path)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line.lstrip().startswith("#" + ": ")
    ]
    assert marked == []
