"""The table of faults that scripts/mutate puts into the kernel: each can still be put there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FAULTS = tomllib.loads((ROOT / "scripts" / "_mutants" / "kernel.toml").read_text(encoding="utf-8"))["fault"]


def test_none_stands_twice() -> None:
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_what_a_fault_replaces_stands_once(fault: dict[str, str]) -> None:
    source = (ROOT / "othello_bot" / "kernel" / fault["file"]).read_text(encoding="utf-8")
    assert source.count(fault["old"]) == 1
    assert fault["new"] != fault["old"]
