"""Compare the speed of two variants of the kernel by `othello-bot bench`, in pairs of alternating order.

Build both first: ``OTHELLO_BOT_BUILD_ARCH=x86-64-v3,native .venv/bin/python setup.py build_ext --inplace``. It prints
the processor time of each pair, and the mean ratio with its standard error: above 1, the first variant is the slower.
A run's time is the least of three benches in one process, because other work on the machine can only lengthen them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass

from _setup.enter import ROOT

from othello_bot.base.notation import integer

BENCH = """
import time
from othello_bot.cli import main
for _ in range(3):
    began_s = time.process_time()
    main(["bench", "--quiet"])
    print(time.process_time() - began_s)
"""


@dataclass(frozen=True)
class VariantRun:
    """A process with three benches: their signature, and the least processor time of one."""

    signature: str
    used_s: float


def bench(variant: str) -> VariantRun:
    """Run the benches with a variant forced, in a process of their own."""
    variables = os.environ | {"OTHELLO_BOT_ARCH": variant}
    command = [sys.executable, "-c", BENCH]
    ended = subprocess.run(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    lines = ended.stdout.splitlines()
    return VariantRun(" ".join(sorted({*lines[::2]})), min(map(float, lines[1::2])))


def compare(first: str, second: str, pairs: int) -> int:
    """Run the pairs and print the ratios; return 0, or 1 if the variants did not search the same tree."""
    ratios = []
    bench(first), bench(second)  # the files are read, and the processor is awake
    for number in range(pairs):
        order = (first, second) if number % 2 == 0 else (second, first)
        found = {variant: bench(variant) for variant in order}
        if found[first].signature != found[second].signature:
            print(f"{first} {found[first].signature}, {second} {found[second].signature}: expected the same")
            return 1
        ratios.append(found[first].used_s / found[second].used_s)
        times = ", ".join(f"{name} {found[name].used_s:.3f} s" for name in (first, second))
        print(f"{times}: {ratios[-1]:.4f}", flush=True)
    error = statistics.stdev(ratios) / len(ratios) ** 0.5 if len(ratios) > 1 else float("nan")
    print(f"{first} takes {statistics.mean(ratios):.4f} ± {error:.4f} of the time of {second}, median ", end="")
    print(f"{statistics.median(ratios):.4f}, {pairs} pairs")
    return 0


def main() -> int:
    """Check the variants and compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", default="x86-64-v3", help="default x86-64-v3")
    parser.add_argument("second", nargs="?", default="native", help="default native")
    parser.add_argument("--pairs", type=integer(1), default=10, metavar="N", help="default 10")
    from othello_bot.kernel import BUILT

    args = parser.parse_args()
    for variant in (args.first, args.second):
        if variant not in BUILT:
            parser.error(f"variant {variant!r}: expected one that is built here: {', '.join(BUILT)}; see --help")
    if args.first == args.second:
        parser.error(f"variant {args.first!r} twice: expected two variants")
    if args.pairs < 1:
        parser.error(f"--pairs {args.pairs}: expected 1 or more")
    return compare(args.first, args.second, args.pairs)
