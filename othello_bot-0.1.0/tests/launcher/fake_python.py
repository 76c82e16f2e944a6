"""A fake of every Python in a launcher test: it logs its commands and pretends to execute them.

The copies in a test are shell scripts that run this file with the real interpreter, giving their path and arguments.
Environment variables control it: FAKE_LOG (the log), FAKE_LACKS (words: venv headers), FAKE_OLD (too old a Python),
FAKE_UNPINNED (the pinned build tools cannot be had), FAKE_TOOLS (nor are others installed), FAKE_UV (uv fails), FAKE_PIP
(fail, sleep, gated: until FAKE_GATE exists), FAKE_FAILS (the module whose run fails).
"""

from __future__ import annotations

import os
import sys

# What not every start needs is imported where it is used: a test starts this some ten times.

SHOWN = ("PIP_", "PYTHON", "CC", "x", "y_1", "1")
"""Beginnings of the variables that are logged: those that steer Python, the compiler, names in the checkout's path."""


def pretend_to_be(fake: str) -> None:
    """Make this interpreter look like the copy: its path, and what it lacks."""
    import sysconfig

    sys.executable = fake
    prefix = os.path.dirname(os.path.dirname(fake))
    if os.path.basename(prefix) == ".venv":
        sys.prefix = prefix
        sys.modules["pip"] = type(sys)("pip")
    lacks = os.environ.get("FAKE_LACKS", "")
    if "venv" in lacks:
        sys.modules["ensurepip"] = None  # type: ignore[assignment]
    if "headers" in lacks:
        sysconfig.get_path = lambda *names: "/nonexistent"


def install(fake: str) -> int:
    """Create what `pip install -e .` leaves behind, as far as the launcher checks it."""
    import time
    from pathlib import Path

    behaviour = os.environ.get("FAKE_PIP", "")
    if behaviour == "sleep":
        time.sleep(600)
    if behaviour == "gated":
        while not os.path.exists(os.environ["FAKE_GATE"]):
            time.sleep(0.01)
    print("Collecting Cython>=3")
    print("  kernel: 1 modules to compile for baseline")
    print("  building 'othello_bot.kernel.baseline.board' extension")
    if behaviour == "fail":
        print("error: core.pyx has a mistake")
        return 1
    Path(fake).with_name("othello-bot").touch()
    Path("othello_bot", "kernel", "baseline").mkdir(exist_ok=True)
    Path("othello_bot", "kernel", "baseline", "board.so").touch()
    return 0


def main(fake: str, arguments: list[str]) -> int:
    """Do as `fake ARGUMENTS` would."""
    with open(os.environ["FAKE_LOG"], "a") as log:
        steering = {name: value for name, value in os.environ.items() if name.startswith(SHOWN)}
        print([os.path.basename(fake), *arguments, steering], file=log)
    match arguments:
        case ["-I", "-c", code]:
            return 1 if "FAKE_OLD" in os.environ or "FAKE_TOOLS" in os.environ and "setuptools" in code else 0
        case ["-I", script, "check" | "make", *_]:
            import runpy

            pretend_to_be(fake)
            sys.argv = arguments[1:]
            sys.path.insert(0, script)
            runpy.run_path(script, run_name="__main__")
        case ["-I", "-m", "venv", place]:
            import shutil

            os.makedirs(os.path.join(place, "bin"), exist_ok=True)
            shutil.copy(fake, os.path.join(place, "bin", "python"))
        case ["-I", "-m", "pip", *_, "-r", _]:
            return 1 if "FAKE_TOOLS" in os.environ or "FAKE_UNPINNED" in os.environ else 0
        case ["-I", "-m", "pip", *_, "uv"]:
            import shutil

            shutil.copy(fake, os.path.join(os.path.dirname(fake), "uv"))
        case ["-I", "-m", "pip", *_]:
            return install(fake)
        case ["pip", *_]:  # uv
            return 1 if "FAKE_UV" in os.environ else 0
        case ["-m", module, *_]:
            return 1 if os.environ.get("FAKE_FAILS") == module else 0
        case ["-I", _, *given]:  # the engine
            print("engine:", given, "in", os.getcwd(), "reads", repr(sys.stdin.read()))
            return 7
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
