"""The dataclasses of this room are values."""

from __future__ import annotations

from othello_bot import arena
from tests.values import changing_dataclasses


def test_values_never_change() -> None:
    assert changing_dataclasses(arena) == {"ClockUse", "EngineTally", "Meeting", "Reason", "_Pairing"}
