"""Copies of the checkout in which faults are tried."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
from pathlib import Path

from _setup.enter import ROOT


def copy_of_the_checkout(tree: Path) -> Path:
    """Make `tree` a copy of the checkout's files and links with its compiled kernel; remove what an earlier run left."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    compiled = [str(path.relative_to(ROOT)) for path in (ROOT / "othello_bot" / "kernel").rglob("*.so")]
    wanted = {name for name in (*listed, *compiled) if name and (ROOT / name).exists()}
    for path in [path for path in tree.rglob("*") if path.is_file() and "__pycache__" not in path.parts]:
        if str(path.relative_to(tree)) not in wanted:
            path.unlink()
    for name in wanted:
        source, target = ROOT / name, tree / name
        if not os.path.lexists(target) or source.is_file() and not filecmp.cmp(source, target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return tree


def environment(tree: Path) -> dict[str, str]:
    """Return the variables for a Python that uses the modules of the copy and caches compiled ones."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
        "PYTHONPATH": str(tree)
    }
