"""scripts/fuzz: its targets accept their own seeds, and its command line works. Atheris is not needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "fuzz"


@pytest.fixture(autouse=True)
def path_to_the_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)


SOME = (b"play b f5", b"f5d6c3 12", b"(;GM[Othello]PC[x]B[f5];)", b"")


@pytest.mark.slow
def test_every_target_takes_any_input(monkeypatch: pytest.MonkeyPatch) -> None:
    from _fuzz.targets import all_targets

    from othello_bot import strategies

    # The sessions put another chooser in its place, which must not outlive this test.
    monkeypatch.setattr(strategies, "choose", strategies.choose)
    for target in all_targets().values():
        for data in SOME:
            target.run(data)


def test_a_broken_promise_is_a_finding() -> None:
    from _fuzz.targets import ParserRun

    from tests.parsers import Parser

    def unstable(text: str) -> str:
        return text + "x"

    def long_winded(text: str) -> str:
        raise ValueError("no " * 1000)

    def surprising(text: str) -> str:
        raise KeyError(text)

    for run in (
        ParserRun(Parser("unstable", unstable, ValueError, str)),
        ParserRun(Parser("long-winded", long_winded, ValueError)),
    ):
        with pytest.raises(AssertionError):
            run(b"text")
    with pytest.raises(KeyError):
        ParserRun(Parser("surprising", surprising, ValueError))(b"text")


@pytest.mark.process
def test_the_command_line() -> None:
    listed = fuzz("--list")
    assert listed.returncode == 0 and {"session-gtp", "ggf", "option"} <= set(listed.stdout.split())


@pytest.mark.process
def test_no_file_is_opened_while_the_guard_is_closed(tmp_path: Path) -> None:
    """In its own process, because an audit hook cannot be removed."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    program = f"""
import runpy
import sys
import tempfile
sys.path.insert(0, {str(ROOT / "scripts")!r})
guard = runpy.run_path({str(SCRIPT)!r})["FileGuard"]({str(scratch)!r})
sys.addaudithook(guard)
open({str(tmp_path / "before")!r}, "w").close()
guard.closed = True
for name, mode in (({str(tmp_path / "after")!r}, "w"), ("/etc/hostname", "r")):
    try:
        open(name, mode)
    except PermissionError:
        print("refused")
open({str(SCRIPT)!r}).close()
with tempfile.NamedTemporaryFile(dir={str(scratch)!r}) as file:
    open(file.name).close()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "refused\nrefused\n"), done.stderr
    assert sorted(os.listdir(tmp_path)) == ["before", "scratch"] and not os.listdir(scratch)
