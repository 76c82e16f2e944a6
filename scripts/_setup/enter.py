"""Lets a script in Python be started by any Python: where that lacks something, the script goes on in the checkout's.

Standard library only, Python 3.9 or newer, for it runs before anything is looked for.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTERED = "OTHELLO_BOT_ENTERED"
"""Set to the process id for a script that has gone on in the checkout's environment: it does so once."""


def enter(extras: str, *modules: str) -> None:
    """Returns where this checkout's engine and `modules` are installed; else goes on in the checkout's environment.

    That is made or brought up to date before, with `extras`: "", or "test" for all that is developed with. To find the
    engine in a folder is not enough, for what a script starts must find it as well; and an engine that was installed
    from elsewhere is not the one that the script stands beside. Exits with one line where something is missing in the
    environment as well.
    """
    missing = None if is_installed() else "othello_bot is not this checkout's"
    try:
        for module in () if missing else ("othello_bot.kernel.searcher", *modules):
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
    """Whether this Python finds the checkout's engine, wherever it was started."""
    found = importlib.util.find_spec("othello_bot")
    return found is not None and found.origin is not None and Path(found.origin).resolve().parents[1] == ROOT
