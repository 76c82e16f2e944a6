"""Files that users name are written in one way: through `base.files` and `base.descriptors`."""

from __future__ import annotations

import ast

from tests.house.source import nodes
from tests.house.test_rooms import MODULES

WRITERS = frozenset(("othello_bot.base.files", "othello_bot.base.descriptors", "othello_bot.base.posix"))

OWN_FILES = frozenset(
    ("othello_bot.arena.traffic", "othello_bot.base.output", "othello_bot.daemon.process", "othello_bot.protocol.wire")
)
"""Modules that open for writing what no user names: records in a folder, the null device, and standard streams."""

NAMES = frozenset(("write_bytes", "write_text", "touch"))


def writes(node: ast.AST) -> str:
    """Return how a call writes a file without the shared functions; "" if it does not."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
        return node.attr if node.attr in ("O_WRONLY", "O_RDWR", "O_CREAT", "replace", "rename") else ""
    if not isinstance(node, ast.Call):
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in NAMES:
        return name
    modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
    modes += [one.value.value for one in node.keywords if one.arg == "mode" and isinstance(one.value, ast.Constant)]
    is_writing = any(isinstance(one, str) and len(one) < 4 and one.strip("bt+")[:1] in ("w", "a", "x") for one in modes)
    return "open" if name == "open" and is_writing and not any(one.arg == "opener" for one in node.keywords) else ""


def test_files_are_written_in_one_way() -> None:
    found = [
        f"{module}:{getattr(node, 'lineno', 0)}: {how}"
        for module, path in MODULES.items()
        if path.suffix == ".py" and module.startswith("othello_bot.") and module not in WRITERS | OWN_FILES
        for node in nodes(path)
        if (how := writes(node))
    ]
    assert not found
