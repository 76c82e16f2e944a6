"""The choice of tests for a fault: those that run its line, the quickest first."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Final

from _mutants.places import lines_around

LOOKING: Final = "/test_values.py::"
"""Part of the names of tests that look at classes and run none of their lines."""

SLOWEST_S: Final = 6.0
"""Most seconds of a test, while it is measured, to be tried on faults: a slow one would run for each that survives."""


class TestChooser:
    """Measurements of a run of a part's tests without a fault."""

    def __init__(
        self, seconds: dict[str, float], failed: list[str], lines: dict[str, dict[str, list[str]]], modules: list[str]
    ) -> None:
        self._seconds = seconds
        self._failed = failed
        self._lines = lines
        self.modules = modules

    def tests(self, path: Path, text: str, line: int) -> list[str]:
        """Return the tests for a fault at a line of a module whose text without it is given.

        For a line that only importing runs, or no test in its own process, they are those of LOOKING, those of the file
        that is named after the module, and the tests that run any line of the module, or all tests if none does.
        """
        by_line = self._lines[str(path)]
        for lines in lines_around(ast.parse(text), line):
            if chosen := {test for at in lines for test in by_line.get(str(at), ()) if test}:
                return self._ordered(chosen)
        chosen = {test for tests in by_line.values() for test in tests if test} or set(self._seconds)
        named = (LOOKING, f"/test_{path.stem}.py::")
        return self._ordered(chosen | {test for test in self._seconds if any(name in test for name in named)})

    def runs_at_import(self, path: Path, text: str, line: int) -> bool:
        """Return whether importing the tests runs the statement at a line."""
        by_line = self._lines[str(path)]
        return any("" in by_line.get(str(at), ()) for lines in lines_around(ast.parse(text), line)[:1] for at in lines)

    def _ordered(self, chosen: set[str]) -> list[str]:
        """Return the tests file by file, because tests of a file share set-up; skip the slow ones."""
        chosen = {test for test in chosen if test not in self._failed and self._seconds[test] <= SLOWEST_S}
        file_s: dict[str, float] = {}
        for test in chosen:
            file_s[test.split("::")[0]] = file_s.get(test.split("::")[0], 0.0) + self._seconds[test]
        return sorted(chosen, key=lambda test: (file_s[test.split("::")[0]], self._seconds[test], test))

    def seconds(self, tests: list[str]) -> float:
        """Return the seconds of the tests without a fault."""
        return sum(self._seconds[test] for test in tests)

    def write(self, file: Path, state: str) -> None:
        """Store the measurements for this state of code and tests."""
        file.parent.mkdir(parents=True, exist_ok=True)
        kept = {"state": state, "seconds": self._seconds, "failed": self._failed, "lines": self._lines}
        file.write_text(json.dumps(kept | {"modules": self.modules}), encoding="utf-8")

    @classmethod
    def read(cls, file: Path, state: str) -> TestChooser | None:
        """Return the stored measurements; None if there are none or they belong to another state."""
        if not file.exists():
            return None
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept["state"] != state:
            return None
        return cls(kept["seconds"], kept["failed"], kept["lines"], kept["modules"])
