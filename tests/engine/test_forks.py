"""Forks: a child process works with what its parent has used, and none hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.forked import FORMS

ROOT = Path(__file__).parents[2]

LONGEST_S = 240
"""Seconds after which a parent counts as hanging; a child is given less."""


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
@pytest.mark.parametrize("form", FORMS)
def test_children_work_with_what_their_parent_has_used(form: str) -> None:
    program = [sys.executable, "-m", "tests.engine.forked", form, "3"]
    ended = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
