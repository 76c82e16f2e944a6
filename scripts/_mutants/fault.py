"""The description of a fault, whatever its kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault and its result: the place, the change, and what found it: "" for nothing; None: not tried."""

    place: str
    operator: str
    found_by: str | None
    diff: str
