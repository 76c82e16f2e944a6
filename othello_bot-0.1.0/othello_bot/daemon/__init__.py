"""The process around a session: descriptors, signals, the reader and the exit code."""

from __future__ import annotations

__all__ = [
    "edax_arguments",
    "process",
]
