"""Run three benches, and solve the positions of a file, if one is named, three times; see variant_speed.py.

It runs alike in a Python of this machine and in Pyodide under Node.js. It prints the nodes of a bench and the least
processor time of one in seconds, then the same for the file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from othello_bot.engine import Search
from othello_bot.formats import obf
from othello_bot.suites.bench import HASH_MIB, signature
from othello_bot.suites.solve import solve

TIMES = 3
FIRST = 5
"""The number of positions of the file that are solved: in that of FFO #40 to #59, those to #44."""


def used_s() -> float:
    """Return the processor time of this process in user mode; in Pyodide, Python knows only that of the clock."""
    if sys.platform == "emscripten":
        import js

        return float(js.process.cpuUsage().user) / 1e6
    return os.times().user


def solved(file: str) -> int:
    """Return the nodes of the first positions of a file; raise SystemExit for a wrong solution."""
    search = Search(HASH_MIB, threads=1)
    problems = list(obf.read(Path(file).read_text(encoding="utf-8").splitlines()))[:FIRST]
    entries = [solve(search, number, problem) for number, problem in enumerate(problems, 1)]
    for entry in entries:
        if entry.right is False:
            raise SystemExit(f"{file}, position {entry.number}: {entry.verdict()}")
    return sum(entry.result.nodes for entry in entries)


def timed(work: Callable[[], int]) -> tuple[int, float]:
    """Return the nodes and the least time of some runs, because other work on the machine can only lengthen them."""
    times = []
    for _ in range(TIMES):
        began_s = used_s()
        nodes = work()
        times.append(used_s() - began_s)
    return nodes, min(times)


if __name__ == "__main__":
    print(*timed(signature))
    for name in sys.argv[1:]:
        print(*timed(partial(solved, name)))
