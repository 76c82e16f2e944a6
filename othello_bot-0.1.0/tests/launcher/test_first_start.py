"""scripts/othello-bot on a fresh checkout: what it makes, what it reports, and what it survives."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.launcher.checkout import REPOSITORY, Checkout

pytestmark = pytest.mark.process


def wait_for(checkout: Checkout, *words: str) -> None:
    """Wait until a Python has received a command with all these words."""
    deadline_s = time.monotonic() + 60
    while not checkout.asked(*words):
        assert time.monotonic() < deadline_s, f"never asked for {words}"
        time.sleep(0.02)


def test_it_builds_reports_on_stderr_and_hands_over(fresh: Checkout) -> None:
    ended = fresh.run("--level", "3")
    assert ended.stdout == f"engine: ['--level', '3'] in {os.getcwd()} reads 'genmove\\n'\n"
    assert ended.returncode == 7
    assert "compiling othello_bot.kernel.baseline.board (1 of 1)" in ended.stderr
    assert "fetching Cython" in ended.stderr
    assert all(line.startswith("othello-bot: ") for line in ended.stderr.splitlines())
    assert fresh.run().stderr == ""


def test_two_at_once_build_once(fresh: Checkout) -> None:
    gate = fresh.root / "gate"
    first = fresh.start("first", FAKE_PIP="gated", FAKE_GATE=str(gate))
    wait_for(fresh, "pip", "install")
    second = fresh.start("second")
    assert second.stderr is not None
    assert "waiting for it" in second.stderr.readline()
    assert second.stderr.readline() == "othello-bot:   making .venv with Python " + sys.version.split()[0] + "\n"
    gate.touch()
    outputs = [process.communicate("go\n", timeout=120) for process in (first, second)]
    assert [stdout.split(" in ")[0] for stdout, _ in outputs] == ["engine: ['first']", "engine: ['second']"]
    assert fresh.builds() == 1


@pytest.mark.parametrize(
    ("signal_sent", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_set_up_cut_off_is_begun_anew(fresh: Checkout, signal_sent: signal.Signals, status: int) -> None:
    if signal_sent == signal.SIGKILL and not Path("/proc").exists():
        pytest.skip("finding the orphan takes /proc")
    process = fresh.start(FAKE_PIP="sleep")
    wait_for(fresh, "pip", "install")
    process.send_signal(signal_sent)
    if signal_sent == signal.SIGKILL:  # nobody can clean up; the orphan holds the lock until it ends
        process.wait(60)
        end_orphan(fresh)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == status
    assert ("interrupted" in stderr) == (status > 0)
    ended = fresh.run()
    assert ended.stdout.startswith("engine:")
    assert "first start" in ended.stderr
    assert len(fresh.asked("-m", "venv")) == 2


def end_orphan(checkout: Checkout) -> None:
    """End the fake pip, whose process id is in no file: it is the process that has the lock open.

    A process that is just starting opens and closes files while it is looked at, so look until nobody holds the lock.
    """
    path = checkout.root / "build" / "setup.lock"
    deadline_s = time.monotonic() + 60
    with path.open() as lock:
        while True:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            assert time.monotonic() < deadline_s, "the lock is still held"
            for process in Path("/proc").iterdir():
                if process.name.isdigit() and int(process.name) != os.getpid() and opens(process, path):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(process.name), signal.SIGKILL)
            time.sleep(0.01)


def opens(process: Path, path: Path) -> bool:
    """Return whether a process, as its folder in /proc, has a file open."""
    with contextlib.suppress(OSError):
        for name in os.listdir(process / "fd"):
            with contextlib.suppress(FileNotFoundError):
                if os.readlink(process / "fd" / name) == str(path):
                    return True
    return False


def test_a_signal_that_comes_while_a_process_starts_ends_both(tmp_path: Path) -> None:
    """A set-up that did not know the pip it had just started could not end it: the next start waited for the lock."""
    code = f"""
