"""The faults of the compiled kernel: a table of patches, each built and tested in a copy of the checkout.

Only the modules that a patch touches are compiled again, with little optimization. The tests run quickest first, in one
process, until one fails; the signature of the search comes last, which shows which faults nothing else finds.
"""

from __future__ import annotations

import difflib
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from _setup.enter import ROOT

from _mutants.copies import copy_of_the_checkout, environment
from _mutants.fault import Fault
from _mutants.results import Results, digest_of_files, digest_of_texts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE: Final = Path(__file__).with_name("kernel.toml")

KERNEL: Final = Path("othello_bot", "kernel")

TESTS: Final = (
    "tests/kernel/test_board.py",
    "tests/rules/test_kernel_against_oracle.py",
    "tests/kernel/test_checksum.py",
    "tests/kernel/test_error_model.py",
    "tests/kernel/test_patterns.py",
    "tests/kernel/test_regressions.py",
    "tests/kernel/test_handmade.py",
    "tests/kernel/test_extremes.py",
    "tests/kernel/test_table.py",
    "tests/kernel/test_evaluation.py",
    "tests/kernel/test_factors.py",
    "tests/kernel/test_tables.py",
    "tests/kernel/test_endgame.py",
    "tests/kernel/test_search.py",
    "tests/kernel/test_search_limits.py",
    "tests/kernel",
    "tests/suites/test_bench.py",
)
"""The tests, quickest first. The folder stands for files that this list does not name."""

SIGNATURE: Final = ("test_bench", "test_every_variant_searches_alike")
"""The tests that compare the signature of `bench`, which any change of the tree changes."""

TESTS_OF: Final = {
    "bits.h": "test_board",
    "board.pxi": "test_board",
    "checksum.pxi": "test_checksum",
    "columns.pxi": "test_tables",
    "endgame.pxi": "test_endgame",
    "error_model.pxi": "test_error_model",
    "evaluation.pxi": "test_evaluation",
    "factors.pxi": "test_factors",
    "handmade.pxi": "test_handmade",
    "lanes.h": "test_evaluation",
    "reduction.pxi": "test_factors",
    "stability.pxi": "test_board",
    "table.pxi": "test_table",
    "weights.pxi": "test_evaluation",
}
"""The tests that come first for a fault of a file; test_search does for the others."""

TEST_LIMIT_S: Final = 900
"""Seconds of processor time after which a fault counts as found, because it hangs. Without a fault the tests take about
100.
"""

COMPILER: Final = '#!/bin/sh\nexec {compiler} "$@" -O1 -g0\n'
"""Wrapper of the compiler: setup.py's own flags come first, and the last level of optimization counts."""


@dataclass(frozen=True)
class Patch:
    """A deliberate fault: in a file of the kernel, where `old` stands exactly once, `new` takes its place."""

    name: str
    file: str
    old: str
    new: str

    def applied(self, text: str) -> str:
        """Return the file's text with the fault; raise SystemExit unless `old` occurs exactly once."""
        if text.count(self.old) != 1:
            raise SystemExit(f"scripts/mutate: {TABLE.name}: {self.name!r}: `old` stands {text.count(self.old)} times")
        return text.replace(self.old, self.new)

    def fault(self, found_by: str | None) -> Fault:
        """Return the description of the fault."""
        before = (ROOT / KERNEL / self.file).read_text(encoding="utf-8")
        line = before[: before.index(self.old)].count("\n") + 1
        after = self.applied(before)
        diff = "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))
        return Fault(f"{KERNEL / self.file}:{line}", self.name, found_by, diff)


def patches() -> list[Patch]:
    """Return the table."""
    return [Patch(**entry) for entry in tomllib.loads(TABLE.read_text(encoding="utf-8"))["fault"]]


