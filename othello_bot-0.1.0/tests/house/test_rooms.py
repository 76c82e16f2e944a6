"""The layers of the packages: imports go down, without circles, and through each package's interface."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.house.source import nodes

ROOT = Path(__file__).resolve().parents[2]

FLOORS = (
    ("kernel", "base", "cluster", "svg"),
    ("rules", "evaluation", "protocol"),
    ("game", "book", "strategies", "formats", "policy"),
    ("engine", "batch", "environments"),
    ("session", "terminal", "review", "explorer"),
    ("dialects", "arena", "play", "ggs", "web", "book_growing", "suites", "tools"),
    ("daemon", "training", "cli", "__main__"),
    ("othello_bot",),
)
"""The rooms, from the lowest floor up. `othello_bot` is the package itself, which exports the public names."""

FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS, 1) for room in rooms}

OPEN = frozenset(("protocol", "base", "cli", "svg"))
"""Rooms without a door: every module of the text layer and of what all share is public."""


@dataclass(frozen=True)
class Import:
    """One name that a module imports, anywhere in it: `from module import name`."""

    importer: str
    module: str
    name: str
    line: int

    @property
    def target(self) -> str:
        """The imported module, which may be a room's `__init__.py`."""
        full = f"{self.module}.{self.name}"
        return full if full in MODULES else self.module


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "protocol":  # othello_bot/protocol is a link to it
        parts = ("othello_bot", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    name_of(path): path
    for package in ("othello_bot", "protocol")
    for pattern in ("*.py", "*.pyx")
    for path in sorted((ROOT / package).rglob(pattern))
}


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "othello_bot"


def imports_of(module: str) -> Iterator[Import]:
    """Return all imports of a Python module of the project, including those for type checking and inside functions."""
    path = MODULES[module]
    if path.suffix == ".pyx":
        return
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None, f"{module} imports relatively, line {node.lineno}"
            for alias in node.names:
                yield Import(module, node.module, alias.name, node.lineno)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, alias.name, "", node.lineno)


@cache
def imports() -> list[Import]:
    """Return the project's imports of its own modules."""
    return [found for module in MODULES for found in imports_of(module) if found.module.split(".")[0] == "othello_bot"]


def exports_of(room: str) -> frozenset[str]:
    """Return the interface of a room: the names in its `__all__`, values and modules."""
    tree = ast.parse((ROOT / "othello_bot" / room / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def through_the_door(found: Import) -> bool:
    """Return whether an import from another room uses only that room's interface."""
    room = room_of(found.target)
    if room in OPEN or room == room_of(found.importer) or found.target == f"othello_bot.{room}" != found.module:
        return True
    parts = found.module.split(".")
    wanted = parts[2] if len(parts) > 2 else found.name
    return wanted in exports_of(room)


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Return the members of one circle of arrows, in order; an empty list without a circle."""
    done: set[str] = set()
    path: list[str] = []

    def visit(node: str) -> list[str]:
        if node in path:
            return path[path.index(node) :]
        if node in done:
            return []
        path.append(node)
        for following in sorted(arrows.get(node, ())):
            if found := visit(following):
                return found
        path.pop()
        done.add(node)
        return []

    return next(filter(None, map(visit, sorted(arrows))), [])


def test_every_room_has_a_floor() -> None:
    assert {room_of(module) for module in MODULES} == set(FLOOR_OF)


@pytest.mark.parametrize("room", FLOOR_OF)
def test_no_import_runs_up(room: str) -> None:
    up = [
        f"{found.importer}:{found.line} imports {found.target}"
        for found in imports()
        if room_of(found.importer) == room and FLOOR_OF[room_of(found.target)] > FLOOR_OF[room]
    ]
    assert not up


def test_no_circle_of_modules() -> None:
    arrows: dict[str, set[str]] = {}
    for found in imports():
        arrows.setdefault(found.importer, set()).add(found.target)
    assert circle(arrows) == []


def test_no_circle_of_rooms() -> None:
    arrows: dict[str, set[str]] = {}
    for found in imports():
        if room_of(found.importer) != room_of(found.target):
            arrows.setdefault(room_of(found.importer), set()).add(room_of(found.target))
    assert circle(arrows) == []


def test_rooms_are_entered_through_their_doors() -> None:
    past = [
        f"{found.importer}:{found.line} takes {found.module}.{found.name}"
        for found in imports()
        if not through_the_door(found)
    ]
    assert not past


def test_doors_hand_out_only_what_is_there() -> None:
    for room in FLOOR_OF:
        if (ROOT / "othello_bot" / room).is_dir():
            door = __import__(f"othello_bot.{room}", fromlist=["*"])
            for name in exports_of(room):
                assert hasattr(door, name) or f"othello_bot.{room}.{name}" in MODULES, f"{room} has no {name}"


def test_the_kernel_imports_nothing_of_the_other_rooms() -> None:
    for path in sorted((ROOT / "othello_bot" / "kernel").glob("*.p[yx]*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            words = line.split()
            if words[:1] in (["from"], ["import"], ["cimport"]) and words[1].startswith("othello_bot"):
                assert words[1].startswith("othello_bot.kernel"), f"{path.name}:{number}: {line.strip()}"


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
    assert circle({"a": {"b", "c"}, "b": {"c"}}) == []


@pytest.mark.slow
def test_nothing_imports_the_text_layer_by_its_old_name() -> None:
    """`protocol` beside a user's script would take its place, and in a checkout it would make twin classes."""
    folders = ("othello_bot", "protocol", "tests", "scripts")
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in nodes(path):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in modules if name.partition(".")[0] == "protocol"], path


@pytest.mark.slow
def test_one_module_alone_imports_sqlite() -> None:
    """A Python may be built without it; tests/launcher has what is told then."""
    found = [
        module
        for module, path in MODULES.items()
        if path.suffix == ".py"
        for node in nodes(path)
        if isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == "sqlite3" for alias in node.names)
    ]
    assert found == ["othello_bot.base.sqlite"]
