"""Fixtures of the launcher tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.launcher.checkout import Checkout


@pytest.fixture
def fresh(tmp_path: Path) -> Checkout:
    """Return a checkout that was never started."""
    return Checkout.make(tmp_path)


@pytest.fixture
def built(fresh: Checkout) -> Checkout:
    """Return a checkout after its first start."""
    assert fresh.run().returncode == 7
    assert fresh.builds() == 1
    return fresh
