"""Copies of the checkout, for faults to be put into."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from _setup.enter import ROOT


def copy_of_the_checkout(tree: Path) -> Path:
    """Make `tree` a copy of the checkout's files with its compiled kernel; what an earlier run left goes."""
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    compiled = [str(path.relative_to(ROOT)) for path in (ROOT / "othello_bot" / "kernel").glob("*.so")]
    for name in (*listed, *compiled):
        if (ROOT / name).is_file():
            target = tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return tree


def environment(tree: Path) -> dict[str, str]:
    """Return the variables for a Python that takes its modules from the copy and keeps what it has compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
        "PYTHONPATH": str(tree)
    }
