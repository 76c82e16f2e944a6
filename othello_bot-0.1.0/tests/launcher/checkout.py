"""A copy of the checkout's scripts in which starting is cheap: its Pythons are fakes."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "find", "readlink", "cat", "date", "mktemp", "rm")


@dataclass(frozen=True)
class Checkout:
    """The copy, and a directory of tools that is the whole PATH, unless a test says otherwise."""

    root: Path
    tools: Path
    log: Path

    @classmethod
    def make(cls, directory: Path) -> Checkout:
        """Return a checkout as fresh from version control, in a folder whose name has a space, quotes and `$`."""
        checkout = cls(directory / "it's {x} $y_1 $1{}", directory / "tools", directory / "log")
        checkout.log.touch()
        (checkout.root / "scripts").mkdir(parents=True)
        for program in (REPOSITORY / "scripts").iterdir():
            if program.is_file():
                shutil.copy2(program, checkout.root / "scripts")
        # With what is compiled, so that no start has to do it again.
        shutil.copytree(REPOSITORY / "scripts" / "_setup", checkout.root / "scripts" / "_setup")
        kernel = checkout.root / "othello_bot" / "kernel"
        kernel.mkdir(parents=True)
        for path in ("setup.py", "setup.cfg", "pyproject.toml", "othello_bot/errors.py"):
            (checkout.root / path).touch()
        for name in ("__init__.py", "core.pyx", "board.pxi", "bits.pxd", "bits.h", "core.pyi"):
            (kernel / name).touch()
        checkout.tools.mkdir()
        for tool in TOOLS:
            (checkout.tools / tool).symlink_to(str(shutil.which(tool)))
        fake = checkout.tools / "python3"
        program = Path(__file__).with_name("fake_python.py")
        fake.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{program}" "$0" "$@"\n')
        fake.chmod(0o755)
        compiler = checkout.tools / "cc"
        compiler.write_text("#!/bin/sh\n")
        compiler.chmod(0o755)
        return checkout

    def copied(self, directory: Path) -> Checkout:
        """Return a copy that was started in its own place, as far as a start can see."""
        shutil.copytree(self.root.parent, directory, symlinks=True, dirs_exist_ok=True)
        copy = Checkout(directory / self.root.name, directory / self.tools.name, directory / self.log.name)
        for path in (copy.log, copy.stamp):
            times = path.stat()
            path.write_text(path.read_text().replace(str(self.root.parent), str(directory)))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        return copy

    @property
    def stamp(self) -> Path:
        """The file that dates the last build."""
        return self.root / ".venv" / "othello-bot.stamp"

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the variables that a script in the copy sees; OTHELLO_BOT_PYTHON keeps it off real Pythons."""
        fixed = {"PATH": str(self.tools), "OTHELLO_BOT_PYTHON": "python3", "CC": "cc", "HOME": str(self.root)}
        return fixed | {"FAKE_LOG": str(self.log)} | variables

    def start(self, *arguments: str, script: str = "othello-bot", **variables: str) -> subprocess.Popen[str]:
        """Start a script of the copy with its streams piped."""
        return subprocess.Popen(
            [str(self.root / "scripts" / script), *arguments],
            env=self.environment(**variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, script: str = "othello-bot", **variables: str) -> subprocess.CompletedProcess[str]:
        """Start a script with a first command waiting on stdin, and wait for its end."""
        process = self.start(*arguments, script=script, **variables)
        stdout, stderr = process.communicate("genmove\n", timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def asked(self, *words: str) -> list[list[Any]]:
        """Return the commands that the Pythons received, followed by their variables (fake_python.py): those with all
        `words`.
        """
        lines = [ast.literal_eval(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if set(words) <= set(line[:-1])]

    def builds(self) -> int:
        """Return how often pip was asked to install."""
        return len(self.asked("pip", "install", "-e"))

    def touch(self, path: str | Path, later_s: float = 5.0) -> None:
        """Date a file of the copy after the newest input."""
        stamp = self.stamp.stat().st_mtime + later_s
        os.utime(self.root / path, (stamp, stamp))

    def is_ready(self) -> bool:
        """Return whether the quick check of a start finds nothing to build."""
        check = 'program=test root=$1; . "$root/scripts/_setup/ready.sh"; is_ready ""'
        command = ["/bin/sh", "-c", check, "sh", str(self.root)]
        return subprocess.run(command, env=self.environment(), check=False).returncode == 0