class KernelSession:
    """All faults of the table; results are kept until the kernel changes, and faults not found until the tests do."""

    def __init__(self, folder: Path) -> None:
        self._tree = folder / "trees" / "kernel"
        self._results = Results(folder / "kernel.json", digest_of_files((ROOT / "tests" / "kernel").glob("*.py")))
        suffixes = (".pyx", ".pxi", ".pxd", ".h", ".py")
        self._sources = digest_of_files(path for path in (ROOT / KERNEL).iterdir() if path.suffix in suffixes)

    def run(self, processes: int) -> Iterator[tuple[int, int]]:
        """Try the faults without a result; yield the number of results and of faults."""
        table = patches()
        pending = [patch for patch in table if self._results.found_by(self._key(patch)) is None]
        yield len(table) - len(pending), len(table)
        if not pending:
            return
        tree = _prepared_tree(self._tree)
        without = digest_of_texts(self._sources, "without a fault")
        if self._results.found_by(without) is None:
            if failed := _first_failure(tree, TESTS):
                raise SystemExit(f"scripts/mutate: the kernel's tests fail without a fault: {failed}")
            self._results.keep(without, "")
        for number, patch in enumerate(pending, len(table) - len(pending) + 1):
            self._results.keep(self._key(patch), _try(tree, patch, processes))
            yield number, len(table)

    def faults(self) -> list[Fault]:
        """Return the faults in the order of the table; print which of them only the signature finds."""
        faults = [patch.fault(self._results.found_by(self._key(patch))) for patch in patches()]
        for fault in faults:
            if any(test in (fault.found_by or "") for test in SIGNATURE):
                print(f"  found by the signature alone: {fault.operator}")
        return faults

    def _key(self, patch: Patch) -> str:
        return digest_of_texts(self._sources, *asdict(patch).values())


def _prepared_tree(tree: Path) -> Path:
    """Make a copy of the checkout in which setup.py finds everything built."""
    copy_of_the_checkout(tree)
    for path in (ROOT / KERNEL).glob("*.c"):
        shutil.copy2(path, tree / KERNEL)
    _settle(tree)
    wrapper = tree / "cc"
    wrapper.write_text(COMPILER.format(compiler=os.environ.get("CC", "gcc")))
    wrapper.chmod(0o755)
    return tree


def _settle(tree: Path) -> None:
    """Date the kernel's files so that each translation is newer than its sources, and each module than that."""
    for age_s, suffixes in ((30, (".h", ".pxd", ".pxi", ".pyx", ".py", ".pyi")), (20, (".c",)), (10, (".so",))):
        for path in (tree / KERNEL).rglob("*"):
            if path.suffix in suffixes:
                changed_s = path.stat().st_ctime - age_s
                os.utime(path, (changed_s, changed_s))
    before_s = (tree / KERNEL / "bits.h").stat().st_mtime
    os.utime(tree / "setup.py", (before_s, before_s))


def _try(tree: Path, patch: Patch, processes: int) -> str:
    """Build and test with a fault; return the test that found it, or an empty text."""
    kernel = tree / KERNEL
    kept = kernel.with_name("kernel-without-fault")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(kernel, kept, copy_function=shutil.copy2)
    try:
        source = kernel / patch.file
        source.write_text(patch.applied(source.read_text(encoding="utf-8")), encoding="utf-8")
        _build(tree, patch, processes)
        first = f"tests/kernel/{TESTS_OF.get(patch.file, 'test_search')}.py"
        return _first_failure(tree, (first, *(test for test in TESTS if test != first)))
    finally:
        shutil.rmtree(kernel)
        kept.rename(kernel)


def _build(tree: Path, patch: Patch, processes: int) -> None:
    """Compile what the fault touches; raise SystemExit if that fails."""
    shutil.rmtree(tree / "build", ignore_errors=True)
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace", "-j", str(processes)],
        cwd=tree,
        env=environment(tree) | {"CC": str(tree / "cc")},
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        raise SystemExit(f"scripts/mutate: {patch.name!r} does not compile:\n{built.stderr[-2000:]}")


def _first_failure(tree: Path, tests: Sequence[str]) -> str:
    """Run the tests until one fails; return its name, another failure, or an empty text if all pass."""
    options = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=tree,
        env=environment(tree) | {"OTHELLO_BOT_TESTS": "mutants"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (TEST_LIMIT_S, TEST_LIMIT_S)),
    )
    if ended.returncode == 0:
        return ""
    failed = [line.split()[1] for line in ended.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return failed[0] if failed else f"ended with {ended.returncode}"
