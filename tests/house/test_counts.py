"""How much there is to read: the modules of the engine, those that a session loads, and those on the way of a move."""

from __future__ import annotations

import subprocess
import sys

from tests.house.test_rooms import MODULES, ROOT

MOST_MODULES = 300
MOST_LOADED = 75
"""Modules after the reply to `name`, compiled ones included."""

_SESSION = """
import atexit, sys

def loaded():
    ours = [name for name in sys.modules if name.partition(".")[0] == "othello_bot"]
    print(*sorted(ours), sep="\\n", file=sys.stderr)

atexit.register(loaded)
sys.argv = ["othello-bot"]
from othello_bot.cli import main
sys.exit(main())
"""


def test_there_are_few_modules() -> None:
    assert sum(path.suffix == ".py" for path in MODULES.values()) <= MOST_MODULES


def test_a_session_loads_few_modules_before_its_first_reply() -> None:
    session = subprocess.run(
        [sys.executable, "-c", _SESSION], cwd=ROOT, input="name\nquit\n", capture_output=True, text=True, timeout=60
    )
    loaded = session.stderr.split()
    assert session.stdout.startswith("= othello-bot") and "othello_bot.kernel.core" in loaded
    assert len(loaded) <= MOST_LOADED, loaded
