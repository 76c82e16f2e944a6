"""Fixtures of the launcher tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.launcher.checkout import Checkout


@pytest.fixture
def fresh(tmp_path: Path) -> Checkout:
    """Return a checkout that was never started."""
    return Checkout.make(tmp_path)


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Return a checkout after its first start, which tests must not change."""
    checkout = Checkout.make(tmp_path_factory.mktemp("started"))
    assert checkout.run().returncode == 7
    assert checkout.builds() == 1
    return checkout


@pytest.fixture
def built(started: Checkout, tmp_path: Path) -> Checkout:
    """Return a checkout after its first start."""
    return started.copied(tmp_path)
