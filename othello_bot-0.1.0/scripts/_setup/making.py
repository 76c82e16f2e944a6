"""Make or refresh the private virtual environment of a checkout; run by ready.sh, never by hand.

``_setup check ROOT`` exits with 0 if the Python that runs it can make ROOT/.venv or, if it is the Python in there,
refresh it. ``_setup make ROOT PROGRAM EXTRAS COMMAND...`` does that and then becomes COMMAND.

Reports go to stderr, the output of pip and the compiler to ROOT/build/setup.log. Nothing reads stdin, because the first
commands to the engine are waiting there. A lock makes two simultaneous starts take turns. An interrupted set-up is
detected and started again. Standard library only, Python 3.10 or newer.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from _setup.environment import Environment, Stamp, newest_ns
from _setup.needs import SetupError, missing_from_python, require_tools
from _setup.steps import INTERRUPTIONS, Progress, clean_environment, run_step, say

# The packages installed with the engine: those for drawing on terminals; and for scripts/test the test packages, the
# checkers, the documentation's builder, and the requirements of the optional parts under test.
EXTRAS = {"": "[terminal,web]", "test": "[test,arena,terminal,train,web,dev,docs]"}
LOG_LINES_SHOWN = 8
LOOK_S = 0.2  # between two looks at how far another start is
LONGEST_LINE_BYTES = 500
INSTALL = ("-m", "pip", "install", "-v", "--progress-bar=off")
PINNED = ("--require-hashes", "--only-binary=:all:", "-r", "scripts/_setup/build-requirements.txt")
"""The build tools: these versions, these files. pyproject.toml has the oldest versions that serve."""

TOOLS_SERVE = """
from importlib.metadata import version
for name, least in (("setuptools", 77), ("Cython", 3.1)):
    assert tuple(map(int, version(name).split(".")[:2])) >= tuple(map(int, f"{least}.0".split(".")[:2]))
"""
"""Fails unless the build tools that are installed are new enough."""

UNPACK = "from othello_bot.evaluation import weights as w; w.unpacked()"
ERROR = re.compile(r"\berror\b|\.(pyx|pxd|c|h):\d+:\d+:", re.IGNORECASE)


@contextlib.contextmanager
def locked(root: Path, program: str) -> Iterator[int]:
    """Hold the checkout's set-up lock, waiting for its holder, whose progress is told; yield its file descriptor.

    The lock's file has the holder's last line of progress.
    """
    build = root / "build"
    build.mkdir(exist_ok=True)
    lock = os.open(build / "setup.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        told = None
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                pass
            if told is None:
                told = ""
                say(program, "another start is setting up; waiting for it")
            line = os.pread(lock, LONGEST_LINE_BYTES, 0).decode(errors="replace")
            if line != told and line.endswith("\n"):
                told = line
                say(program, f"  {line.strip()}")
            time.sleep(LOOK_S)
        os.ftruncate(lock, 0)
        yield lock
    finally:
        os.close(lock)


def make(root: Path, program: str, extras: str) -> None:
    """Prepare the environment with at least `extras`; raise SetupError if that fails."""
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
            extras = old.extras  # keep what a test run added up to date
        say(program, reason)
        build(environment, program, extras, compiler, lock)


def build(environment: Environment, program: str, extras: str, compiler: list[str], lock: int) -> None:
    """Make the environment if there is none to keep, install into it, then write the stamp."""
    root = environment.root
    progress = Progress(program, lock)
    modified_ns = newest_ns(root)
    log_path = root / "build" / "setup.log"
    variables = clean_environment(compiler, root)
    # Editable, so that the checkout itself is run and tested: a change to a Python file needs no build.
    python = [str(environment.python), "-I"]
    with open(log_path, "wb", buffering=0) as log:

        def run(*command: str) -> int:
            return run_step([*command], root, variables, log, lock, progress)

        if environment.runs_us:
            environment.stamp.unlink(missing_ok=True)
            if environment.made.exists():
                environment.made.replace(environment.unfinished)
        else:
            progress.say(f"making .venv with Python {sys.version.split()[0]}")
            clear_way(environment)
            status = run(sys.executable, "-I", "-m", "venv", str(environment.path))
            if status != 0:
                raise failure("making the virtual environment", status, log_path)
        # The build tools come first: the pinned files or, where they cannot be had, what is installed and new enough.
        # Otherwise pip finds some for the build alone, new enough for pyproject.toml.
        served = run(*python, *INSTALL, *PINNED) == 0 or run(*python, "-c", TOOLS_SERVE) == 0
        alone = ["--no-build-isolation"] if served else []
        if extras == "test":
            # uv brings in seconds what takes pip two minutes; what it does not bring, pip does.
            uv = environment.python.with_name("uv")
            if run(*python, *INSTALL, "uv") == 0 and uv.exists():
                wanted = [word for name in EXTRAS[extras][1:-1].split(",") for word in ("--extra", name)]
                index = ["--default-index", variables["PIP_INDEX_URL"]] if "PIP_INDEX_URL" in variables else []
                run(str(uv), "pip", "install", *alone, *index, "--python", python[0], "-r", "setup.cfg", *wanted)
        status = run(*python, *INSTALL, *alone, "-e", f".{EXTRAS[extras]}")
        if status == 0:
            # Not necessary, because the first start does it where this could not.
            run(*python, "-c", UNPACK)
        # pip ended by itself, so the environment is usable even if the installation failed.
        if environment.unfinished.exists():
            environment.unfinished.replace(environment.made)
        if status != 0:
            raise failure("the installation", status, log_path)
    Stamp(str(root), os.path.realpath(environment.python), extras).write(environment.stamp, modified_ns)
    say(program, f"ready after {progress.elapsed_s:.0f} s")


def clear_way(environment: Environment) -> None:
    """Put an empty directory, marked unfinished, in the environment's place.

    Raise SetupError rather than delete a working environment that this program did not make.
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


def words_of(error: OSError) -> str:
    """Return what an error says, with the name of its file and without its number."""
    said = error.strerror or str(error)
    return said if error.filename is None else f"{os.fsdecode(error.filename)}: {said}"


def failure(what: str, status: int, log_path: Path) -> SetupError:
    """Return the error for a failed step, with the relevant part of its log."""
    lines = log_path.read_text(encoding="utf-8", errors="replace").splitlines()
    # The first errors are the compiler's or the network's; tracebacks and many lines of pip follow.
    errors = [line for line in lines if ERROR.search(line)][:LOG_LINES_SHOWN] or lines[-LOG_LINES_SHOWN:]
    shown = "".join(f"\n  | {line}" for line in errors)
    return SetupError(f"{what} failed (status {status}); start again to retry; from {log_path}:{shown}")


def interrupted(number: int, frame: object) -> NoReturn:
    """Leave through every ``finally``, so that nothing is left running; this is the signal handler."""
    raise SystemExit(128 + number)


def main(arguments: list[str]) -> int:
    """Run ``check`` or ``make`` (see above); return the exit status unless the process becomes the command."""
    task, root = arguments[0], Path(arguments[1])
    if task == "check":
        return 1 if missing_from_python(Environment(root).runs_us) else 0
    program, extras, *command = arguments[2:]
    for number in INTERRUPTIONS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupted)
    try:
        make(root, program, extras)
    except SetupError as error:
        say(program, str(error))
        return 1
    except OSError as error:
        say(program, f"cannot set up: {words_of(error)}")
        return 1
    except SystemExit:
        say(program, "set-up interrupted; start again to take it up")
        raise
    os.execve(command[0], command, os.environ | {"OTHELLO_BOT_SETUP_PID": str(os.getpid())})
