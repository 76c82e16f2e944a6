"""The completion scripts in real shells: a person types the beginning of a word and presses Tab."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

BIN = Path(sys.executable).parent
"""The folder of the command othello-bot."""

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile"], "source <(othello-bot completion bash)"),
    "zsh": (["zsh", "-f"], "autoload -U compinit; compinit -u -D; source <(othello-bot completion zsh)"),
    "fish": (["fish", "--no-config"], "othello-bot completion fish | source"),
}

LINES = (
    ("othello-bot conv", "othello-bot convert "),
    ("othello-bot match repo", "othello-bot match report "),
    ("othello-bot convert --overw", "othello-bot convert --overwrite "),
    ("othello-bot convert --format wt", "othello-bot convert --format wtb "),
    ("othello-bot convert --format=wt", "othello-bot convert --format=wtb "),
    ("othello-bot convert my", r"othello-bot convert my\ games.ggf "),
    ("othello-bot convert game", "othello-bot convert games.ggf "),
    ("othello-bot --leve", "othello-bot --level "),
    ("othello-bot completion z", "othello-bot completion zsh "),
)


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[pexpect.spawn[str]]:
    """Return a shell with the script, in a folder with two files."""
    (tmp_path / "games.ggf").touch()
    (tmp_path / "my games.ggf").touch()
    command, load = SHELLS[request.param]
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    environment = {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(tmp_path), "TERM": "dumb", "PS1": "> ", **kept}
    child = pexpect.spawn(
        command[0], command[1:], env=environment, cwd=tmp_path, encoding="utf-8", timeout=60, dimensions=(40, 300)
    )
    child.sendline(f"{load}; echo loa''ded")
    child.expect("loaded\r")
    yield child
    child.close(force=True)


def test_tab_completes(shell: pexpect.spawn[str]) -> None:
    for typed, expected in LINES:
        shell.send(typed + "\t")
        # What is echoed may be drawn again, with colours in between; what counts is what the shell runs.
        shell.send("\x01echo '\x05' | cat -A\r")
        shell.expect(re.escape(expected.rstrip()) + r" ?\$\r")
