"""The dataclasses of a package, to test that they are values, which never change and have no other attributes."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def changing_dataclasses(package: ModuleType) -> set[str]:
    """Return the names of a package's dataclasses whose fields can be set; fail for a dataclass without slots."""
    changing = set()
    for one in _dataclasses(package):
        assert "__slots__" in vars(one), f"{one.__qualname__}: expected slots=True"
        if not one.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            changing.add(one.__name__)
    return changing


def _dataclasses(package: ModuleType) -> Iterator[type]:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        for one in vars(module).values():
            if isinstance(one, type) and one.__module__ == module.__name__ and dataclasses.is_dataclass(one):
                yield one
