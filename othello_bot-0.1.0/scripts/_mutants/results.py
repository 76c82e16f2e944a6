"""The results of one part's faults, kept in a file as they come, so that a stopped run can continue."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

HANGS = "hangs"
"""The result of a fault with which the tests do not end."""


class Results:
    """Results by the key of a fault: the test that found it, or nothing, which holds until the tests change."""

    def __init__(self, file: Path, tests: str) -> None:
        self._file = file
        self._tests = tests
        self._kept: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def found_by(self, key: str) -> str | None:
        """Return what found a fault, "" for nothing, None if it has not been tried with these tests."""
        result = self._kept.get(key)
        if result is None or not result["found_by"] and result["tests"] != self._tests:
            return None
        return result["found_by"]

    def survived_before(self, key: str) -> bool:
        """Return whether a fault survived when it was last tried, with whatever tests."""
        return key in self._kept and not self._kept[key]["found_by"]

    def keep(self, key: str, found_by: str) -> None:
        """Add a result and write the file."""
        self._kept[key] = {"found_by": found_by, "tests": self._tests}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._kept, indent=1), encoding="utf-8")


def digest_of_files(paths: Iterable[Path]) -> str:
    """Return a digest of the contents of the files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def digest_of_texts(*texts: str) -> str:
    """Return a digest of the texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
