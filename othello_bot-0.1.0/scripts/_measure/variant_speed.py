"""Compare the speed of two variants of the kernel by `othello-bot bench`, in pairs of alternating order.

Build both first: ``OTHELLO_BOT_BUILD_ARCH=x86-64-v3,native .venv/bin/python setup.py build_ext --inplace``. It prints
the processor time of each pair, and the mean ratio with its standard error: above 1, the first variant is the slower.
A run's time is the least of three benches in one process, because other work on the machine can only lengthen them.

With ``--wheel`` and ``--pyodide``, as `othello-bot web --export` takes them, there is the variant `wasm`: that wheel in
Pyodide under Node.js (``python scripts/_browser parts FOLDER`` makes both). ``--solve`` names a file of which five
positions are solved, too.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from _setup.enter import ROOT

from othello_bot.base.notation import integer

WASM = "wasm"
SCRIPTS = ROOT / "scripts"
PYODIDE = ROOT / "tests" / "real" / "pyodide.mjs"


@dataclass(frozen=True)
class VariantRun:
    """A process with several runs of each work: the nodes of each, and the least processor time of a run."""

    nodes: tuple[int, ...]
    used_s: tuple[float, ...]


@dataclass(frozen=True)
class Comparison:
    """What is compared, and where the parts of the variant for browsers are."""

    first: str
    second: str
    solve: Path | None
    pyodide: Path | None
    wheel: Path | None

    def run(self, variant: str) -> VariantRun:
        """Run bench and the file with a variant forced, in a process of their own."""
        command: list[str | Path] = [sys.executable, "-m", "_measure.timed"]
        variables = os.environ | {"OTHELLO_BOT_ARCH": variant, "PYTHONPATH": str(ROOT)}
        file = "" if self.solve is None else str(self.solve)
        if variant == WASM:
            assert self.pyodide is not None and self.wheel is not None
            command = ["node", PYODIDE, self.pyodide, self.wheel, SCRIPTS, "_measure.timed"]
            variables.pop("OTHELLO_BOT_ARCH")
        words = [*command, file] if file else command
        ended = subprocess.run(words, cwd=SCRIPTS, env=variables, stdout=subprocess.PIPE, text=True, check=True)
        rows = [line.split() for line in ended.stdout.splitlines()]
        return VariantRun(tuple(int(nodes) for nodes, _ in rows), tuple(float(used_s) for _, used_s in rows))

    def compare(self, pairs: int) -> int:
        """Run the pairs and print the ratios; return 0, or 1 if the variants did not search the same tree."""
        works = ["bench", *([] if self.solve is None else [self.solve.name])]
        ratios: list[list[float]] = [[] for _ in works]
        for number in range(pairs):
            order = (self.first, self.second) if number % 2 == 0 else (self.second, self.first)
            found = {variant: self.run(variant) for variant in order}
            first, second = found[self.first], found[self.second]
            if first.nodes != second.nodes:
                print(f"{self.first} {first.nodes}, {self.second} {second.nodes}: expected the same")
                return 1
            for work, one_s, other_s, known in zip(works, first.used_s, second.used_s, ratios, strict=True):
                known.append(one_s / other_s)
                print(f"{work}: {self.first} {one_s:.3f} s, {self.second} {other_s:.3f} s: {known[-1]:.4f}", flush=True)
        for work, known in zip(works, ratios, strict=True):
            error = statistics.stdev(known) / len(known) ** 0.5 if len(known) > 1 else float("nan")
            print(
                f"{work}: {self.first} takes {statistics.mean(known):.4f} ± {error:.4f} of the time of {self.second}, ",
                end="",
            )
            print(f"median {statistics.median(known):.4f}, {pairs} pairs")
        return 0


def main() -> int:
    """Check the variants and compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", default="x86-64-v3", help="default x86-64-v3")
    parser.add_argument("second", nargs="?", default="native", help="default native")
    parser.add_argument("--pairs", type=integer(1), default=10, metavar="N", help="default 10")
    parser.add_argument("--solve", type=Path, metavar="FILE", help="a file of OBF, such as that of FFO #40 to #59")
    parser.add_argument("--pyodide", type=Path, metavar="FOLDER", help="the npm package pyodide")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="the engine's wheel for browsers")
    from othello_bot.kernel import BUILT

    args = parser.parse_args()
    parts = args.pyodide is not None and args.wheel is not None
    known = (*BUILT, *([WASM] if parts else []))
    for variant in (args.first, args.second):
        if variant not in known:
            parser.error(f"variant {variant!r}: expected one that is built here: {', '.join(known)}; see --help")
    if args.first == args.second:
        parser.error(f"variant {args.first!r} twice: expected two variants")
    solve = None if args.solve is None else args.solve.resolve()
    pyodide = args.pyodide.resolve() if parts else None
    wheel = args.wheel.resolve() if parts else None
    return Comparison(args.first, args.second, solve, pyodide, wheel).compare(args.pairs)
