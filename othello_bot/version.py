"""The version of the program, for all that tell it."""

from __future__ import annotations

__version__ = "0.1.0"
