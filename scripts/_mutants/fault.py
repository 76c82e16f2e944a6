"""What is told about a fault, whatever put it there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault and what came of it: the place, what was done there, and whether a test failed; None: not tried."""

    place: str
    operator: str
    found: bool | None
    diff: str
