"""Where the files lie that come with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DATA_FOLDER: Final = Path(__file__).resolve().parents[1] / "data"
"""Holds the shipped evaluation, the named openings and the balanced openings."""
