"""Nothing of an engine is left behind: its children, and the engine of a controller that ends in whatever way."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot.protocol.process import EngineProcess
from tests.mocks import mock
from tests.protocol.processes import OBEDIENT, is_alive, is_gone_within
from tests.protocol.test_process import ROOT, python

pytestmark = pytest.mark.process


def test_children_of_the_engine_end_with_it(tmp_path: Path) -> None:
    command = mock("gtp", "--leave-child", "--child-file", str(tmp_path / "child"))
    with EngineProcess(command, patience=OBEDIENT) as engine:
        engine.send("name\n")
        engine.receive(20)
        child = int((tmp_path / "child").read_text())
        assert is_alive(child)
    assert engine.exit_code == 0
    assert is_gone_within(child, 10)


CONTROLLER = """
import sys, time
from othello_bot.protocol.process import EngineProcess
STUBBORN = '''
import signal, time
for name in ("SIGTERM", "SIGINT", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
print("up", flush=True)
time.sleep(60)
'''
engine = EngineProcess([sys.executable, "-S", "-c", STUBBORN])
engine.start()
engine.receive(20)
print(engine.pid, flush=True)
{then}
"""


@pytest.mark.parametrize(
    ("then", "number"),
    [
        ("", None),
        ("raise SystemExit(1)", None),
        ("raise ArithmeticError", None),
        ("time.sleep(60)", signal.SIGTERM),
        ("time.sleep(60)", signal.SIGKILL),
    ],
)
def test_however_the_controller_ends_its_engine_ends_too(then: str, number: int | None) -> None:
    program = CONTROLLER.format(then=then)
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as controller:
        assert controller.stdout is not None
        pid = int(controller.stdout.readline())
        if number is not None:
            controller.send_signal(number)
        controller.wait(20)
    assert is_gone_within(pid, 20)


ESCAPING = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        print(os.getpid(), flush=True)
        time.sleep(600)
    os._exit(0)
os.wait()
input()
"""
"""An engine with a child that is a daemon: in a session of its own, its parent gone, deaf to polite signals."""

LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to find such a child")


@LINUX
def test_a_child_in_a_session_of_its_own_ends_with_the_engine() -> None:
    with EngineProcess(python(ESCAPING), patience=OBEDIENT) as engine, EngineProcess(python("input()")) as other:
        child = int(engine.receive(20).text)
        assert is_alive(child)
        engine.stop("\n")
        assert (engine.exit_code, engine.stopped_by) == (0, "quit")
        assert is_gone_within(child, 20)
        assert other.running


@LINUX
def test_a_child_in_a_session_of_its_own_ends_with_a_killed_controller() -> None:
    program = CONTROLLER.format(then="print(escaped, flush=True)\ntime.sleep(60)")
    program = program.replace("engine.receive(20)", "escaped = engine.receive(20).text")
    program = program.replace('[sys.executable, "-S", "-c", STUBBORN]', f"[sys.executable, '-c', {ESCAPING!r}]")
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as controller:
        assert controller.stdout is not None
        engine, child = (int(controller.stdout.readline()) for _ in range(2))
        assert is_alive(child)
        controller.kill()
    assert is_gone_within(engine, 20)
    assert is_gone_within(child, 20)
