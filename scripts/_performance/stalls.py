"""How long the machine itself stands still: what no engine and no arena can make up for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

NAP_S = 0.001
"""How long a watcher sleeps at a time."""

NOTED_S = 0.004
"""The shortest stall noted, in seconds: a scheduler's time slice explains shorter ones."""

WATCHER = f"""
import json, os, sys, time
os.sched_setaffinity(0, {{int(sys.argv[1])}})
try:
    os.nice(-20)
except PermissionError:
    pass
before = time.time()
while os.getppid() == int(sys.argv[2]):
    time.sleep({NAP_S})
    now = time.time()
    if now - before > {NOTED_S} + {NAP_S}:
        print(json.dumps([before + {NAP_S}, now]), flush=True)
    before = now
"""
"""Sleeps repeatedly on one core and prints when it should have woken and when it did, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Stall:
    """A time in which a core did not run its most urgent process, in seconds since the epoch."""

    began: float
    ended: float

    @property
    def duration_s(self) -> float:
        """Its length in seconds."""
        return self.ended - self.began

    def overlaps(self, began: float, ended: float) -> bool:
        """Return whether it lies within this time, in part at least."""
        return self.began < ended and began < self.ended


@contextmanager
def watched() -> Iterator[list[Stall]]:
    """Watch every core of this process for stalls; the list is filled when the block ends.

    The watchers run at the highest priority allowed: without root's rights, other processes delay them, too.
    """
    stalls: list[Stall] = []
    watchers = [
        subprocess.Popen(
            [sys.executable, "-S", "-c", WATCHER, str(core), str(os.getpid())], stdout=subprocess.PIPE, text=True
        )
        for core in sorted(os.sched_getaffinity(0))
    ]
    try:
        yield stalls
    finally:
        for watcher in watchers:
            watcher.terminate()
        for watcher in watchers:
            printed, _ = watcher.communicate()
            stalls.extend(Stall(*json.loads(line)) for line in printed.splitlines() if line.endswith("]"))
        stalls.sort(key=lambda stall: stall.began)
