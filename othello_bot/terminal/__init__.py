"""A session with a person: prompt, line editing and the drawn board."""

from __future__ import annotations

__all__ = [
    "prompt",
]
