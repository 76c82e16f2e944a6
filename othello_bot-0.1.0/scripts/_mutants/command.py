"""The command line: which parts, how many faults, and the table of results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from _mutants.fault import Fault
from _mutants.kernel import KernelSession
from _mutants.parts import FOUND_GOAL, PARTS
from _mutants.results import HANGS
from _mutants.session import MutationSession
from _mutants.survivors import Survivors
from othello_bot.base.files import cache_folder
from othello_bot.base.notation import integer

KERNEL: Final = "kernel"
"""The part of compiled code: its faults are a table of patches, and all are tried."""


def main(description: str | None, words: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 1 if the tests of a part find too few faults."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}, {KERNEL}")
    parser.add_argument("--all", action="store_true", help="every part")
    parser.add_argument("--count", type=integer(1), default=300, metavar="N", help="faults of each part; default 300")
    parser.add_argument("--seed", type=integer(0), default=1, metavar="N", help="which faults are drawn; default 1")
    parser.add_argument("--processes", type=integer(1), default=os.cpu_count() or 1, metavar="N", help="at a time")
    parser.add_argument("--folder", type=Path, default=cache_folder() / "mutants", help="folder of the results")
    parser.add_argument("--show", action="store_true", help="the results so far, without trying more")
    parser.add_argument("--write", action="store_true", help="bring the lists in scripts/_mutants/survivors up to date")
    arguments = parser.parse_args(words)
    parts = [*PARTS, KERNEL]
    unknown = [name for name in arguments.parts if name not in parts]
    if unknown or bool(arguments.parts) == arguments.all:
        parser.error(f"expected --all, or some of {', '.join(parts)}; got {' '.join(unknown) or 'neither or both'}")
    shares = []
    for name in parts if arguments.all else arguments.parts:
        session: KernelSession | MutationSession
        if name == KERNEL:
            session = KernelSession(arguments.folder)
        else:
            session = MutationSession(arguments.folder, name, PARTS[name], arguments.count, arguments.seed)
        if not arguments.show:
            for done, total in session.run(arguments.processes):
                sys.stderr.write(f"\r{name}: {done} of {total} faults tried")
                sys.stderr.flush()
            sys.stderr.write("\n")
        shares.append(report(name, session.faults(), write=arguments.write))
    return 0 if min(shares) >= FOUND_GOAL else 1


def report(name: str, faults: Sequence[Fault], *, write: bool) -> float:
    """Print the results of a part, and the survivors; return the share found of those tried.

    `write`: bring the list of the survivors up to date before.
    """
    tried = [fault for fault in faults if fault.found_by is not None]
    survived = [fault for fault in tried if not fault.found_by]
    hanging = sum(fault.found_by == HANGS for fault in tried)
    survivors = Survivors(name)
    if write:
        survivors.write(survived)
    share = 1 - len(survived) / len(tried) if tried else 0.0
    found = f"{len(tried) - len(survived)} of {len(tried)} faults found ({share:.1%}, {hanging} of them by hanging)"
    print(f"{name}: {found}, {len(faults)} drawn")
    for fault in survived:
        changed = [line for line in fault.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print(f"  {fault.place} {fault.operator}: {survivors.reason(fault) or 'no reason given'}")
        print("".join(f"    {line}\n" for line in changed), end="")
    return share
