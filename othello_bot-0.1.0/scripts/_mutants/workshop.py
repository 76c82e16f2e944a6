"""A copy of the checkout with the processes that try faults in it (trial.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from _mutants.chooser import TestChooser
from _mutants.copies import environment

TIMEOUT_LEAST_S: Final = 6.0
TIMEOUT_RATIO: Final = 3.0
"""A fault hangs if its tests compute longer than TIMEOUT_LEAST_S plus this many times their seconds without it, or if
one of them computes or waits for so long compared with the slowest of them.
"""


class Workshop:
    """A copy and its processes: one that has only other packages imported, and one that has the tests collected."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._fresh, self._collected = _trial(tree), _trial(tree)

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self._fresh, self._collected):
            assert process.stdin is not None
            process.stdin.close()
            process.wait()

    def measured(self, files: Sequence[Path], tests: Sequence[str]) -> TestChooser:
        """Run all tests without a fault and return which of them run what; raise SystemExit if they cannot run."""
        answer = _answer(self._fresh, {"measure": [str(file) for file in files], "tests": list(tests)})
        if not answer["seconds"]:
            raise SystemExit(f"scripts/mutate: {' '.join(tests)} cannot be run: pytest ends with {answer['status']}")
        for test in answer["failed"]:
            print(f"scripts/mutate: skipped, as it fails without a fault: {test}", file=sys.stderr)
        return TestChooser(answer["seconds"], answer["failed"], answer["lines"], answer["modules"])

    def prepare(self, chooser: TestChooser, tests: Sequence[str]) -> None:
        """Import the modules of other packages that the tests need, and collect the tests."""
        _answer(self._fresh, {"modules": chooser.modules})
        _answer(self._collected, {"collect": list(tests)})

    def found_by(self, path: Path, faulty: str, line: int, chooser: TestChooser) -> str:
        """Try a faulty module with the tests that run the line and return what found the fault."""
        module = self._tree / path
        text = module.read_text(encoding="utf-8")
        tests = chooser.tests(path, text, line)
        longest_s = max((chooser.seconds([test]) for test in tests), default=0.0)
        request = {
            "tests": tests,
            "timeout_s": TIMEOUT_LEAST_S + TIMEOUT_RATIO * chooser.seconds(tests),
            "test_timeout_s": TIMEOUT_LEAST_S + TIMEOUT_RATIO * longest_s,
        }
        changed_s = module.stat().st_mtime
        module.write_text(faulty, encoding="utf-8")
        try:
            found_by: str | None = None
            if not chooser.runs_at_import(path, text, line):
                swapped = {"path": os.path.realpath(module), "before": text, "after": faulty}
                found_by = _answer(self._collected, request | swapped)["found_by"]
            if found_by is None:
                found_by = _answer(self._fresh, request)["found_by"]
        finally:
            module.write_text(text, encoding="utf-8")
            os.utime(module, (changed_s, changed_s))  # what the module was compiled to holds again
        return found_by


def _trial(tree: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("trial.py"))],
        cwd=tree,
        env=environment(tree) | {"OTHELLO_BOT_TESTS": "mutants"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _answer(process: subprocess.Popen[str], request: dict[str, object]) -> dict[str, Any]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer
