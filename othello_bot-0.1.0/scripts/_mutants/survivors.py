"""Why some faults survive: a list for each part, which `--write` brings up to date, with reasons that a person gave."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from _mutants.fault import Fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER: Final = Path(__file__).with_name("survivors")

HEAD: Final = """\
# The faults of this part that no test finds; scripts/mutate writes this list and keeps the reasons, which are given by
# hand. `line` is the text of the changed lines, `became` what they became. "Equivalent": no test could find the fault.
"""

Change = tuple[str, str, str]
"""A fault's module, the text of the lines that it changes, and what they become."""


class Survivors:
    """The list of one part."""

    def __init__(self, part: str, folder: Path = FOLDER) -> None:
        self._file = folder / f"{part}.toml"
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        entries = tomllib.loads(text).get("survivor", [])
        self._reasons: dict[Change, str] = {
            (one["module"], one["line"], one["became"]): one["reason"] for one in entries
        }

    def reason(self, fault: Fault) -> str:
        """Return why this fault is not found, "" if no reason is given yet."""
        return self._reasons.get(_change(fault), "")

    def write(self, survived: Iterable[Fault]) -> None:
        """Write these faults with the reasons that are known; discard all others."""
        changes = sorted({_change(fault) for fault in survived})
        self._reasons = {change: self._reasons.get(change, "") for change in changes}
        self._file.parent.mkdir(exist_ok=True)
        entries = [_entry(change, reason) for change, reason in self._reasons.items()]
        self._file.write_text("\n".join([HEAD, *entries]), encoding="utf-8")


def _entry(change: Change, reason: str) -> str:
    values = zip(("module", "line", "became", "reason"), (*change, reason), strict=True)
    return "[[survivor]]\n" + "".join(f"{name} = {json.dumps(text, ensure_ascii=False)}\n" for name, text in values)


def _change(fault: Fault) -> Change:
    return fault.place.split(":")[0], _lines(fault, "-"), _lines(fault, "+")


def _lines(fault: Fault, sign: str) -> str:
    """Return the text of the lines that a fault removes, or of those that it adds."""
    lines = [line for line in fault.diff.splitlines() if line[:1] == sign and line[:3] != 3 * sign]
    return "\n".join(line[1:].strip() for line in lines).strip()
