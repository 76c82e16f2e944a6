"""The variants of the kernel: the same module, compiled for different processors, of which a process loads one.

Each variant is a folder of the package that has its name and holds the compiled module. The folder of the chosen
variant is put on the package's path, so the module has one name, whatever variant it is from.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

VARIABLE: Final = "OTHELLO_BOT_ARCH"
"""The environment variable that forces a variant."""

LEVELS: Final = {"x86-64-v4": 4, "x86-64-v3": 3, "baseline": 0}
"""The processor's level that each variant needs (see processor.h), best variant first."""

NATIVE: Final = "native"
"""The variant for the building machine alone. It is built only on request, and is then the one that runs."""

KNOWN: Final = (NATIVE, *LEVELS)
"""The names of all variants, in the order of preference."""


class KernelError(ImportError):
    """No variant of the kernel can be loaded, or not the requested one."""

    def __init__(self, message: str) -> None:
        super().__init__(message, name="othello_bot.kernel")


def built(folder: Path) -> list[str]:
    """Return the names of the variants in the package's folder, in the order of preference."""
    return [name for name in KNOWN if any((folder / name).glob("*.so"))]


def runnable(level: int) -> list[str]:
    """Return the names of the variants that a processor of this level can run, best first."""
    return [name for name, needed in LEVELS.items() if needed <= level]


def choose(folder: Path, level: int, forced: str | None) -> str:
    """Return the name of the variant to load from the package's folder, for a processor of this level.

    `forced` is the value of OTHELLO_BOT_ARCH. Raise KernelError if it is unknown, not there, or more than the
    processor can run, and if nothing is there.
    """
    there = built(folder)
    usable = [name for name in there if name == NATIVE or name in runnable(level)]
    if not forced:
        if not usable:
            raise KernelError(f"{folder} holds no kernel that this processor can run: {_listed(there)}")
        return usable[0]
    if forced not in KNOWN:
        raise KernelError(f"{VARIABLE}={forced}: expected {_listed(usable, 'or')}")
    if forced not in there:
        raise KernelError(f"{VARIABLE}={forced}: the kernel was not built for it: expected {_listed(usable, 'or')}")
    if forced not in usable:
        raise KernelError(f"{VARIABLE}={forced}: this processor cannot run it: expected {_listed(usable, 'or')}")
    return forced


def runnable_here() -> list[str]:
    """Return the names of the variants that this processor can run, best first."""
    import othello_bot.kernel.processor as processor

    return runnable(processor.level())


def chosen(folder: Path) -> str:
    """Return the name of the variant to load: the one that OTHELLO_BOT_ARCH forces, or the best that works."""
    import othello_bot.kernel.processor as processor

    return choose(folder, processor.level(), os.environ.get(VARIABLE))


def _listed(names: Sequence[str], joint: str = "and") -> str:
    """Return names as a list in words."""
    *most, last = names or ("none",)
    return f"{', '.join(most)} {joint} {last}" if most else last
