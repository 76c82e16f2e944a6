"""Why some faults survive: reasons that a person gave after reviewing each."""

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
"""A list of tables `[[survivor]]`: `module`, `line` (the text of the changed line), what it `became`, and `reason`."""


@cache
def _reasons() -> dict[tuple[str, str, str], str]:
    entries = tomllib.loads(FILE.read_text(encoding="utf-8")).get("survivor", [])
    return {(one["module"], one["line"], became): one["reason"] for one in entries for became in one["became"]}


def reason(fault: Fault) -> str | None:
    """Return why this fault is not found, None if no reason is given yet."""
    return _reasons().get((fault.place.split(":")[0], _changed(fault, "-"), _changed(fault, "+")))


def _changed(fault: Fault, sign: str) -> str:
    """Return the text of the lines that a fault removes, or of those that it adds."""
    lines = [line for line in fault.diff.splitlines() if line[:1] == sign and line[:3] != 3 * sign]
    return "\n".join(line[1:].strip() for line in lines)
