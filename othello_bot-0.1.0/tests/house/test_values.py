"""The dataclasses of the packages are values, which never change and have no other attributes."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

CHANGING = {
    "arena": {"ClockUse", "EngineTally", "Meeting", "OpeningScore", "Reason", "SpsaWalk", "_Pairing"},
    "base": set(),
    "book": set(),
    "book_growing": {"GraphNode", "PlayedOpenings"},
    "engine": {"FreeTime"},
    "protocol": {"_Words"},
    "rules": set(),
    "session": set(),
}
"""The dataclasses of each package whose fields can be set."""


@pytest.mark.parametrize("name", CHANGING)
def test_values_never_change(name: str) -> None:
    found = list(_dataclasses(importlib.import_module(f"othello_bot.{name}")))
    assert [one.__qualname__ for one in found if "__slots__" not in vars(one)] == []
    assert {one.__name__ for one in found if not one.__dataclass_params__.frozen} == CHANGING[name]  # type: ignore[attr-defined]


def _dataclasses(package: ModuleType) -> Iterator[type]:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        for one in vars(module).values():
            if isinstance(one, type) and one.__module__ == module.__name__ and dataclasses.is_dataclass(one):
                yield one
