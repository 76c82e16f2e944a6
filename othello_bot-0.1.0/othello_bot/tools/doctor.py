"""`othello-bot doctor`: why the engine is slow, weak or not found, what a bug report needs, and a self test."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from othello_bot import kernel
from othello_bot.base.files import DATA_FOLDER, cache_folder
from othello_bot.base.output import terminal_columns
from othello_bot.base.posix import busy_processes
from othello_bot.base.sqlite import sqlite3
from othello_bot.base.version import __version__, install_command
from othello_bot.base.visible import visible
from othello_bot.book import SHIPPED, BookError, open_book
from othello_bot.engine import Options, Search, SearchRequest, available_cores, available_mib
from othello_bot.evaluation import WeightsError, weights
from othello_bot.rules import Game, Position
from othello_bot.suites import bench, solve
from othello_bot.tools import gui_config
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
_LITTLE_MIB: Final = 512

_DEVELOPERS: Final = frozenset(("dev", "docs", "fuzz", "mutants", "test"))
"""Extras that no user needs."""

_REQUIREMENT: Final = re.compile(r"([\w.-]+)[^;]*;(?: python_version (<|>=) \"3\.(\d+)\" and)? extra == \"(\w+)\"")
"""The requirement of an extra, as the metadata of a package state it: library, Python's version, extra."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Say what makes the engine slow, weak or hard to find on this machine, print what a bug report needs, and test the "
        "rules, the solver and the search."
    )
    parser.add_argument("--no-test", action="store_true", help="skip the self-test")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the report and the results of the self test as they come; return 0, or 1 if a test fails."""
    found = findings()
    if not args.json:
        sys.stdout.write("".join(f"{visible(line)}\n" for line in lines_of(found)))
        sys.stdout.flush()
        return 0 if args.no_test else self_test(TESTS)
    failed = 0
    if not args.no_test:
        with contextlib.redirect_stdout(sys.stderr):  # what is printed meanwhile
            found["tests"] = results = {name: test() for name, test in TESTS.items()}
        failed = any(results.values())
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return int(failed)


def findings(folder: Path = PACKAGE.parent) -> dict[str, Any]:
    """Return what the report says, as values of JSON: a number, a text, a list or an object for each subject."""
    cache, settings = cache_folder(), sorted(name for name in os.environ if name.startswith("OTHELLO_BOT_"))
    options = Options()
    found: dict[str, Any] = {
        "othello-bot": __version__,
        "kernel": {
            "variant": kernel.VARIANT,
            "branch": kernel.BRANCH,
            "built": kernel.BUILT,
            "runnable": kernel.RUNNABLE,
        },
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.system()} {platform.machine()}",
        "folder": str(folder),
        "commit": commit(folder),
        "processor": processor(),
        "cores": {"usable": available_cores(), "machine": os.cpu_count(), "busy": busy_processes()},
        "memory_mib": available_mib(),
        "defaults": {"threads": options.threads, "hash_mib": options.hash},
        "release": platform.release(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "sqlite": sqlite3.sqlite_version,
        "files": [
            {"name": path.name, "bytes": path.stat().st_size, "sha256": checksum(path)}
            for path in sorted(DATA_FOLDER.iterdir())
            if path.is_file()
        ],
        "book": shipped_book(),
        "cache": {
            "folder": str(cache),
            "files": sorted(path.name for path in cache.iterdir()) if cache.is_dir() else [],
            "writable": is_writable(cache),
        },
        "environment": {name: "****" if "PASSWORD" in name else os.environ[name] for name in settings},
        "extras": extras(),
        "terminal": {
            "input": sys.stdin.isatty(),
            "output": sys.stdout.isatty(),
            "kind": os.environ.get("TERM", ""),
            "columns": terminal_columns(sys.stdout),
        },
        "command": {"words": gui_config.start_command(), "on_path": shutil.which("othello-bot")},
    }
    found["notes"] = list(notes(found))
    return found


def notes(found: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each finding that makes the engine slow, weak or hard to find, and what helps."""
    variant, best, cores = found["kernel"]["variant"], found["kernel"]["runnable"][0], found["cores"]
    if variant not in (best, kernel.NATIVE):
        forced = found["environment"].get(kernel.VARIABLE)
        reason = f"{kernel.VARIABLE} asks for it" if forced else f"{best} was not built (docs/install.md)"
        yield f"the kernel {variant} is slower than {best}, which this processor can run: {reason}"
    if cores["usable"] < (cores["machine"] or 1):
        yield f"this process may use {cores['usable']} of {cores['machine']} cores"
    if cores["busy"] is not None and cores["busy"] > cores["usable"]:
        yield f"the machine is busy: {cores['busy']} processes want {cores['usable']} cores, so a search is slower"
    if found["memory_mib"] is not None and found["memory_mib"] < _LITTLE_MIB:
        yield f"only {found['memory_mib']} MiB of memory are free: a smaller --hash avoids swapping"
    if not found["cache"]["writable"]:
        yield f"{found['cache']['folder']} cannot be written: each start unpacks the evaluation, and no review is kept"
    if isinstance(found["book"], str):
        yield f"the shipped book cannot be read: {found['book']}"
    if any(" " in word for word in found["command"]["words"]):
        yield "there is a space in the path of the command: some GUIs, such as NBoard, cannot start it"
    if found["command"]["on_path"] is None:
        yield f"othello-bot is not on the PATH: type {shlex.join(found['command']['words'])}, also in a GUI"