import os, signal, subprocess, sys
from pathlib import Path
sys.path.insert(0, {str(REPOSITORY / "scripts")!r})
from _setup import making, steps
start, started = subprocess.Popen, []
def interrupted_start(*words, **settings):
    started.append(start(*words, **settings))
    signal.raise_signal(signal.SIGTERM)
    return started[0]
subprocess.Popen = interrupted_start
signal.signal(signal.SIGTERM, making.interrupted)
with open("log", "wb") as log, open("lock", "w") as lock:
    try:
        steps.run_step(["sleep", "600"], Path(), dict(os.environ), log, lock.fileno(), steps.Progress("test"))
    finally:
        print(started[0].returncode)
        started[0].kill()
"""
    ended = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "-2\n", "")


def test_a_failed_installation_is_explained_and_tried_again(fresh: Checkout) -> None:
    failed = fresh.run(FAKE_PIP="fail")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert "the installation failed" in failed.stderr
    assert "core.pyx has a mistake" in failed.stderr
    assert fresh.run().stdout.startswith("engine:")
    assert len(fresh.asked("-m", "venv")) == 1, "what had worked is kept"


def test_an_environment_made_by_others_is_used_or_left_alone(fresh: Checkout) -> None:
    python = fresh.root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_bytes((fresh.tools / "python3").read_bytes())
    python.chmod(0o755)
    refused = fresh.run(FAKE_LACKS="headers")
    assert refused.returncode == 1
    assert python.exists()
    assert fresh.run().stdout.startswith("engine:")
    assert fresh.asked("-m", "venv") == []


def test_an_unusable_environment_made_by_others_is_not_deleted(fresh: Checkout) -> None:
    python = fresh.root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\n[ "$2" = -c ]\n')  # runs, but has neither pip nor anything else
    python.chmod(0o755)
    refused = fresh.run()
    assert refused.returncode == 1
    assert "move it away" in refused.stderr
    assert python.exists()


def test_a_closed_stderr_is_no_obstacle(fresh: Checkout) -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" 2>&-', str(fresh.root / "scripts" / "othello-bot")],
        env=fresh.environment(),
        input="",
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ended.stdout.startswith("engine: []")


@pytest.mark.parametrize(
    ("variables", "alone"), [({}, True), ({"FAKE_UNPINNED": "yes"}, True), ({"FAKE_TOOLS": "yes"}, False)]
)
def test_the_pinned_build_tools_are_used_or_others_that_serve(
    fresh: Checkout, variables: dict[str, str], alone: bool
) -> None:
    """Without the pinned files, what is installed serves; without that, pip finds tools for the build alone."""
    ended = fresh.run(**variables)
    assert ended.stdout.startswith("engine:"), ended.stderr
    [pinned] = fresh.asked("pip", "--require-hashes")
    assert "scripts/_setup/build-requirements.txt" in pinned
    [build] = fresh.asked("pip", "-e")
    assert ("--no-build-isolation" in build) == alone


@pytest.mark.parametrize(("given", "found"), [({}, "{x}"), ({"x": "mine"}, "mine")])
def test_names_of_variables_in_the_path_stand_for_themselves(
    fresh: Checkout, given: dict[str, str], found: str
) -> None:
    """setuptools would replace them in the paths of an installation; a variable that is set keeps its value."""
    assert fresh.run(**given).stdout.startswith("engine:")
    [build] = fresh.asked("pip", "-e")
    assert {name: value for name, value in build[-1].items() if name[0] in "xy1"} == {"x": found, "y_1": "$y_1"}


def test_why_a_set_up_is_impossible_is_told_without_pythons_number(fresh: Checkout) -> None:
    (fresh.root / "build").write_text("a file is in the way, as a read-only folder would be")
    refused = fresh.run()
    assert (refused.returncode, refused.stdout) == (1, "")
    [line] = refused.stderr.splitlines()
    assert line.startswith("othello-bot: cannot set up: ") and line.endswith("/build: File exists")
