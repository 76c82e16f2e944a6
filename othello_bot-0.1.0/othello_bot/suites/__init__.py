"""Measuring commands: perft, bench and solve."""

from __future__ import annotations

__all__ = [
    "bench",
    "perft",
    "solve",
]