def lines_of(found: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the report."""
    of_kernel, cores, cache, terminal = (found[name] for name in ("kernel", "cores", "cache", "terminal"))
    yield f"othello-bot {found['othello-bot']}"
    runnable = ", ".join(of_kernel["runnable"])
    yield (
        f"kernel {of_kernel['variant']} ({of_kernel['branch']}; built: {', '.join(of_kernel['built'])}; "
        f"this processor can run: {runnable})"
    )
    yield f"python {found['python']}"
    yield f"system {found['system']}"
    yield f"folder {found['folder']}{', commit ' + found['commit'] if found['commit'] else ''}"
    yield f"processor {found['processor']}, {cores['usable']} of {cores['machine']} cores for this process"
    yield f"memory {'unknown' if found['memory_mib'] is None else str(found['memory_mib']) + ' MiB'} available"
    more = f" (--threads {cores['usable']} uses all cores)" if cores["usable"] > found["defaults"]["threads"] else ""
    yield (
        f"defaults of a session: {found['defaults']['threads']} thread{more}, "
        f"a table of {found['defaults']['hash_mib']} MiB"
    )
    for name in ("release", "libc", "sqlite"):
        if found[name]:
            yield f"{name} {found[name]}"
    for file in found["files"]:
        yield f"file {file['name']}, {file['bytes']} bytes, sha256 {file['sha256']}"
    yield f"book {found['book']}{' positions' if isinstance(found['book'], int) else ''}"
    own = cache["files"]
    shown = ", ".join(own[:_MOST_SHOWN]) + (", ..." if len(own) > _MOST_SHOWN else "")
    yield f"cache {cache['folder']}: {shown or 'empty'}"
    variables = " ".join(f"{name}={value}" for name, value in found["environment"].items())
    yield f"environment {variables or 'no variables of ours'}"
    for name, missing in found["extras"].items():
        yield f"extra {name}: {'lacks ' + ', '.join(missing) + ': ' + install_command(name) if missing else 'there'}"
    size = f"{terminal['columns']} columns" if terminal["columns"] else "no terminal for the output"
    yield f"terminal {terminal['kind'] or 'unknown'}, {size}"
    yield f"command {shlex.join(found['command']['words'])}"
    for note in found["notes"]:
        yield f"note: {note}"


def commit(folder: Path) -> str:
    """Return the commit of a checkout as Git tells it, "unknown" without Git, and "" outside of a checkout."""
    if not (folder / ".git").exists():
        return ""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def processor() -> str:
    """Return the name of the processor as the system tells it."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found is not None else platform.processor() or platform.machine()


def shipped_book() -> int | str:
    """Return the number of positions of the shipped book, or why it cannot be read."""
    try:
        return len(open_book(SHIPPED))
    except (OSError, BookError) as error:
        return str(error)


def is_writable(folder: Path) -> bool:
    """Return whether files can be made in a folder, or the folder itself where it is not there yet."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return os.access(there, os.W_OK | os.X_OK)


def extras() -> dict[str, list[str]]:
    """Return the libraries that each extra lacks; nothing if this is no installed package."""
    found: dict[str, list[str]] = {}
    with contextlib.suppress(metadata.PackageNotFoundError):
        for requirement in metadata.requires("othello-bot") or ():
            named = _REQUIREMENT.match(requirement)
            if named is None or named[4] in _DEVELOPERS:
                continue
            lacking = found.setdefault(named[4], [])
            if named[2] is not None and (sys.version_info[1] < int(named[3])) != (named[2] == "<"):
                continue
            try:
                metadata.version(named[1])
            except metadata.PackageNotFoundError:
                lacking.append(named[1])
    return dict(sorted(found.items()))


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
