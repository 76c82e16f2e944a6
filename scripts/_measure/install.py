"""Measure an installed wheel: its size, the time of a start, and the memory of a session.

Run it from a checkout: ``scripts/measure install WHEEL [--runs 20]``. The wheel is installed into a temporary
environment with nothing else in it. It prints the table that stands in docs/development/installation.md. A start is timed
from the start of the process to the reply to a first command; the bytecode is already cached. Memory is the largest
resident set of a session with default options, with one command and after a searched move at level 10.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot.base.notation import integer

PACKAGES: Final = ("othello_bot", "protocol")
LOADING: Final = "import time; t = time.perf_counter(); import othello_bot.kernel; print(time.perf_counter() - t)"
CHOOSING: Final = """
import time
from pathlib import Path
import othello_bot.kernel as kernel
from othello_bot.kernel import variants
t = time.perf_counter()
variants.chosen(Path(kernel.__file__).parent)
print(time.perf_counter() - t)
"""


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel alone into a new environment; return its Python."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", wheel.resolve()], check=True)
    return python


@dataclass(frozen=True)
class SessionCost:
    """What a session cost: seconds until its first reply, processor seconds in all, largest resident set in MiB."""

    reply_s: float
    processor_s: float
    memory_mib: float


def session(python: Path, commands: str, *options: str, cache: str | None = None) -> SessionCost:
    """Run a session with these commands and options, and perhaps a cache folder of its own; return what it cost."""
    begun_s = time.perf_counter()
    process = subprocess.Popen(
        [python, "-I", "-m", "othello_bot", "--protocol", "gtp", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ if cache is None else os.environ | {"XDG_CACHE_HOME": cache},
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(commands.encode())
    process.stdin.flush()
    process.stdout.readline()
    taken_s = time.perf_counter() - begun_s
    process.stdin.close()
    process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return SessionCost(taken_s, used.ru_utime + used.ru_stime, memory_mib(used))


def first_start(python: Path) -> tuple[SessionCost, int]:
    """Return what a session with an empty cache folder cost, and the bytes that it left there."""
    with tempfile.TemporaryDirectory(prefix="othello-bot-cache-") as cache:
        used = session(python, "name\nquit\n", cache=cache)
        return used, sum(path.stat().st_size for path in Path(cache).rglob("*") if path.is_file())


def memory_mib(used: resource.struct_rusage) -> float:
    """Return the largest resident set in MiB; macOS counts it in bytes, others in KiB."""
    return used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def seconds_of(python: Path, code: str, runs: int) -> list[float]:
    """Return what a piece of code prints in each of several new processes."""
    command: list[str | Path] = [python, "-I", "-c", code]
    return [float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(runs)]


def rows(wheel: Path, python: Path, runs: int) -> list[tuple[str, str]]:
    """Measure everything; return the rows of the table."""
    [site] = (python.parents[1] / "lib").glob("python3*/site-packages")
    files = [path for package in PACKAGES for path in (site / package).rglob("*") if path.is_file()]
    own = [path for path in files if path.suffix != ".pyc"]
    modules = [path for path in own if path.suffix == ".so"]
    session(python, "quit\n")
    starts = [session(python, "name\nquit\n") for _ in range(runs)]
    moved_mib = max(session(python, "genmove b\nquit\n", "--level", "10", "--book", "off").memory_mib for _ in range(3))
    firsts = [first_start(python) for _ in range(runs)]
    packed = sum(info.compress_size for info in zipfile.ZipFile(wheel).infolist())
    return [
        ("wheel", f"{packed / 1e6:.1f} MB"),
        ("installed, without bytecode", f"{size_mb(own):.1f} MB, of which {size_mb(modules):.1f} MB compiled modules"),
        ("start to first reply", range_ms([start.reply_s for start in starts])),
        ("processor time of a start and `quit`", range_ms([start.processor_s for start in starts])),
        ("the same with an empty cache folder", range_ms([used.processor_s for used, _ in firsts])),
        ("files left in that folder", f"{firsts[0][1] / 1e6:.1f} MB"),
        ("import of the kernel's package", range_ms(seconds_of(python, LOADING, runs))),
        ("of that, choosing the variant", range_ms(seconds_of(python, CHOOSING, runs))),
        ("memory of a session", f"{max(start.memory_mib for start in starts):.0f} MiB"),
        ("memory after a searched move at level 10", f"{moved_mib:.0f} MiB"),
    ]


def size_mb(files: list[Path]) -> float:
    """Return the size of files in megabytes."""
    return sum(path.stat().st_size for path in files) / 1e6


def range_ms(taken_s: list[float]) -> str:
    """Return the best and the median of some times."""
    return f"{1e3 * min(taken_s):.2f} ms at best, {1e3 * statistics.median(taken_s):.2f} ms median of {len(taken_s)}"


def main() -> int:
    """Measure a wheel and print the table; return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, help="the wheel file")
    parser.add_argument("--runs", type=integer(1), default=20, help="how often each time is taken (default 20)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="othello-bot-install-") as name:
        python = install(args.wheel, Path(name))
        print(f"{args.wheel.name}, Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
        print("| what | measured |\n| --- | --- |")
        for what, measured in rows(args.wheel, python, args.runs):
            print(f"| {what} | {measured} |")
    return 0
