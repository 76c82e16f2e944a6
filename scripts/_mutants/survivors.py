"""Why some faults survive: the reasons that a person gave after looking at each."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from _mutants.fault import Fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("survivors.toml")
"""A list of tables `[[survivor]]`: `module`, `line` (the text of the changed line) and `reason`."""


@cache
def _reasons() -> dict[tuple[str, str], str]:
    entries = tomllib.loads(FILE.read_text(encoding="utf-8")).get("survivor", [])
    return {(entry["module"], entry["line"].strip()): entry["reason"] for entry in entries}


def reason(fault: Fault) -> str | None:
    """Return why this fault is not found, None where nobody has said so yet."""
    removed = [line[1:].strip() for line in fault.diff.splitlines() if line[:1] == "-" and line[:3] != "---"]
    module = fault.place.split(":")[0]
    return next((_reasons()[module, line] for line in removed if (module, line) in _reasons()), None)
