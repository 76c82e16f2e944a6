"""Helpers for tests of real processes: short deadlines, and checks that no process is left."""

from __future__ import annotations

import os
import time
from pathlib import Path

from othello_bot.protocol.conversation import Deadlines
from othello_bot.protocol.process import Patience

PATIENCE = Patience(quit_s=0.15, end_of_input_s=0.15, terminate_s=0.15)
"""For engines that do not obey, so that the tests are not slow; the last step has all the time it needs."""

OBEDIENT = Patience(quit_s=20, end_of_input_s=20, terminate_s=20)
"""For engines that do obey, however busy the machine is."""

DEADLINES = Deadlines(start_s=20, reply_s=20, move_s=20, grace_s=20)
"""Long enough for any machine; a test of a stall sets its own."""


def is_alive(pid: int) -> bool:
    """Return whether the process exists and is no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_gone_within(pid: int, timeout_s: float) -> bool:
    """Return whether the process ends within that time."""
    deadline = time.monotonic() + timeout_s
    while is_alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
