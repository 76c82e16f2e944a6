"""The yardstick: a plain C program that does the same work, built here and run beside every measurement."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FLAGS = ("-O3", "-march=native")


class PerformanceError(RuntimeError):
    """A requirement of the measurement is missing or broken; the message says which."""


def output_of(command: Sequence[str]) -> str:
    """Return what a program prints; raise PerformanceError if it cannot be started or fails."""
    try:
        ended = subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise PerformanceError(f"{command[0]}: {error.strerror}") from None
    except subprocess.CalledProcessError as error:
        raise PerformanceError(f"{command[0]} ended with {error.returncode}: {error.stderr}") from None
    return ended.stdout


@dataclass(frozen=True)
class YardstickRun:
    """The results of one run of the yardstick."""

    perft_leaves: int
    perft_s: float
    score: int
    nodes: int
    solve_s: float


class Yardstick:
    """The built program. Raises PerformanceError if the source is absent or does not compile."""

    def __init__(self, source: Path, directory: Path) -> None:
        if not source.is_file():
            raise PerformanceError(f"no yardstick at {source}: name its C source with --yardstick")
        self.compiler = os.environ.get("CC", "").split() or ["cc"]
        self.program = directory / "yardstick"
        output_of((*self.compiler, *FLAGS, "-o", str(self.program), str(source)))

    def compiler_version(self) -> str:
        """Return the first line of the compiler's version."""
        return output_of((*self.compiler, "--version")).partition("\n")[0]

    def run(self, board: str) -> YardstickRun:
        """Run perft 10 from the start, and solve a board exactly (64 cells, a space, X or O)."""
        output = output_of((str(self.program), board))
        perft = re.search(r"perft10 (\d+) ([\d.]+)s", output)
        solved = re.search(r"score (-?\d+) nodes (\d+) ([\d.]+)s", output)
        if perft is None or solved is None:
            raise PerformanceError(f"cannot parse the yardstick's output:\n{output}")
        return YardstickRun(int(perft[1]), float(perft[2]), int(solved[1]), int(solved[2]), float(solved[3]))
