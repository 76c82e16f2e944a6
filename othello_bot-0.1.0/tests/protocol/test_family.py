"""The processes of an engine, and their memory, as the system shows them."""

from __future__ import annotations

import sys
import time

import psutil
import pytest

from othello_bot.base import posix
from othello_bot.protocol.process import EngineProcess

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the processes"),
]

CHILD = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
"""Tells its number itself: for a moment after it was started, the system does not show what marks it."""

LEAVER = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}], start_new_session=True)
sys.stdin.read()
"""


def test_the_family_of_an_engine_has_also_those_who_left_its_group() -> None:
    with EngineProcess([sys.executable, "-c", LEAVER]) as engine:
        child = int(engine.receive(60).text)
        assert set(engine.family) == {engine.pid, child}
        childs_mib = psutil.Process(child).memory_info().rss / 2**20
        assert posix.resident_mib([child]) == pytest.approx(childs_mib, rel=0.3)
        assert posix.resident_mib(engine.family) > posix.resident_mib([child])
    assert engine.family == ()
    # The guardian ends it.
    until = time.monotonic() + 60
    while posix.exists(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not posix.exists(child)


def test_a_process_that_is_gone_takes_no_memory() -> None:
    assert posix.resident_mib([2**22 - 1]) == 0.0
    assert posix.resident_mib([]) == 0.0
