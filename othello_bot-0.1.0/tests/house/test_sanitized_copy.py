"""The copy of the checkout in which `scripts/sanitize` runs the kernel's tests."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.house.test_rooms import ROOT
from tests.kernel import test_search as kernel_tests


@pytest.mark.slow
def test_the_copy_holds_what_the_kernels_tests_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    copy = tmp_path / "copy"
    importlib.import_module("_setup.sources").copy_to(copy)
    assert (copy / kernel_tests.EXACT.relative_to(ROOT)).is_file()
    assert (copy / "othello_bot/kernel/search.pxi").is_file()
    assert not list(copy.rglob("*.so"))
