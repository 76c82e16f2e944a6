"""Processes, signals and the machine, by calls of the system that are recorded or faked."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from types import SimpleNamespace
from typing import Any, cast

import pytest

from othello_bot.base import posix


@pytest.mark.parametrize(("error", "found"), [(None, True), (ProcessLookupError, False), (PermissionError, True)])
def test_a_process_exists_whoever_owns_it(
    error: type[OSError] | None, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(process: int, number: int) -> None:
        assert (process, number) == (4711, 0)
        if error is not None:
            raise error

    monkeypatch.setattr(os, "kill", kill)
    assert posix.exists(4711) is found


@pytest.mark.process
def test_an_ended_child_is_noticed_and_not_reaped() -> None:
    with subprocess.Popen(["/bin/sh", "-c", "read -r line"], stdin=subprocess.PIPE, bufsize=0) as child:
        assert not posix.has_exited(child)
        assert child.stdin is not None
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert posix.has_exited(child) and child.returncode is None
        child.wait()
        assert posix.has_exited(child)


@pytest.mark.parametrize(("certain", "number"), [(True, signal.SIGKILL), (False, signal.SIGTERM)])
def test_a_signal_reaches_the_whole_group(certain: bool, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "killpg", lambda group, number: sent.append((group, number)))
    posix.signal_group(cast("Any", SimpleNamespace(pid=4711)), certain=certain)
    assert sent == [(4711, number)]


@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
def test_a_group_that_is_gone_gets_no_signal(error: type[OSError], monkeypatch: pytest.MonkeyPatch) -> None:
    def killpg(group: int, number: int) -> None:
        raise error

    monkeypatch.setattr(os, "killpg", killpg)
    posix.signal_group(cast("Any", SimpleNamespace(pid=4711)), certain=True)


def test_the_memory_of_the_machine_is_in_mib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 3_000_000, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert posix.installed_mib() == 11718


@pytest.mark.parametrize("error", [AttributeError, OSError, ValueError])
def test_a_system_may_not_report_its_memory(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def sysconf(name: str) -> int:
        raise error(name)

    monkeypatch.setattr(os, "sysconf", sysconf)
    assert posix.installed_mib() is None


class Alarms:
    """A fake of the system's alarms and of their handler."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.handler: Any = signal.SIG_DFL
        self.timers: list[float] = []
        monkeypatch.setattr(signal, "signal", self._signal)
        monkeypatch.setattr(signal, "getsignal", lambda number: self.handler)
        monkeypatch.setattr(signal, "setitimer", self._setitimer)

    def _signal(self, number: int, handler: Any) -> Any:
        assert number == signal.SIGALRM
        former, self.handler = self.handler, handler
        return former

    def _setitimer(self, which: int, seconds: float) -> None:
        assert which == signal.ITIMER_REAL
        self.timers.append(seconds)

    def ring(self) -> None:
        """Let the alarm ring."""
        self.handler(signal.SIGALRM, None)


@pytest.fixture
def alarms(monkeypatch: pytest.MonkeyPatch) -> Alarms:
    return Alarms(monkeypatch)


def test_an_action_is_called_by_an_alarm(alarms: Alarms) -> None:
    called: list[bool] = []
    posix.call_after(1.5, lambda: called.append(True))
    assert alarms.timers == [1.5] and called == []
    alarms.ring()
    assert called == [True]


def test_ticks_come_until_one_asks_for_no_other(alarms: Alarms) -> None:
    answers: list[float | None] = [0.5, 0.0, None]
    with posix.ticking(lambda: answers.pop(0)):
        assert alarms.timers == [0.5]
        alarms.ring()
        assert alarms.timers == [0.5, 0.001]  # an alarm after 0 seconds would never ring
        alarms.ring()
        assert alarms.timers == [0.5, 0.001] and answers == []
    assert alarms.timers == [0.5, 0.001, 0] and alarms.handler is signal.SIG_DFL


def test_a_handler_that_has_replaced_the_ticks_stays(alarms: Alarms) -> None:
    with posix.ticking(lambda: None):
        alarms.handler = signal.SIG_IGN
    assert alarms.timers == [] and alarms.handler is signal.SIG_IGN


def test_both_signals_that_end_a_process_are_handled() -> None:
    handled: list[int] = []
    action = cast("Any", object())

    def add_signal_handler(number: int, handler: Any) -> None:
        assert handler is action
        handled.append(number)

    loop = cast("asyncio.AbstractEventLoop", SimpleNamespace(add_signal_handler=add_signal_handler))
    posix.call_on_end_signals(loop, action)
    assert handled == [signal.SIGINT, signal.SIGTERM]


@pytest.mark.process
def test_a_guardian_that_is_dismissed_kills_nothing() -> None:
    with subprocess.Popen(["/bin/sh", "-c", "read -r line"], stdin=subprocess.PIPE, start_new_session=True) as child:
        guardian = posix.start_guardian(child.pid, "OTHELLO_BOT_ENGINE_OF_NOBODY=1")
        assert guardian is not None
        posix.dismiss_guardian(guardian)
        assert guardian.returncode == 0 and not posix.has_exited(child)
        child.communicate(b"\n")
    assert child.returncode == 0


def test_the_clock_that_runs_while_the_machine_sleeps_goes_on_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert posix.uptime_s() <= posix.uptime_s()
    monkeypatch.delattr("time.CLOCK_BOOTTIME", raising=False)
    monkeypatch.setattr("time.monotonic", lambda: 5.0)
    assert posix.uptime_s() == 5.0
