"""Runs one command of the set-up: its output goes to the log, a few lines of progress to the user."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

SILENCE_S = 10.0  # after so long without a line of progress, one says that work goes on
GRACE_S = 3.0  # what an interrupted command gets to remove its temporary files

# Settings of pip that say how to reach packages. The other PIP_* variables (a target directory, no isolation, ...)
# would bend the installation itself and are not passed on.
PIP_SETTINGS_KEPT = frozenset(
    f"PIP_{name}"
    for name in (
        "CACHE_DIR",
        "CERT",
        "CLIENT_CERT",
        "CONFIG_FILE",
        "DEFAULT_TIMEOUT",
        "EXTRA_INDEX_URL",
        "FIND_LINKS",
        "INDEX_URL",
        "KEYRING_PROVIDER",
        "NO_CACHE_DIR",
        "NO_INDEX",
        "PROXY",
        "RETRIES",
        "TIMEOUT",
        "TRUSTED_HOST",
        "USE_DEPRECATED",
        "USE_FEATURE",
    )
)


def say(program: str, text: str) -> None:
    """Writes a line to stderr. A caller that closed stderr does not want to read it: no reason to stop."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"{program}: {text}", file=sys.stderr, flush=True)


def clean_environment(compiler: list[str]) -> dict[str, str]:
    """The variables for pip: without what the caller's own Python put there, with the compiler that was tried."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PYTHON", "SETUPTOOLS_", "DISTUTILS_"))
        and name not in ("VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    }
    kept.update({name: value for name, value in os.environ.items() if name in PIP_SETTINGS_KEPT})
    return kept | {
        "CC": shlex.join(compiler),
        "PIP_USER": "0",
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@dataclass
class Progress:
    """Turns the many lines of pip and setuptools into a few for the user."""

    program: str
    modules: int  # how many extension modules the kernel has
    started_s: float = field(default_factory=time.monotonic)
    compiled: int = 0

    def line(self, text: str) -> None:
        """Reports whatever the line tells that is worth a line."""
        if found := re.match(r"\s*building '(\S+)' extension", text):
            self.compiled += 1
            self.say(f"compiling {found[1]} ({self.compiled} of {self.modules})")
        elif found := re.match(r"\s*\[\d+/\d+\] Cythonizing (\S+)", text):
            self.say(f"translating {found[1]} to C")
        elif found := re.match(r"\s*Collecting ([\w.-]+)", text):
            self.say(f"fetching {found[1]}")

    def silence(self) -> None:
        """Says that work goes on."""
        self.say(f"still at work after {self.elapsed_s:.0f} s")

    @property
    def elapsed_s(self) -> float:
        """How long the set-up has taken so far, in seconds."""
        return time.monotonic() - self.started_s

    def say(self, text: str) -> None:
        """One line of progress."""
        say(self.program, f"  {text}")


def run_step(command: list[str], root: Path, env: dict[str, str], log: IO[bytes], lock: int, progress: Progress) -> int:
    """Runs one command to its end with its output going to `log` and `progress`; its exit status.

    However this function is left, the command and all that it started have ended. They hold the file descriptor `lock`
    too, so that it stays locked should this process be killed before them.
    """
    log.write(f"$ {shlex.join(command)}\n".encode(errors="surrogateescape"))
    process = subprocess.Popen(
        command,
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=(lock,),
    )
    assert process.stdout is not None
    try:
        rest = b""
        while True:
            if not select.select([process.stdout], [], [], SILENCE_S)[0]:
                progress.silence()
                continue
            chunk = os.read(process.stdout.fileno(), 65536)
            if not chunk:
                return process.wait()
            log.write(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                progress.line(line.decode(errors="replace"))
    finally:
        process.stdout.close()
        if process.poll() is None:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and its group: by asking, then by force."""
    os.killpg(process.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
