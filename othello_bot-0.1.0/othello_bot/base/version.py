"""The version of the program, how its modules are imported faster, and how to add what is optional."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__version__ = "0.1.0"


def install_command(extra: str, package: Path = Path(__file__).parents[1]) -> str:
    """Return the shell command that adds an extra to this installation.

    A checkout is installed in place again: any other form would put a copy of it into the environment, which would no
    longer follow its changes. `package` is the folder of the package.
    """
    import importlib.util  # imported here: a session starts without them
    import shlex

    root = package.resolve().parent
    if importlib.util.find_spec("pip") is None:
        # Environments without pip are those of uv.
        program = ["uv", "pip", "install", "--python", sys.executable]
    else:
        program = [sys.executable, "-m", "pip", "install"]
    what = ["-e", f"{root}[{extra}]"] if (root / "setup.cfg").is_file() else [f"othello-bot[{extra}]"]
    return shlex.join([*program, *what])


def missing(purpose: str, library: str, extra: str) -> str:
    """Return the message for a library that is not installed: what needs it, and the command that adds its extra."""
    return f"{purpose} needs {library}; install it with: {install_command(extra)}"


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch the cyclic garbage collector off for a block of imports: a start takes a sixth less processor time.

    What an import makes stays, and looking through it takes time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
