"""What a session takes of the memory of the machine."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from tests.launcher.checkout import REPOSITORY

MOST_MIB = 64
"""The table's 16, Python's own, and the tables of the evaluation for the stage of the game; 84 with those of all stages."""


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems count memory in other ways")
def test_the_tables_of_later_stages_take_no_memory() -> None:
    command = [sys.executable, "-m", "othello_bot", "--hash", "16", "--threads", "1", "--level", "10", "--book", "off"]
    with subprocess.Popen(
        [*command, "gtp"], cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as session:
        assert session.stdin is not None and session.stdout is not None
        for color in ("b", "w", "b"):
            session.stdin.write(f"genmove {color}\n")
            assert session.stdout.readline().startswith("= ")
            assert session.stdout.readline() == "\n"
        used_mib = psutil.Process(session.pid).memory_info().rss / 2**20
        session.stdin.close()
    assert used_mib < MOST_MIB
