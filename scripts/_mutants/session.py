"""The faults of one room and their results, kept in a file of cosmic-ray; each is tried in a copy of the checkout."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Final

from _setup.enter import ROOT
from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkItem, WorkResult

from _mutants.annotations import idle_spans, is_idle
from _mutants.copies import copy_of_the_checkout, environment
from _mutants.fault import Fault
from _mutants.rooms import Room

TIMEOUT_RATIO: Final = 5
"""Times the undisturbed tests' seconds, and TIMEOUT_LEAST_S more, after which a fault counts as found: it hangs."""

TIMEOUT_LEAST_S: Final = 20


class MutationSession:
    """The faults of one room, drawn by a seed."""

    def __init__(self, folder: Path, name: str, room: Room, count: int, seed: int) -> None:
        self._room = room
        self._tree = folder / "trees" / name
        self._file = folder / f"{name}-{count}-{seed}-{_fingerprint(room)}.sqlite"
        self._count = count
        self._seed = seed

    def run(self, processes: int) -> Iterator[tuple[int, int]]:
        """Try the faults that have no result yet; yields how many have one, and how many there are."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with use_db(str(self._file), WorkDB.Mode.create) as kept:
            if not kept.num_work_items:
                kept.add_work_items(self._drawn())
            pending = list(kept.pending_work_items)
            total = kept.num_work_items
            yield total - len(pending), total
            if not pending:
                return
            trees = [copy_of_the_checkout(self._tree.with_name(f"{self._tree.name}-{i}")) for i in range(processes)]
            timeout_s = TIMEOUT_LEAST_S + TIMEOUT_RATIO * self._undisturbed_s(trees[0])
            with ProcessPoolExecutor(processes) as pool:
                share = [pending[i::processes] for i in range(processes)]
                free = {
                    pool.submit(_try, tree, part.pop(), self._command(), timeout_s): (tree, part)
                    for tree, part in zip(trees, share, strict=True)
                    if part
                }
                done = total - len(pending)
                while free:
                    finished = next(as_completed(free))
                    tree, part = free.pop(finished)
                    job, result = finished.result()
                    kept.set_result(job, result)
                    done += 1
                    yield done, total
                    if part:
                        free[pool.submit(_try, tree, part.pop(), self._command(), timeout_s)] = (tree, part)

    def faults(self) -> list[Fault]:
        """Return the faults in the order of their places."""
        with use_db(str(self._file), WorkDB.Mode.open) as kept:
            results = dict(kept.results)
            return sorted(
                (_fault(item, results.get(item.job_id)) for item in kept.work_items), key=lambda one: one.place
            )

    def _drawn(self) -> list[WorkItem]:
        files = self._room.files(ROOT)
        spans = {str(path): idle_spans(ROOT / path) for path in files}
        with _chdir(ROOT):
            items = [
                item
                for item in _all_work_items(files, {})
                if not is_idle(item.mutations[0].start_pos, spans[str(item.mutations[0].module_path)])
            ]
        return random.Random(self._seed).sample(items, min(self._count, len(items)))

    def _command(self) -> str:
        options = "-x -q -n 0 -p no:cacheprovider --no-header"
        return f"{sys.executable} -m pytest {options} {' '.join(self._room.tests)}"

    def _undisturbed_s(self, tree: Path) -> float:
        began_s = time.monotonic()
        ended = subprocess.run(
            self._command().split(), cwd=tree, env=environment(tree), capture_output=True, check=False
        )
        if ended.returncode:
            raise SystemExit(f"scripts/mutate: the tests fail without a fault:\n{ended.stdout.decode()[-2000:]}")
        return time.monotonic() - began_s


def _fingerprint(room: Room) -> str:
    """Return what changes with the room's code and tests."""
    digest = hashlib.sha256()
    for pattern in (*room.modules, *(f"{test}/**/*.py" if (ROOT / test).is_dir() else test for test in room.tests)):
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def _chdir(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _try(tree: Path, item: WorkItem, command: str, timeout_s: float) -> tuple[str, WorkResult]:
    """Run the tests with one fault, in a process of its own; returns the job and its result."""
    os.chdir(tree)
    os.environ.update(environment(tree))
    return item.job_id, mutate_and_test(item.mutations, command, timeout_s)


def _fault(item: WorkItem, result: WorkResult | None) -> Fault:
    [mutation] = item.mutations
    place = f"{mutation.module_path}:{mutation.start_pos[0]}:{mutation.start_pos[1]}"
    found = None if result is None else result.test_outcome is not TestOutcome.SURVIVED
    return Fault(
        place, mutation.operator_name.removeprefix("core/"), found, "" if result is None else result.diff or ""
    )
