"""What came of the faults of one room, kept in a file as results come, so that a run can go on where it was stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

HANGS = "hangs"
"""What found a fault with which the tests do not end."""


class Results:
    """By the key of a fault: the test that found it, or nothing, which holds until the tests change."""

    def __init__(self, file: Path, tests: str) -> None:
        self._file = file
        self._tests = tests
        self._kept: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def found_by(self, key: str) -> str | None:
        """Return what found a fault, "" where nothing did, None where it has not been tried with these tests."""
        result = self._kept.get(key)
        if result is None or not result["found_by"] and result["tests"] != self._tests:
            return None
        return result["found_by"]

    def keep(self, key: str, found_by: str) -> None:
        """Add a result and write the file."""
        self._kept[key] = {"found_by": found_by, "tests": self._tests}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._kept, indent=1), encoding="utf-8")


def digest_of_files(paths: Iterable[Path]) -> str:
    """Return what changes with the contents of the files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def digest_of_texts(*texts: str) -> str:
    """Return what changes with any of the texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
