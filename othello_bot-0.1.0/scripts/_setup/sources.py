"""Copy what a build and the kernel's tests need, so that a checkout's own build is not touched.

Standard library only.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
COPIED: Final = (
    "othello_bot",
    "protocol",
    "docs",
    "tests",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
BUILT: Final = ("*.so", "*.c", "__pycache__")


class BuildError(RuntimeError):
    """The kernel does not build; the message holds the end of the log."""


def copy_to(target: Path) -> None:
    """Copy the needed parts of the checkout, without anything built."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, symlinks=True, ignore=shutil.ignore_patterns(*BUILT))
        elif source.exists():
            shutil.copy2(source, target / name)


def build(tree: Path, environment: Mapping[str, str]) -> None:
    """Build the kernel in place in a copy; raise BuildError if that fails."""
    command = [sys.executable, "setup.py", "build_ext", "--inplace", "--force"]
    done = subprocess.run(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        raise BuildError("the kernel does not build:\n" + "\n".join(done.stdout.splitlines()[-15:]))
