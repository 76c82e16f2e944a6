"""The folder of the files that come with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DATA_FOLDER: Final = Path(__file__).resolve().parents[1] / "data"
"""The folder of the shipped evaluation, the named openings and the balanced openings."""
