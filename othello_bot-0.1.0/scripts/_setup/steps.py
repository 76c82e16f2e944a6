"""Run one command of the set-up: its output goes to the log, a few lines of progress to the user."""

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

SILENCE_S = 10.0  # after this long without progress, a line says that work continues
GRACE_S = 3.0  # time for an interrupted command to remove its temporary files
INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Settings of pip for reaching packages. The other PIP_* variables (a target directory, no isolation, ...) would change
# the installation itself and are not passed on.
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
    """Write a line to stderr. If the caller closed stderr, ignore that."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"{program}: {text}", file=sys.stderr, flush=True)


def names_in(root: Path) -> dict[str, str]:
    """Return a variable for each `$name` and `{name}` in the checkout's path, which stands for itself.

    setuptools replaces them in the paths of an installation, and takes the values from the environment.
    """
    found = re.findall(r"\$([A-Za-z_][A-Za-z_0-9]*)|\{([A-Za-z_][A-Za-z_0-9]*)\}", str(root))
    return {plain or braced: f"${plain}" if plain else f"{{{braced}}}" for plain, braced in found}


def clean_environment(compiler: list[str], root: Path) -> dict[str, str]:
    """Return the variables for pip: without those of the caller's own Python, with the compiler that was tried.

    A name in the checkout's path that is a variable already keeps the variable's value: HOME matters more.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PYTHON", "SETUPTOOLS_", "DISTUTILS_"))
        and name not in ("VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    }
    kept.update({name: value for name, value in os.environ.items() if name in PIP_SETTINGS_KEPT})
    return {**names_in(root), **kept} | {
        "CC": shlex.join(compiler),
        "PIP_USER": "0",
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@dataclass
class Progress:
    """Condenses the many lines of pip and setuptools to a few for the user."""

    program: str
    lock: int | None = None  # the file of the lock, from which waiting starts read the last line
    modules: int = 0  # how many modules of the kernel will be compiled, as setup.py says before it begins
    started_s: float = field(default_factory=time.monotonic)
    compiled: int = 0

    def line(self, text: str) -> None:
        """Report a line of output if it matters to the user."""
        if found := re.match(r"\s*kernel: (\d+) modules to compile", text):
            self.modules = int(found[1])
        elif found := re.match(r"\s*kernel: (made for .*)", text):
            self.say(found[1])
        elif found := re.match(r"\s*building '(\S+)' extension", text):
            self.compiled += 1
            self.say(f"compiling {found[1]} ({self.compiled} of {self.modules})")
        elif found := re.match(r"\s*\[\d+/\d+\] Cythonizing (\S+)", text):
            self.say(f"translating {found[1]} to C")
        elif found := re.match(r"\s*Collecting ([\w.-]+)", text):
            self.say(f"fetching {found[1]}")

    def silence(self) -> None:
        """Report that work continues."""
        self.say(f"still at work after {self.elapsed_s:.0f} s")

    @property
    def elapsed_s(self) -> float:
        """Time of the set-up so far, in seconds."""
        return time.monotonic() - self.started_s

    def say(self, text: str) -> None:
        """Write one line of progress, for those too who wait for the lock."""
        say(self.program, f"  {text}")
        if self.lock is not None:
            line = f"{text}\n".encode(errors="replace")
            os.pwrite(self.lock, line, 0)
            os.ftruncate(self.lock, len(line))


def run_step(command: list[str], root: Path, env: dict[str, str], log: IO[bytes], lock: int, progress: Progress) -> int:
    """Run one command to its end with its output going to `log` and `progress`; return its exit status.

    However this function ends, the command and everything it started have ended. They hold the file descriptor `lock`
    too, so that the lock remains if this process is killed before them.
    """
    log.write(f"$ {shlex.join(command)}\n".encode(errors="surrogateescape"))
    process = None
    # A signal between the fork and the end of Popen would leave a process running that nobody knows.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
    try:
        try:
            process = subprocess.Popen(
                command,
                cwd=root,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=(lock,),
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask),
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        assert process.stdout is not None
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
        if process is not None:
            assert process.stdout is not None
            process.stdout.close()
            if process.poll() is None:
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process and its group, first by request, then by force."""
    os.killpg(process.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
