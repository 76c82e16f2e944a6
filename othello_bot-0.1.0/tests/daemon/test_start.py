"""What a session loads; Ctrl-C before a session or a command listens to it, or after its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.checkout import REPOSITORY

PROGRAM = """
import signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            exec("signal.raise_signal(signal.SIGINT)")  # as text, like the functions that `dataclass` makes

sys.meta_path.insert(0, Interrupt())
sys.argv[1:] = {words!r}
from othello_bot.__main__ import main
sys.exit(main())
"""
"""A start that a signal interrupts when a module is imported."""


NOT_NEEDED = {
    *("asyncio", "datetime", "difflib", "numbers", "numpy", "platform", "readline", "rich", "shutil", "sqlite3"),
    *("subprocess", "tempfile", "termios", "textwrap", "unicodedata"),
    *(
        "othello_bot.book.store",
        "othello_bot.book_growing",
        "othello_bot.daemon.edax_arguments",
        "othello_bot.explorer",
    ),
    *("othello_bot.formats", "othello_bot.policy", "othello_bot.review", "othello_bot.strategies"),
    "othello_bot.terminal",
}
"""What most sessions in a pipe do without: to import it would take time from each start."""


@pytest.mark.process
@pytest.mark.parametrize(
    ("lines", "not_needed"),
    [
        ("name\nplay b f5\ngenmove w\nshowboard\nhelp\n", NOT_NEEDED | {"othello_bot.base.boards"}),
        ("nboard 2\nset depth 1\ngo\n", NOT_NEEDED),
    ],
)
def test_a_session_loads_what_it_needs_and_the_collector_leaves_that_alone(lines: str, not_needed: set[str]) -> None:
    program = (
        "import gc, sys; from othello_bot.__main__ import main; main();"
        "print(gc.isenabled(), gc.get_freeze_count() > 0, *sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, "--hash=1", "--level", "1"]
    done = subprocess.run(command, cwd=REPOSITORY, input=f"{lines}quit\n", capture_output=True, text=True)
    collects, leaves_alone, *loaded = done.stderr.split()
    assert (collects, leaves_alone) == ("True", "True") and done.stdout
    assert not_needed.intersection(loaded) == set()


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("othello_bot.cli", []),
        ("othello_bot.engine", ["gtp"]),
        ("othello_bot.daemon.process", []),
        ("othello_bot.suites.perft", ["perft", "3"]),
    ],
)
def test_ctrl_c_during_the_imports(module: str, words: list[str]) -> None:
    command = [sys.executable, "-c", PROGRAM.format(module=module, words=words)]
    ended = subprocess.run(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.mark.process
def test_ctrl_c_while_text_is_executed(tmp_path: Path) -> None:
    """CPython notes that as an interrupt that nobody handled, and ends a program started by `-m` with SIGINT."""
    (tmp_path / "start.py").write_text(PROGRAM.format(module="othello_bot.engine", words=["gtp"]))
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{REPOSITORY}"}
    command = [sys.executable, "-m", "start"]
    ended = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.mark.process
def test_ctrl_c_again_while_python_shuts_down() -> None:
    """A second Ctrl-C often comes when the command has already ended."""
    program = "import signal, sys\nfrom othello_bot.__main__ import main\nmain()\nsignal.raise_signal(signal.SIGINT)"
    command = [sys.executable, "-c", program, "version"]
    ended = subprocess.run(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, "")
