"""Let any Python start a script: if it lacks something, the script continues in the checkout's environment.

Standard library only, Python 3.9 or newer, because it runs before any requirement is checked.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTERED = "OTHELLO_BOT_ENTERED"
"""Set to the process id of a script that has continued in the checkout's environment: it does so only once."""


def enter(extras: str, *modules: str) -> None:
    """Return if this checkout's engine and `modules` are installed; else continue in the checkout's environment.

    That environment is first made or updated, with `extras`: "", or "test" for all development packages. Finding the
    engine in a folder is not enough, because programs that the script starts must find it too; and an engine installed
    from elsewhere is not the one beside the script. Exit with one line if a requirement is missing in the environment
    as well.
    """
    missing = None if is_installed() else "othello_bot is not this checkout's"
    try:
        for module in () if missing else ("othello_bot.kernel.core", *modules):
            importlib.import_module(module)
    except ImportError as error:
        missing = str(error)
    if missing:
        script = Path(sys.argv[0]).resolve()
        if os.environ.get(ENTERED) == str(os.getpid()):
            sys.exit(f"scripts/{script.name}: {missing}, in the checkout's environment either")
        os.environ[ENTERED] = str(os.getpid())
        beginning = ["/bin/sh", str(ROOT / "scripts" / "_setup" / "enter.sh"), script.name, extras, str(script)]
        os.execv(beginning[0], [*beginning, *sys.argv[1:]])


def is_installed() -> bool:
    """Return whether this Python finds the checkout's engine, wherever it was started."""
    found = importlib.util.find_spec("othello_bot")
    return found is not None and found.origin is not None and Path(found.origin).resolve().parents[1] == ROOT
