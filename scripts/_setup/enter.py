"""Lets a script in Python be started by any Python: where that lacks something, the script goes on in the checkout's.

Standard library only, Python 3.9 or newer, for it runs before anything is looked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTERED = "OTHELLO_BOT_ENTERED"
"""Set to the process id for a script that has gone on in the checkout's environment: it does so once."""


def enter(extras: str, *modules: str) -> None:
    """Returns where the engine and `modules` can be imported; else becomes this script in the checkout's environment.

    The environment is made or brought up to date before, with `extras`: "", or "test" for all that is developed with.
    The checkout is the last place where modules are looked for: an engine that is installed goes before it. Exits with
    one line where something is missing in the environment as well.
    """
    sys.path.append(str(ROOT))
    try:
        for module in ("othello_bot.kernel.searcher", *modules):
            importlib.import_module(module)
    except ImportError as error:
        script = Path(sys.argv[0]).resolve()
        if os.environ.get(ENTERED) == str(os.getpid()):
            sys.exit(f"scripts/{script.name}: {error}, in the checkout's environment either")
        os.environ[ENTERED] = str(os.getpid())
        beginning = ["/bin/sh", str(ROOT / "scripts" / "_setup" / "enter.sh"), script.name, extras, str(script)]
        os.execv(beginning[0], [*beginning, *sys.argv[1:]])
