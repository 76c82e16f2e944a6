"""Forks: a child process works with what its parent has used, and none hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
def test_children_work_with_what_their_parent_has_used() -> None:
    program = [sys.executable, "-m", "tests.engine.forked", "3"]
    ended = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
