"""Results on disk: a line of JSON for each finished unit of work, so that nothing is done twice."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from othello_bot.base.files import cache_folder

Values = dict[str, Any]
"""The results of a unit: numbers, and lists of them."""


@dataclass(frozen=True)
class Record:
    """A finished unit: its experiment and cell, its results, where and when it ran."""

    experiment: str
    key: str
    values: Values
    machine: str
    date: str


class Store:
    """The records of all experiments, one file each; a line cut off by a kill counts as not done."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._records: dict[str, dict[str, Record]] = {}

    def get(self, experiment: str, key: str) -> Values | None:
        """Return the results of a unit, None if it has not been done."""
        record = self._of(experiment).get(key)
        return None if record is None else record.values

    def records(self, experiment: str) -> Iterator[Record]:
        """Yield the records of an experiment in the order of their creation."""
        yield from self._of(experiment).values()

    def put(self, experiment: str, key: str, values: Values, date: str) -> None:
        """Store the results of a unit; they are on disk when this returns."""
        record = Record(experiment, key, values, machine(), date)
        self._of(experiment)[key] = record
        self._folder.mkdir(parents=True, exist_ok=True)
        line = {"key": key, "values": values, "machine": record.machine, "date": date}
        path = self._path(experiment)
        torn = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if torn else "") + json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _path(self, experiment: str) -> Path:
        return self._folder / f"{experiment}.jsonl"

    def _of(self, experiment: str) -> dict[str, Record]:
        """Return the records of an experiment, read from its file the first time."""
        if experiment not in self._records:
            found = self._records[experiment] = {}
            path = self._path(experiment)
            for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
                try:
                    data = json.loads(line)
                except json.JSONDecodeError:
                    continue  # cut off by a kill; its unit counts as not done
                record = Record(experiment, data["key"], data["values"], data["machine"], data["date"])
                found[record.key] = record
        return self._records[experiment]


def default_folder() -> Path:
    """Return the default folder of the results."""
    return cache_folder() / "textbook"


def machine() -> str:
    """Return the processor and the Python, as the page names them."""
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    except OSError:
        pass  # not Linux: use the platform module instead
    return f"{processor}, {os.cpu_count()} processors, Python {platform.python_version()}"
