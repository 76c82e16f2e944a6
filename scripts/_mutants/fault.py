"""What is told about a fault, whatever put it there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault and what came of it: the place, what was done there, and what found it: "" nothing; None: not tried."""

    place: str
    operator: str
    found_by: str | None
    diff: str
