"""The private virtual environment of a checkout, and how to tell whether its content is up to date."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


def inputs(root: Path) -> list[Path]:
    """Return the files whose change requires a new build; the same as in is_ready() of ready.sh."""
    kernel = root / "othello_bot" / "kernel"
    sources = [path for pattern in ("*.py", "*.pyx", "*.pxi", "*.pxd", "*.h") for path in kernel.rglob(pattern)]
    scripts = (root / "scripts" / "_setup").glob("*.py")
    return [root / "setup.py", root / "setup.cfg", root / "pyproject.toml", *scripts, *sources]


def newest_ns(root: Path) -> int:
    """Return the modification time of the newest input, in nanoseconds."""
    return max(path.stat().st_mtime_ns for path in inputs(root))


@dataclass(frozen=True)
class Stamp:
    """The content of the environment: built for this checkout, by this Python, with these extras.

    The modification time of the stamp file is that of the newest input at the beginning of the build, so that a source
    that was edited during the build, or dated in the future by a wrong clock, is judged correctly.
    """

    root: str
    python: str
    extras: str

    def write(self, path: Path, modified_ns: int) -> None:
        """Put the stamp in place in one step."""
        fresh = path.with_suffix(".new")
        fresh.write_text(f"{self.root}\n{self.python}\n{self.extras}\n", encoding="utf-8", errors="surrogateescape")
        os.utime(fresh, ns=(modified_ns, modified_ns))
        fresh.replace(path)

    @classmethod
    def read(cls, path: Path) -> Stamp | None:
        """Return the stamp, or None if there is none or it is incomplete."""
        try:
            lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        except FileNotFoundError:
            return None
        return cls(*lines[:3]) if len(lines) == 4 else None


@dataclass(frozen=True)
class Environment:
    """The checkout's .venv and the small files in it that record its state."""

    root: Path

    @property
    def path(self) -> Path:
        """Its directory."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.path / "bin" / "python"

    @property
    def stamp(self) -> Path:
        """The file that records what was built; absent while nothing usable is."""
        return self.path / "othello-bot.stamp"

    @property
    def unfinished(self) -> Path:
        """The mark of a change in progress; if found later, the change was interrupted."""
        return self.path / "othello-bot.unfinished"

    @property
    def made(self) -> Path:
        """The mark of an environment that these scripts made, and may therefore delete."""
        return self.path / "othello-bot.made"

    @property
    def is_ours(self) -> bool:
        """Whether these scripts made it."""
        return self.made.exists() or self.unfinished.exists()

    @property
    def runs_us(self) -> bool:
        """Whether this very process is its interpreter; by that, ready.sh tells that it is worth keeping."""
        return self.path.exists() and os.path.realpath(sys.prefix) == os.path.realpath(self.path)

    @property
    def starts(self) -> bool:
        """Whether its interpreter runs; it does not if the Python it was made from is gone."""
        try:
            return subprocess.run([self.python, "-I", "-c", ""], stdin=subprocess.DEVNULL, check=False).returncode == 0
        except OSError:
            return False

    def is_ready(self, extras: str) -> bool:
        """Return whether all requested parts are built and no input has changed since."""
        stamp = Stamp.read(self.stamp)
        return (
            stamp is not None
            and stamp.root == str(self.root)
            and extras in ("", stamp.extras)
            and self.python.exists()
            and os.path.exists(stamp.python)
            and os.path.samefile(self.python, stamp.python)
            and (self.path / "bin" / "othello-bot").exists()
            and any((self.root / "othello_bot" / "kernel").glob("*/*.so"))
            and self.stamp.stat().st_mtime_ns >= newest_ns(self.root)
        )
