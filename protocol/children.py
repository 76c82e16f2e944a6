"""Child processes on this operating system: groups, signals, a guardian, waiting for room in a pipe."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
from typing import Final

Child = subprocess.Popen[bytes]

# A line means that all is well; the end of the pipe without a line means that the parent is gone.
_GUARDIAN: Final = 'read -r done || { sleep 1; kill -s KILL -- "-$1"; }'

if sys.platform == "win32":

    def has_exited(child: Child) -> bool:
        """Return whether the child has ended."""
        return child.poll() is not None

    def signal_group(child: Child, *, certain: bool) -> None:
        """Kill the child: this system has no gentler method."""
        child.terminate()

else:

    def has_exited(child: Child) -> bool:
        """Return whether the child has ended, if possible without reaping it, so that its group's id stays reserved."""
        if not hasattr(os, "waitid"):
            return child.poll() is not None
        try:
            return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def signal_group(child: Child, *, certain: bool) -> None:
        """Ask the child's whole group to end (SIGTERM), or kill it (SIGKILL); do nothing if the group is gone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL if certain else signal.SIGTERM)


def start_guardian(group: int) -> Child | None:
    """Start a shell that kills the process group when this process is gone; return None without process groups.

    Raise OSError if no shell can be started.
    """
    if sys.platform == "win32":
        return None
    return subprocess.Popen(
        ["/bin/sh", "-c", _GUARDIAN, "engine-guardian", str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        bufsize=0,
        start_new_session=True,
    )


def dismiss_guardian(guardian: Child | None) -> None:
    """Let the guardian end without killing anything."""
    if guardian is None or guardian.stdin is None:
        return
    with contextlib.suppress(OSError):
        guardian.stdin.write(b"\n")
        guardian.stdin.close()
    try:
        guardian.wait(2.0)
    except subprocess.TimeoutExpired:
        guardian.kill()
        guardian.wait()


def await_writable(fd: int, timeout_s: float) -> None:
    """Block until the pipe has room, at most for the timeout."""
    with selectors.DefaultSelector() as selector:
        selector.register(fd, selectors.EVENT_WRITE)
        selector.select(timeout_s)


def pipes(child: Child) -> tuple[int, int, int]:
    """Return the descriptors of stdin, stdout and stderr; -1 for a closed one."""
    pipes = (child.stdin, child.stdout, child.stderr)
    stdin, stdout, stderr = (-1 if pipe is None or pipe.closed else pipe.fileno() for pipe in pipes)
    return stdin, stdout, stderr


def signal_text(code: int | None) -> str:
    """Return `` by SIGKILL`` for the exit code of a child that a signal ended, else an empty text."""
    if code is None or code >= 0:
        return ""
    with contextlib.suppress(ValueError):
        return f" by {signal.Signals(-code).name}"
    return f" by signal {-code}"
