"""What only POSIX systems have is used in one module, `base.posix`; elsewhere than on such a system it says so."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator

import pytest

from othello_bot.base import posix
from tests.house.source import nodes
from tests.house.test_rooms import MODULES, ROOT

ALONE = "othello_bot.base.posix"

MODULES_OF_POSIX = frozenset(
    ("curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "select", "selectors", "syslog")
) | {"termios", "tty"}

PORTABLE_SIGNALS = frozenset(
    ("SIGINT", "SIGTERM", "SIG_DFL", "SIG_IGN", "Signals", "default_int_handler", "getsignal", "signal", "strsignal")
)

PREFIXES_OF_POSIX = ("exec", "fork", "get", "kill", "pread", "pwrite", "sched", "set", "spawn", "sysconf", "wait")
"""How the names of `os` begin that other systems lack, or give another meaning."""

PORTABLE = frozenset(("get_exec_path", "get_terminal_size", "getcwd", "getenv", "getpid", "getppid"))


def uses(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Return what a module uses that only POSIX systems have, each with its line."""
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"{node.value.id}.{node.attr}"] if node.value.id in ("os", "signal") else []
            if node.attr == "add_signal_handler":
                names = [f"asyncio.{node.attr}"]
        elif isinstance(node, ast.Attribute) and node.attr == "add_signal_handler":
            names = [f"asyncio.{node.attr}"]
        for name in names:
            module, _, member = name.partition(".")
            if (
                module in MODULES_OF_POSIX
                or name == "asyncio.add_signal_handler"
                or (module == "signal" and member and member not in PORTABLE_SIGNALS)
                or (module == "os" and member.startswith(PREFIXES_OF_POSIX) and member not in PORTABLE)
            ):
                yield getattr(node, "lineno", 0), name


def test_one_module_alone_uses_what_only_posix_has() -> None:
    found = [
        f"{module}:{line}: {name}"
        for module, path in MODULES.items()
        if path.suffix == ".py" and module != ALONE
        for line, name in uses(nodes(path))
    ]
    assert not found, f"move it to {ALONE}"
    assert len(list(uses(nodes(MODULES[ALONE])))) > 10


@pytest.mark.parametrize(
    "text",
    [
        "import termios",
        "from select import poll",
        "def f():\n    import fcntl",
        "import os\nos.killpg(1, 9)",
        "import os\nos.sched_getaffinity(0)",
        "from os import fork",
        "import signal\nsignal.setitimer(0, 1)",
        "from signal import SIGALRM",
        "loop.add_signal_handler(2, f)",
        "asyncio.get_running_loop().add_signal_handler(2, f)",
    ],
)
def test_no_use_is_overlooked(text: str) -> None:
    assert len(list(uses(ast.walk(ast.parse(text))))) == 1


def test_what_other_systems_have_as_well_is_free() -> None:
    assert not list(
        uses(ast.walk(ast.parse("import os, signal\nos.getpid()\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")))
    )


def test_another_system_is_told_what_is_missing() -> None:
    def wait_for_keys(seconds: float) -> float:
        return seconds

    assert posix.needs_posix(wait_for_keys, True) is wait_for_keys
    with pytest.raises(posix.NotPosix, match=f"^wait for keys needs a POSIX system .*; this one is {sys.platform}$"):
        posix.needs_posix(wait_for_keys, False)(1.0)


@pytest.mark.process
def test_the_command_says_it_in_a_line() -> None:
    program = (
        "from othello_bot.base import posix\n"
        "from othello_bot import cli\n"
        "import othello_bot.daemon.process as process\n"
        "process.run = posix.needs_posix(process.run, False)\n"
        "raise SystemExit(cli.main(['gtp']))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, input="")
    assert ended.returncode == 1
    assert ended.stderr.startswith("othello-bot: run needs a POSIX system") and ended.stderr.count("\n") == 1
