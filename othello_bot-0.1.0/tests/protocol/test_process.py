"""Engines as processes: deadlines, every kind of failure distinguished, and no process left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from othello_bot.base import posix
from othello_bot.protocol.errors import (
    Awaited,
    EngineCrashed,
    EngineEnded,
    EngineError,
    EngineExited,
    EngineGarbage,
    EngineNotStarted,
    EngineRefused,
    EngineStalled,
    EngineUnsupported,
)
from othello_bot.protocol.process import LAST_WORDS_S, STDERR_LINES, EngineProcess, Patience
from othello_bot.protocol.wire import MOST_WAITING_LINES, InputLine, Mailbox
from tests.mocks import mock
from tests.protocol.processes import OBEDIENT, PATIENCE, is_alive, is_gone_within

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]


def python(program: str) -> list[str]:
    """Return the command line of a program in Python."""
    return [sys.executable, "-S", "-u", "-c", program]


def test_a_line_goes_in_and_one_comes_out() -> None:
    with EngineProcess(python("print(input()[::-1]); input()"), patience=OBEDIENT) as engine:
        sent_at = engine.send("abc\n")
        received = engine.receive(20)
        assert received.text == "cba"
        assert received.at >= sent_at
        assert engine.running
        pid = engine.pid
    assert pid is not None
    assert not is_alive(pid)
    assert not engine.running
    assert (engine.exit_code, engine.stopped_by) == (0, "quit")


def test_environment_and_folder(tmp_path: Path) -> None:
    program = python("import os; print(os.environ['MARK'], os.getcwd(), 'PATH' in os.environ)")
    with EngineProcess(program, env={"MARK": "set"}, cwd=tmp_path, patience=OBEDIENT) as engine:
        assert engine.receive(20).text == f"set {tmp_path} True"


@pytest.mark.parametrize(
    ("program", "kind", "exit_code", "message"),
    [
        ("import sys; print('last words', file=sys.stderr); sys.exit(3)", EngineCrashed, 3, "crashed"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", EngineCrashed, -11, "crashed by SIGSEGV"),
        ("import os; os.kill(os.getpid(), 9)", EngineCrashed, -9, "crashed by SIGKILL"),
        ("raise ArithmeticError('last words')", EngineCrashed, 1, "crashed"),
        ("", EngineExited, 0, "ended by itself"),
        ("import os, time; os.close(1); time.sleep(60)", EngineExited, None, "closed its output without ending"),
    ],
)
def test_ends_are_told_apart(program: str, kind: type[EngineEnded], exit_code: int | None, message: str) -> None:
    with EngineProcess(python(program), patience=PATIENCE, name="mock") as engine:
        with pytest.raises(kind, match=message) as caught:
            engine.receive(20)
        assert type(caught.value) is kind
        assert caught.value.exit_code == exit_code
        assert caught.value.engine == "mock"
        if "last words" in program:
            assert "last words" in caught.value.stderr[-1]
            assert "last words" in str(caught.value)
        # It is cleaned up already, and says the same when asked again.
        assert not engine.running
        with pytest.raises(EngineEnded):
            engine.receive(20)
        with pytest.raises(EngineEnded):
            engine.send("name\n")


@pytest.mark.parametrize(
    ("program", "kind", "exit_code"), [("import sys; sys.exit(3)", EngineCrashed, 3), ("", EngineExited, 0)]
)
def test_an_end_that_the_system_shows_late_has_its_own_exit_code(
    program: str, kind: type[EngineEnded], exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othello_bot.protocol.process.LAST_WORDS_S", 0.0)
    monkeypatch.setattr(posix, "has_exited", lambda child: False)
    with EngineProcess(python(program), patience=PATIENCE) as engine:
        with pytest.raises(kind) as caught:
            engine.receive(20)
        assert (type(caught.value), caught.value.exit_code) == (kind, exit_code)


def test_what_was_said_before_the_end_is_still_heard() -> None:
    with EngineProcess(python("print('a'); print('b')"), patience=PATIENCE) as engine:
        assert [engine.receive(20).text for _ in range(2)] == ["a", "b"]
        with pytest.raises(EngineExited):
            engine.receive(20)


def test_an_end_is_noticed_even_if_a_child_keeps_the_output_open(tmp_path: Path) -> None:
    command = mock("gtp", "--leave-child", "--child-file", str(tmp_path / "child"), "--crash-on-start")
    with EngineProcess(command, patience=PATIENCE) as engine, pytest.raises(EngineCrashed) as caught:
        engine.receive(20)
    assert caught.value.exit_code == 3
    assert is_gone_within(int((tmp_path / "child").read_text()), 10)


def test_after_the_end_its_output_may_still_arrive_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    command = mock("gtp", "--leave-child", "--crash-on-start")
    with EngineProcess(command, patience=PATIENCE) as engine:
        assert engine.pid is not None
        os.waitid(os.P_PID, engine.pid, os.WEXITED | os.WNOWAIT)
        now_s = [100.0]
        clock = SimpleNamespace(monotonic=lambda: now_s[0], sleep=time.sleep)
        monkeypatch.setattr("othello_bot.protocol.process.time", clock)
        assert not engine.over
        now_s[0] += LAST_WORDS_S
        assert not engine.over
        now_s[0] += 0.01
        assert engine.over
        monkeypatch.undo()


def test_nothing_arrives_from_what_was_not_started() -> None:
    engine = EngineProcess(mock("gtp"))
    assert engine.over and engine.stop() is None and engine.over
    with pytest.raises(EngineExited, match="was not started"):
        engine.receive(20)


def test_silence_is_a_stall_and_not_an_end() -> None:
    with EngineProcess(python("import time; time.sleep(60)"), patience=PATIENCE) as engine:
        with pytest.raises(EngineStalled, match="silent") as caught:
            engine.receive(0.05, Awaited.START)
        assert (caught.value.awaited, caught.value.waited_s, caught.value.exit_code) == ("start", 0.05, None)
        assert engine.running


@pytest.mark.parametrize("within_s", [0.0, -0.5])
def test_silence_without_any_time_left_says_so(within_s: float) -> None:
    used_up = pytest.raises(EngineStalled, match=r"silent when its time is already used up \(waiting: move\)")
    with EngineProcess(python("import time; time.sleep(60)"), patience=PATIENCE) as engine, used_up:
        engine.receive(within_s, Awaited.MOVE)


def test_what_came_before_the_silence_without_a_line_end_is_told() -> None:
    program = "import sys, time; print('= f5\\n= d6', end=''); time.sleep(60)"
    with EngineProcess(python(program), patience=PATIENCE) as engine:
        assert engine.receive(20).text == "= f5"
        with pytest.raises(EngineStalled, match=r"silent for 0.05 s after '= d6' without a line end \(waiting: move\)"):
            engine.receive(0.05, Awaited.MOVE)


def test_an_engine_that_does_not_read_is_a_stall() -> None:
    with EngineProcess(mock("gtp", "--deaf"), patience=PATIENCE) as engine:
        with pytest.raises(EngineStalled, match="does not read") as caught:
            engine.send("x" * 1_000_000, 0.05)
        assert caught.value.awaited is Awaited.INPUT


def test_an_endless_line_is_garbage() -> None:
    with EngineProcess(python("print('x' * 1_000_000)"), patience=PATIENCE) as engine:
        with pytest.raises(EngineGarbage, match="1000000 bytes") as caught:
            engine.receive(20)
        assert caught.value.line.startswith("xxx")


def test_a_program_that_is_not_there() -> None:
    engine = EngineProcess([str(ROOT / "no-such-engine")])
    with pytest.raises(EngineNotStarted, match="no-such-engine"):
        engine.start()
    assert engine.stop() is None
    assert not engine.running


def test_a_program_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "engine").write_bytes(b"\x00\x01")
    with pytest.raises(EngineNotStarted):
        EngineProcess([str(tmp_path / "engine")]).start()
    with pytest.raises(EngineNotStarted, match="no command"):
        EngineProcess([]).start()
    with pytest.raises(EngineNotStarted, match="not started"):
        EngineProcess(["engine"]).send("name\n")


def test_why_a_program_cannot_be_started_is_told(tmp_path: Path) -> None:
    def reason(program: str, folder: Path | None = None) -> str:
        with pytest.raises(EngineNotStarted) as caught:
            EngineProcess([program], cwd=folder).start()
        return caught.value.message

    script = tmp_path / "script"
    script.write_text("#!/no/such/shell\n")
    script.chmod(0o755)
    text = tmp_path / "text"
    text.write_text("f5d6\n")
    assert reason("no-such-program") == "cannot start no-such-program: No such file or directory"
    assert reason(str(tmp_path)) == f"cannot start {tmp_path}: it is a folder"
    assert reason(".") == "cannot start .: it is a folder"
    assert reason(str(script)) == f"cannot start {script}: the interpreter or loader that it names does not exist"
    assert reason(str(text)) == f"cannot start {text}: Permission denied"
    assert reason(sys.executable, tmp_path / "none") == f"cannot start {tmp_path / 'none'}: No such file or directory"
    assert reason("") == "cannot start a program without a name"
    assert "null" in reason("a\0b")


def test_an_engine_process_is_for_one_run() -> None:
    with EngineProcess(python(""), patience=PATIENCE) as engine, pytest.raises(EngineNotStarted, match="already"):
        engine.start()


OBEDIENT_TO_SIGNALS = Patience(quit_s=0.15, end_of_input_s=0.15, terminate_s=20)


@pytest.mark.parametrize(
    ("flags", "farewell", "patience", "stopped_by", "exit_code"),
    [
        ((), "quit\n", OBEDIENT, "quit", 0),
        ((), "", OBEDIENT, "end of input", 0),
        (("--ignore-quit",), "quit\n", OBEDIENT_TO_SIGNALS, "terminate", -signal.SIGTERM),
        (("--ignore-quit", "--ignore-terminate"), "quit\n", PATIENCE, "kill", -signal.SIGKILL),
        (("--deaf", "--ignore-terminate"), "quit\n", PATIENCE, "kill", -signal.SIGKILL),
    ],
)
def test_an_engine_is_stopped_for_certain(
    flags: tuple[str, ...], farewell: str, patience: Patience, stopped_by: str, exit_code: int
) -> None:
    # Its greeting says that it is up, and how it takes signals is settled.
    engine = EngineProcess(mock("gtp", "--banner", *flags), patience=patience)
    engine.start()
    assert engine.receive(20).text.startswith("Mock Engine")
    pid = engine.pid
    assert pid is not None
    assert engine.stop(farewell) == exit_code
    assert engine.stopped_by == stopped_by
    assert not is_alive(pid)
    assert engine.stop() == exit_code


def test_a_stopped_engine_is_not_asked_again() -> None:
    engine = EngineProcess(mock("gtp"), patience=OBEDIENT)
    engine.start()
    engine.stop()
    with pytest.raises(EngineExited, match="has been stopped"):
        engine.receive(20)
    with pytest.raises(EngineExited, match="has been stopped"):
        engine.send("name\n")


def test_without_memory_for_a_thread_an_engine_is_not_started_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(reader: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("othello_bot.protocol.wire.LineReader.start", refuse)
    engine = EngineProcess(python("input()"))
    with pytest.raises(EngineNotStarted, match="cannot start a thread to read it: can't start new thread"):
        engine.start()
    assert engine.pid is not None and not engine.running
    assert is_gone_within(engine.pid, 20)


def test_a_stop_from_another_thread_ends_a_wait() -> None:
    engine = EngineProcess(python("import time; time.sleep(60)"), patience=PATIENCE)
    engine.start()
    stopper = threading.Timer(0.05, engine.stop)
    stopper.start()
    with pytest.raises(EngineExited, match="has been stopped"):
        engine.receive(20)
    stopper.join(20)


def test_a_stop_from_another_thread_ends_a_blocked_send() -> None:
    engine = EngineProcess(mock("gtp", "--deaf"), patience=PATIENCE)
    engine.start()
    stopper = threading.Timer(0.1, engine.stop)
    stopper.start()
    with pytest.raises(EngineExited):
        engine.send("x" * 1_000_000, 20)
    stopper.join(20)


def test_a_flood_on_stderr_blocks_nobody_and_only_its_end_is_kept() -> None:
    seen: list[tuple[str, str]] = []
    command = mock("gtp", "--flood-stderr", "3000")
    with EngineProcess(command, patience=OBEDIENT, on_line=lambda *line: seen.append(line)) as engine:
        engine.send("name\n")
        assert engine.receive(20).text == "= Mock"
    assert Counter(mark for mark, _ in seen)["!"] == 3000
    others = [line for line in seen if line[0] != "!"]
    assert others[:3] == [(">", "name"), ("<", "= Mock"), ("<", "")] and (">", "quit") in others
    assert len(engine.stderr_tail) == STDERR_LINES
    assert engine.stderr_tail[-1].startswith("chatter 2999 ")


def test_an_endless_line_on_stderr_is_cut_but_counted_by_its_bytes() -> None:
    written = "'e' * 500_000 + '\\n\u00e9t\u00e9\\nend'"
    program = f"import sys; sys.stderr.buffer.write(({written}).encode()); print('done'); input()"
    with EngineProcess(python(program), patience=PATIENCE) as engine:
        assert engine.receive(20).text == "done"
    assert len(engine.stderr_tail[0]) < 5000
    assert engine.stderr_bytes == 500_000 + len("\n\u00e9t\u00e9\nend".encode())


def test_a_flood_on_stdout_is_held_back_and_can_still_be_stopped() -> None:
    engine = EngineProcess(python("while True: print('flood')"), patience=PATIENCE)
    engine.start()
    for _ in range(3 * MOST_WAITING_LINES // 2):
        assert engine.receive(20).text == "flood"
    assert engine.stop("") is not None
    assert engine.stopped_by in ("terminate", "kill")


def test_the_mailbox_holds_back_and_lets_go() -> None:
    mailbox = Mailbox()
    held_back = threading.Event()

    def fill() -> None:
        for number in range(MOST_WAITING_LINES + 1):
            if number == MOST_WAITING_LINES:
                held_back.set()
            mailbox.put(InputLine(str(number), 1))
        mailbox.end()

    writer = threading.Thread(target=fill)
    writer.start()
    assert held_back.wait(20)
    assert not mailbox.ended
    first = mailbox.take()
    assert first is not None
    assert first[0].text == "0"
    writer.join(20)
    assert mailbox.ended
    mailbox.discard()
    mailbox.put(InputLine("late", 4))
    assert mailbox.take() is None


def test_several_threads_may_stop_at_once() -> None:
    engine = EngineProcess(mock("gtp", "--ignore-quit"), patience=PATIENCE)
    engine.start()
    codes: list[int | None] = []
    threads = [threading.Thread(target=lambda: codes.append(engine.stop())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(codes) == 4
    assert len(set(codes)) == 1


def test_the_end_of_the_thread_that_started_an_engine_does_not_end_the_engine() -> None:
    engine = EngineProcess(mock("gtp"), patience=OBEDIENT)
    starter = threading.Thread(target=engine.start)
    starter.start()
    starter.join(20)
    engine.send("name\n")
    assert engine.receive(20).text == "= Mock"
    assert engine.stop() == 0


def test_nothing_of_an_engine_stays_open() -> None:
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("there is no /proc here")

    def descriptors() -> int:
        return len(list(folder.iterdir()))

    before = descriptors()
    threads = threading.active_count()
    for flags in ((), ("--crash-on-start",)):
        engine = EngineProcess(mock("gtp", *flags), patience=OBEDIENT)
        engine.start()
        engine.stop()
    assert descriptors() == before
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    "kind",
    [EngineCrashed, EngineExited, EngineStalled, EngineGarbage, EngineRefused, EngineUnsupported],
)
def test_errors_travel_between_processes(kind: type[EngineError]) -> None:
    error = kind("went wrong", "mock", 3, ("a", "b"))
    error.__dict__["line"] = "extra"
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error) == "mock: went wrong (exit code 3)\n  stderr: a\n  stderr: b"
    assert copy.__dict__ == error.__dict__


WITHOUT_PROCESSES = """
import sys
sys.platform = "emscripten"
from othello_bot.protocol.process import EngineProcess
EngineProcess(["engine"]).start()
"""


def test_no_engine_starts_where_there_are_no_processes() -> None:
    done = subprocess.run([sys.executable, "-S", "-c", WITHOUT_PROCESSES], cwd=ROOT, capture_output=True, text=True)
    assert "EngineNotStarted: engine: cannot start engine: " in done.stderr


@pytest.mark.parametrize(
    ("code", "text"),
    [(None, ""), (0, ""), (3, ""), (-9, " by SIGKILL"), (-15, " by SIGTERM"), (-200, " by signal 200")],
)
def test_the_signal_that_ended_a_child(code: int | None, text: str) -> None:
    assert posix.signal_text(code) == text


def test_an_error_has_the_last_five_lines_of_stderr() -> None:
    lines = tuple(f"line {number}" for number in range(8))
    shown = str(EngineCrashed("crashed", "Mock", 3, lines)).splitlines()
    assert shown == ["Mock: crashed (exit code 3)", *(f"  stderr: {line}" for line in lines[3:])]
    assert str(EngineCrashed("crashed")) == "engine: crashed"
