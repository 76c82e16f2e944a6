"""Send a million commands to one engine process; check its memory and the order of its replies.

``scripts/measure soak``: the commands are a mix of games, searches, records, options and nonsense, the same each time;
each has its number as id. It prints commands, seconds and the memory of the process (resident, MiB) after each tenth.
It exits with 1 if a reply is missing, out of order or wrong, or if the memory at the end is more than --most-growth MiB
above that after the first tenth.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import IO

import psutil

from othello_bot.base.notation import decimal, integer

MIX = (
    *(
        ("clear_board", "="),
        ("play b f5", "="),
        ("play w d6", "="),
        ("play c3d3c4f4", "="),
        ("undo 3", "="),
        ("redo", "="),
    ),
    *(
        ("showboard", "="),
        ("legal_moves", "="),
        ("transcript", "="),
        ("position", "="),
        ("play b a1", "?"),
        ("castle", "?"),
    ),
    *(("genmove", "="), ("genmove", "="), ("hint 3", "="), ("eval", "="), ("stats", "="), ("final_score", "?")),
    *(("setoption level 3", "="), ("setoption level 99", "?"), ("getoption level", "="), ("printsgf", "=")),
    *(("time_settings 60 0 0", "="), ("time_left b 30 0", "="), ("clocks", "="), ("time_settings 0 1 0", "=")),
    *(("setposition nonsense", "?"), ("gogui-rules_board", "="), ("kata-analyze 1", "="), ("", ""), ("isready", "=")),
    *(
        ("play b \xff\x01", "?"),
        ("search ---------------------------OX------XO---------------------------X -4 4 2", "="),
    ),
)
"""Commands and the beginnings of their replies; an empty line ends an analysis and has no reply."""

OVERTAKING = "readyok"
"""The answer to `isready`, in its turn or earlier, because it overtakes the searches before it."""

SETTINGS = ("setoption hash 1", "setoption depth 2", "setoption book off")


class SoakWatch:
    """Reads replies and checks that each comes in its turn."""

    def __init__(self, process: subprocess.Popen[bytes], total: int) -> None:
        self._process = psutil.Process(process.pid)
        self._replies = _replies(process.stdout)
        self._total = total
        self._began = time.monotonic()
        self._overtaken: set[str] = set()
        self.memory_mib: list[float] = []

    def check(self) -> str:
        """Read everything; return what was wrong, an empty text for nothing."""
        print(f"{'commands':>9} {'seconds':>8} {'MiB':>7}")
        for number, (command, sign) in enumerate(commands(self._total)):
            if number and number % (self._total // 10) == 0:
                self._sample(number)
            if not sign:
                continue
            expected = f"{sign}{number}"
            if expected in self._overtaken:
                self._overtaken.remove(expected)
                continue
            reply = next(self._replies, None)
            while reply is not None and reply.endswith(OVERTAKING) and not reply.startswith(f"{expected} "):
                self._overtaken.add(reply.split()[0])
                reply = next(self._replies, None)
            if reply is None or not (reply == expected or reply.startswith((f"{expected} ", f"{expected}\n"))):
                return f"command {number}, {command!r}: expected {expected}, got {reply!r}"
        self._sample(self._total)
        return ""

    def end(self) -> str:
        """Read the rest after the end of input; return what was wrong."""
        left = next(self._replies, None)
        return "" if left is None and not self._overtaken else f"more replies than commands: {left}, {self._overtaken}"

    def _sample(self, number: int) -> None:
        self.memory_mib.append(self._process.memory_info().rss / (1 << 20))
        print(f"{number:9} {time.monotonic() - self._began:8.1f} {self.memory_mib[-1]:7.1f}", flush=True)


def commands(total: int) -> Iterator[tuple[str, str]]:
    """Return the first `total` commands with the beginnings of their replies."""
    settings = ((command, "=") for command in SETTINGS)
    return itertools.islice(itertools.chain(settings, itertools.cycle(MIX)), total)


def main() -> int:
    """Start the engine, send in one thread and read in this one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=integer(1000), default=1_000_000, metavar="N", help="default 1000000")
    parser.add_argument("--most-growth", type=decimal(0), default=2.0, metavar="MIB", help="default 2")
    arguments = parser.parse_args()
    total = arguments.commands
    command = [sys.executable, "-m", "othello_bot"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        threading.Thread(target=_send, args=(process.stdin, total), daemon=True).start()
        watch = SoakWatch(process, total)
        problem = watch.check()
        if problem:
            print(f"scripts/measure soak: {problem}", flush=True)
            process.kill()
            return 1
        process.stdin.close()
        problem = watch.end()
    if not problem and process.returncode:
        problem = f"the engine ended with {process.returncode}"
    growth = watch.memory_mib[-1] - watch.memory_mib[0] if watch.memory_mib else 0.0
    if not problem and growth > arguments.most_growth:
        problem = f"the memory grew by {growth:.1f} MiB"
    print(f"scripts/measure soak: {problem or f'{total} commands, replies in order, memory grew by {growth:.1f} MiB'}")
    return 1 if problem else 0


def _send(stream: IO[bytes], total: int) -> None:
    # Keep the input open until the end of the run, which ends the engine.
    for number, (command, sign) in enumerate(commands(total)):
        stream.write((f"{number} {command}\n" if sign else f"{command}\n").encode("latin-1"))
    stream.flush()


def _replies(stream: IO[bytes] | None) -> Iterator[str]:
    """Return the replies, without the empty lines that end them."""
    assert stream is not None
    lines: list[str] = []
    for line in stream:
        text = line.decode().rstrip("\n")
        if text:
            lines.append(text)
        elif lines:
            yield "\n".join(lines)
            lines = []
