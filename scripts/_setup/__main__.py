"""Makes or refreshes the private virtual environment of a checkout; run by ready.sh, never by hand.

``_setup check ROOT`` ends with 0 when the Python that runs it has what it takes to make ROOT/.venv or, being the one in
there, to refresh it. ``_setup make ROOT PROGRAM EXTRAS COMMAND...`` does that and then becomes COMMAND.

Reports go to stderr, what pip and the compiler say to ROOT/build/setup.log, and nothing reads stdin: the first commands
of whoever started the engine are waiting there. Two processes that start at the same time take turns by a lock. A
set-up that was cut off is noticed and begun again. Standard library only, Python 3.10 or newer.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from environment import Environment, Stamp, newest_ns
from needs import SetupError, missing_from_python, require_tools
from steps import Progress, clean_environment, run_step, say

# What is installed beside the engine: what draws its board on terminals, and by scripts/test the test packages, the
# checkers, and what the optional parts under test need.
EXTRAS = {"": "[terminal]", "test": "[test,arena,terminal,train,dev]"}
LOG_LINES_SHOWN = 8
ERROR = re.compile(r"\berror\b|\.(pyx|pxd|c|h):\d+:\d+:", re.IGNORECASE)


@contextlib.contextmanager
def locked(root: Path, program: str) -> Iterator[int]:
    """Holds the checkout's set-up lock, waiting for whoever has it; its file descriptor."""
    build = root / "build"
    build.mkdir(exist_ok=True)
    with open(build / "setup.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(program, "another start is setting up; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def make(root: Path, program: str, extras: str) -> None:
    """Makes the environment ready with at least `extras`; raises SetupError when it cannot be."""
    environment = Environment(root)
    with locked(root, program) as lock:
        if environment.is_ready(extras):
            return
        compiler = require_tools(environment.runs_us)
        old = Stamp.read(environment.stamp) if environment.runs_us else None
        if old is None:
            reason = "first start: setting up once, takes a minute or two; the build tools come from the network"
        elif extras not in ("", old.extras):
            reason = "adding the packages that the tests need"
        else:
            reason = "sources changed: building again"
            extras = old.extras  # what a test run added stays up to date
        say(program, reason)
        build(environment, program, extras, compiler, lock)


def build(environment: Environment, program: str, extras: str, compiler: list[str], lock: int) -> None:
    """Makes the environment where there is none to keep, installs into it, then writes the stamp."""
    root = environment.root
    progress = Progress(program, len(list((root / "othello_bot" / "kernel").glob("*.pyx"))))
    modified_ns = newest_ns(root)
    log_path = root / "build" / "setup.log"
    variables = clean_environment(compiler)
    # Editable, so that what runs and what is tested is the checkout: a change to a Python file needs no build.
    install = ["-I", "-m", "pip", "install", "-v", "--progress-bar=off", "-e", f".{EXTRAS[extras]}"]
    with open(log_path, "wb", buffering=0) as log:
        if environment.runs_us:
            environment.stamp.unlink(missing_ok=True)
            if environment.made.exists():
                environment.made.replace(environment.unfinished)
        else:
            progress.say(f"making .venv with Python {sys.version.split()[0]}")
            clear_way(environment)
            create = [sys.executable, "-I", "-m", "venv", str(environment.path)]
            status = run_step(create, root, variables, log, lock, progress)
            if status != 0:
                raise failure("making the virtual environment", status, log_path)
        status = run_step([str(environment.python), *install], root, variables, log, lock, progress)
        # pip ended by itself, so the environment is in order even when the installation failed.
        if environment.unfinished.exists():
            environment.unfinished.replace(environment.made)
        if status != 0:
            raise failure("the installation", status, log_path)
    Stamp(str(root), os.path.realpath(environment.python), extras).write(environment.stamp, modified_ns)
    say(program, f"ready after {progress.elapsed_s:.0f} s")


def clear_way(environment: Environment) -> None:
    """Puts an empty directory in the environment's place, marked unfinished.

    Raises SetupError rather than delete an environment that somebody else made and that still works.
    """
    path = environment.path
    if path.exists() and not environment.is_ours and environment.starts:
        raise SetupError(f"{path} was not made by this program and has no pip or too old a Python: move it away.")
    if path.is_symlink():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)
    path.mkdir()
    environment.unfinished.touch()


def failure(what: str, status: int, log_path: Path) -> SetupError:
    """The error for a step that ended badly, with the part of its log that says why."""
    lines = log_path.read_text(encoding="utf-8", errors="replace").splitlines()
    # The first errors are the compiler's or the network's; after them come tracebacks and many lines of pip's own.
    errors = [line for line in lines if ERROR.search(line)][:LOG_LINES_SHOWN] or lines[-LOG_LINES_SHOWN:]
    shown = "".join(f"\n  | {line}" for line in errors)
    return SetupError(f"{what} failed (status {status}); start again to retry; from {log_path}:{shown}")


def interrupted(number: int, frame: object) -> NoReturn:
    """Signal handler: leaves through every ``finally``, so that nothing is left running."""
    raise SystemExit(128 + number)


def main(arguments: list[str]) -> int:
    """Runs ``check`` or ``make`` (see above); the exit status, unless it becomes the command."""
    task, root = arguments[0], Path(arguments[1])
    if task == "check":
        return 1 if missing_from_python(Environment(root).runs_us) else 0
    program, extras, *command = arguments[2:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupted)
    try:
        make(root, program, extras)
    except SetupError as error:
        say(program, str(error))
        return 1
    except OSError as error:
        say(program, f"cannot set up: {error}")
        return 1
    except SystemExit:
        say(program, "set-up interrupted; start again to take it up")
        raise
    os.execve(command[0], command, os.environ | {"OTHELLO_BOT_SETUP_PID": str(os.getpid())})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
