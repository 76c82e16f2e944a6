"""`othello-bot doctor`: what a bug report needs, and a self test of about ten seconds."""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from othello_bot import kernel
from othello_bot.base.files import DATA_FOLDER, cache_folder
from othello_bot.base.sqlite import sqlite3
from othello_bot.engine import Search, SearchRequest, available_cores, available_mib
from othello_bot.evaluation import WeightsError, weights
from othello_bot.rules import Game, Position
from othello_bot.suites import bench, solve
from othello_bot.tools import versions
from othello_bot.tools.help_topics import PACKAGE

PERFT_DEPTH: Final = 9
PERFT_LEAVES: Final = 3_005_288
"""The leaves of the game tree nine plies deep, as published for every move generator."""

SOLVED: Final = (
    ("f5d6c3d3c4f4f6f3e6e7c6g5d2d7f8f7d8b6b5c5g4e3e2e1f1c8b8g1e8c7b4c2b3d1h5g6g3h6h7f2a5h4", 12),
    ("f5d6c4d3c5f4e3f3c2f6d7c6e6b5b4b6c7c3g5e7g6a3d8c8g4g3d2e2b3d1f1c1f2a4h3e1b1b2a7a5a1a2a6", 12),
    ("d3c5f6f5e6e3c3f3c4b4c6d2c2b3d1b6a6d6d7c7b5f4e7a5a4d8a7f8e8f7e2a2b7c8g3c1g5g4h4g6h5e1f2h6", 10),
)
"""Endgames and the discs by which the player to move wins or loses with best play, as found by a search without any
selectivity."""

_HASH_MIB: Final = 16
_MOST_SHOWN: Final = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print what a bug report needs, and test the rules, the solver and the search on this machine."
    parser.add_argument("--no-test", action="store_true", help="skip the self-test")


def run(args: argparse.Namespace) -> int:
    """Print the report and the results of the self test as they come; return 0, or 1 if a test fails."""
    for line in (*versions.report(), place(), *machine(), *files()):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    return 0 if args.no_test else self_test(TESTS)


def place(folder: Path = PACKAGE.parent) -> str:
    """Return the line about where the program is; for a checkout, with the commit as Git tells it."""
    if not (folder / ".git").exists():
        return f"folder {folder}"
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        commit = "unknown"
    return f"folder {folder}, commit {commit}"


def machine() -> Iterator[str]:
    """Yield the lines about the processor, the memory, the system and its SQLite."""
    yield f"processor {processor()}, {available_cores()} of {os.cpu_count()} cores for this process"
    memory = available_mib()
    yield f"memory {'unknown' if memory is None else f'{memory} MiB'} available"
    yield f"release {platform.release()}"
    libc = " ".join(platform.libc_ver()).strip()
    if libc:
        yield f"libc {libc}"
    yield f"sqlite {sqlite3.sqlite_version}"


def processor() -> str:
    """Return the name of the processor as the system tells it."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found is not None else platform.processor() or platform.machine()


def files() -> Iterator[str]:
    """Yield a line for each file that came with the program, with the beginning of its SHA-256, and the own files."""
    for path in sorted(DATA_FOLDER.iterdir()):
        if path.is_file():
            yield f"file {path.name}, {path.stat().st_size} bytes, sha256 {checksum(path)}"
    folder = cache_folder()
    own = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    shown = ", ".join(own[:_MOST_SHOWN]) + (", ..." if len(own) > _MOST_SHOWN else "")
    yield f"cache {folder}: {shown or 'empty'}"
    settings = sorted(name for name in os.environ if name.startswith("OTHELLO_BOT_"))
    variables = " ".join(f"{name}={os.environ[name]}" for name in settings)
    yield f"environment {variables or 'no variables of ours'}"


def checksum(path: Path) -> str:
    """Return the first sixteen digits of a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def rules_test() -> str:
    """Return an empty text if the number of leaves of the game tree is the published one, else what is wrong."""
    start = Position.start()
    leaves = kernel.perft(start.mover, start.opponent, PERFT_DEPTH)
    return "" if leaves == PERFT_LEAVES else f"perft {PERFT_DEPTH} is {leaves}, not {PERFT_LEAVES}"


def solver_test() -> str:
    """Return an empty text if the solver finds the known scores, else what is wrong."""
    search = Search(_HASH_MIB, threads=1)
    for transcript, score in SOLVED:
        position = Game.from_transcript(transcript).position
        search.clear()
        found = search.answer(SearchRequest(position, solve.EXACT)).score
        if found != score:
            return f"{transcript} is {found:+d}, not {score:+d}"
    return ""


def signature_test() -> str:
    """Return an empty text if the search visits as many nodes as this version does everywhere, else what is wrong."""
    nodes = bench.signature()
    sys.stdout.write(f"Bench: {nodes}\n")
    return "" if nodes == bench.SIGNATURE else f"Bench is {nodes}, not {bench.SIGNATURE}"


def evaluation_test() -> str:
    """Return an empty text if the shipped evaluation, which starts read from its unpacked copy, is whole, else what is
    wrong.
    """
    try:
        weights.unpack(weights.PACKED_FILE.read_bytes(), str(weights.PACKED_FILE))
    except (OSError, WeightsError) as error:
        return str(error)
    return ""


TESTS: Final[dict[str, Callable[[], str]]] = {
    "evaluation": evaluation_test,
    "rules": rules_test,
    "solver": solver_test,
    "signature": signature_test,
}


def self_test(tests: dict[str, Callable[[], str]]) -> int:
    """Run tests and print their results; return 0, or 1 if one fails."""
    failed = 0
    for name, test in tests.items():
        began = time.monotonic()
        problem = test()
        failed += bool(problem)
        result = f"FAILED: {problem}" if problem else "ok"
        sys.stdout.write(f"test {name}: {result}, {time.monotonic() - began:.1f} s\n")
        sys.stdout.flush()
    return 1 if failed else 0
