"""The process around a session: descriptors, signals, the reader and the way out."""

from __future__ import annotations

__all__ = [
    "edax_arguments",
    "process",
]
