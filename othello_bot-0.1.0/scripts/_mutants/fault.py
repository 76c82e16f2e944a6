"""The description of a fault, whatever its kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault and its result.

    `diff` is the change, which may be omitted if the fault was found. `found_by` is what found it: "" for nothing, and
    None if it was not tried.
    """

    place: str
    operator: str
    found_by: str | None
    diff: str
