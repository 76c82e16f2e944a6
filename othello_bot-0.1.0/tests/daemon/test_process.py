"""The real process: handshake, stopping, thinking ahead, garbage, the end of input, signals, broken outputs."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import psutil
import pytest
from pexpect.popen_spawn import PopenSpawn

from othello_bot.daemon.process import Terminated
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import Options
from othello_bot.rules.position import Position
from tests.session.harness import COMMAND, TIMEOUT_S, real_process, replies

pytestmark = pytest.mark.process

ENDLESS = ["setoption book off", "setoption level 60"]
"""Makes a search from the start position last until it is stopped: level 60 solves the game."""


class PipedEngine:
    """A conversation with the engine through pipes."""

    def __init__(self, *arguments: str) -> None:
        self.spawn: PopenSpawn[bytes] = PopenSpawn([*COMMAND, "--option", "hash=1", *arguments], timeout=TIMEOUT_S)

    def send(self, *lines: str) -> None:
        self.spawn.write("".join(f"{line}\n" for line in lines).encode())

    def ask(self, line: str) -> str:
        """Send a command and return its reply, without the framing."""
        self.send(line)
        return self.reply()

    def reply(self) -> str:
        """Return the next reply, with its sign."""
        self.spawn.expect_exact(b"\n\n")
        return (self.spawn.before or b"").decode().rstrip(" ")

    def end(self) -> int:
        """Close the input and return the exit code."""
        assert self.spawn.proc.stdin is not None
        self.spawn.proc.stdin.close()
        return int(self.spawn.proc.wait(TIMEOUT_S))


@pytest.fixture
def talk() -> Iterator[PipedEngine]:
    conversation = PipedEngine()
    yield conversation
    if conversation.spawn.proc.poll() is None:
        conversation.spawn.proc.kill()
        conversation.spawn.proc.wait(TIMEOUT_S)
    assert conversation.spawn.proc.stdout is not None
    conversation.spawn.proc.stdout.close()


def test_handshake_and_quit(talk: PipedEngine) -> None:
    assert talk.ask("1 protocol_version") == "=1 2"
    assert talk.ask("2 name") == "=2 othello-bot"
    assert "genmove" in talk.ask("3 list_commands").split("\n")
    assert talk.ask("4 quit") == "=4"
    talk.spawn.expect(pexpect.EOF)
    assert talk.spawn.proc.wait(TIMEOUT_S) == 0


def test_stop_makes_an_endless_genmove_answer(talk: PipedEngine) -> None:
    for line in ENDLESS:
        assert talk.ask(line) == "="
    talk.send("1 genmove")
    assert talk.ask("2 isready") == "=2 readyok"
    assert talk.ask("3 ping 5") == "=3 pong 5"
    assert talk.ask("4 stop") == "=4"
    assert re.fullmatch("=1 (d3|c4|f5|e6)", talk.reply())
    assert talk.ask("5 legal_moves").startswith("=5 ")
    assert talk.end() == 0


def test_an_analysis_streams_until_an_empty_line(talk: PipedEngine) -> None:
    talk.send("9 kata-analyze 1")
    talk.spawn.expect(rb"=9 \ninfo move \w\w visits \d+ utility")
    talk.send("")
    talk.reply()
    assert talk.ask("name") == "= othello-bot"
    assert talk.end() == 0


def test_a_search_is_answered_in_full_before_quit() -> None:
    text = real_process("setoption book off\nsetoption nodes 200000\ngenmove\nstats\nquit\n")
    _, _, move, stats, end = replies(text)
    assert re.fullmatch("= (d3|c4|f5|e6)", move)
    nodes = re.search(r"^nodes (\d+)$", stats, re.MULTILINE)
    assert nodes is not None and int(nodes[1]) >= 200_000
    assert end == "="


# -- thinking ahead ---------------------------------------------------------------------------------------------------


def _wait_until_idle(talk: PipedEngine) -> None:
    """Wait until the process uses no more processor time: thinking ahead is finished."""
    process = psutil.Process(talk.spawn.proc.pid)
    used = -1.0
    while used != (now := sum(process.cpu_times()[:2])):
        used = now
        time.sleep(0.1)


@pytest.mark.parametrize("stopped", [False, True])
def test_what_was_thought_ahead_is_used_unless_a_stop_ended_it(talk: PipedEngine, stopped: bool) -> None:
    for line in ("setoption book off", "setoption ponder on", "setoption depth 4", "time_settings 6000 0 0"):
        assert talk.ask(line) == "="
    assert talk.ask("genmove b")[:2] == "= "
    pv = re.search("^pv (.*)$", talk.ask("stats"), re.MULTILINE)
    assert pv is not None
    if stopped:
        assert talk.ask("stop") == "="
    _wait_until_idle(talk)
    assert talk.ask(f"play w {pv[1].split()[1]}") == "="
    assert talk.ask("genmove b")[:2] == "= "
    assert ("thought ahead" in talk.ask("stats")) is not stopped
    assert talk.end() == 0


# -- garbage ----------------------------------------------------------------------------------------------------------


def test_binary_noise_is_survived() -> None:
    chance = random.Random(1)
    noise = bytes(chance.randrange(256) for _ in range(100_000)).replace(b"#", b"")
    text = real_process(b"set_game\x00\n" + noise + b"\n555 name\n")
    assert text.endswith("=555 othello-bot\n\n")
    assert all(reply[:1] in "=?" for reply in replies(text))


# -- ends -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [True, False])
def test_a_signal_ends_the_process_without_a_trace(number: signal.Signals, busy: bool) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--option", "hash=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("".join(f"{line}\n" for line in [*ENDLESS, "name"]).encode())
    if busy:
        process.stdin.write(b"kata-analyze 1\n")
    process.stdin.flush()
    wanted = b"info move" if busy else b"othello-bot"
    while wanted not in process.stdout.readline():
        pass
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    _, problem = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + number
    assert problem == b""
    assert children == []


WAY_OUT = """
import os, signal, sys, threading
from othello_bot import cli
from othello_bot.daemon import process as daemon
def converse(*arguments):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(60)
    finally:
        {obstacle}
daemon._converse = converse
daemon.PATIENCE_S = 0.2
sys.exit(cli.main([]))
"""


@pytest.mark.parametrize(
    "obstacle",
    [
        "raise RuntimeError('cannot release un-acquired lock')",
        "raise AssertionError",
        "os.kill(os.getpid(), signal.SIGINT)",
        "threading.Event().wait()",
        "sys.kept = type('Slow', (), {'__del__': lambda _, sleep=__import__('time').sleep: sleep(1)})()",
    ],
)
def test_a_signal_ends_the_process_whatever_it_meets_on_the_way_out(obstacle: str) -> None:
    """A signal may arrive between two steps of a lock, which then raises an error or is never released; and the last steps
    of Python, which has no handlers of signals any more, may take long.
    """
    program = [COMMAND[0], "-c", WAY_OUT.format(obstacle=obstacle)]
    ended = subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False)
    assert ended.returncode == 128 + signal.SIGTERM
    assert ended.stdout == ended.stderr == b""


def test_a_signal_while_the_search_thread_starts_leaves_nothing_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise Terminated(128 + signal.SIGINT)

    engine = Engine(Options())
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(Terminated), engine:
        engine.go(Position.start(), Limits(depth=1))


def test_a_reader_that_goes_away_ends_the_session_quietly() -> None:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [*COMMAND, "--option", "hash=1"], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    os.close(reading)
    _, problem = process.communicate(b"name\n" * 3 + b"kata-analyze 1\n", timeout=TIMEOUT_S)
    assert (process.returncode, problem) == (0, b"")


def test_a_host_that_dies_leaves_no_search_behind() -> None:
    """End of input alone lets a search finish; without a reader for its move, it is stopped."""
    process = subprocess.Popen([*COMMAND, "--option", "hash=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("".join(f"{line}\n" for line in [*ENDLESS, "name", "genmove"]).encode())
    process.stdin.flush()
    while b"othello-bot" not in process.stdout.readline():
        pass
    process.stdin.close()
    process.stdout.close()
    assert process.wait(TIMEOUT_S) == 0


def test_a_textbook_player_is_stopped_like_the_engine(talk: PipedEngine) -> None:
    assert talk.ask("setoption strategy minimax:20") == "="
    talk.send("1 genmove")
    assert talk.ask("2 isready") == "=2 readyok"
    assert talk.ask("3 stop") == "=3"
    assert re.fullmatch("=1 (d3|c4|f5|e6)", talk.reply())
    assert talk.ask("setoption move_time 50") == "="
    assert re.fullmatch("=4 [a-h][1-8]", talk.ask("4 genmove"))
    assert talk.ask("kata-time_settings absolute 1") == "="
    assert re.fullmatch("=5 [a-h][1-8]", talk.ask("5 genmove"))
    assert talk.end() == 0


@pytest.mark.parametrize(
    "words",
    [
        "perft 5",
        "bench",
        "play --strategies",
        "play --black random --white random",
        "match --help",
        "train fit --help",
        "--help",
        "--version",
    ],
)
def test_a_reader_that_goes_away_is_no_failure_of_a_command(words: str) -> None:
    """As with `othello-bot perft 9 | head -1`; what is buffered until the end fails only then."""
    reading, writing = os.pipe()
    os.close(reading)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [*COMMAND, *words.split()],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=TIMEOUT_S,
        check=False,
        env=buffered,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_stdout_is_reported() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            COMMAND, input=b"name\n", stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"othello-bot: cannot write: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_the_log_ends_the_log_and_nothing_else() -> None:
    done = subprocess.run(
        COMMAND,
        input=b"setoption log_file /dev/full\nname\nname\n",
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert replies(done.stdout.decode()) == ["=", "= othello-bot", "= othello-bot"]
    assert done.returncode == 0
    assert done.stderr.startswith(b"othello-bot: logging to /dev/full ends here") and done.stderr.count(b"\n") == 1


def test_the_log_has_what_was_said(tmp_path: Path) -> None:
    log = tmp_path / "a log.txt"
    real_process(f"setoption log_file {log}\n1 play f5\n2 foo\nsetoption log_file none\nname\n")
    lines = [line[9:] for line in log.read_text().splitlines()]
    assert lines == [
        "> =",
        "< 1 play f5",
        "> =1 ",
        "< 2 foo",
        "> ?2 unknown command: 'foo'",
        "< setoption log_file none",
    ]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_descriptors_that_the_parent_did_not_open(closed: str) -> None:
    command = " ".join(COMMAND)
    done = subprocess.run(
        ["sh", "-c", f"{command} --option hash=1 {closed}"],
        input=b"name\n",
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    told = b"othello-bot: cannot write: Bad file descriptor\n" if closed == ">&-" else b""
    assert (done.returncode, done.stderr) == (int(bool(told)), told)


def test_a_table_that_does_not_fit_is_refused_and_the_old_one_kept() -> None:
    found = replies(real_process("setoption hash 1048576\ngetoption hash\nsetoption depth 3\nhint\n"))
    most = re.fullmatch(
        r"\? not enough memory for option hash 1048576: expected 1 to (\d+) MiB; the table of 1 MiB stays", found[0]
    )
    assert most is not None and 1 <= int(most[1]) < 1048576
    assert found[1] == "= 1"
    assert found[3].startswith("= 1 ")


def test_a_forced_dialect() -> None:
    assert real_process("nboard 2\nname\n", ["--protocol", "gtp"]).endswith("\n\n= othello-bot\n\n")
    assert real_process("ping 3\n", ["--protocol", "nboard"]) == "pong 3\n"
    assert real_process("\n", ["--protocol", "cassio"]) == "ready.\n"


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system has no /dev/fd")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link"])
@pytest.mark.parametrize("is_file", [True, False], ids=["file", "pipe"])
def test_what_is_saved_to_standard_output_stands_among_the_replies(tmp_path: Path, name: str, is_file: bool) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("ab") as output:
        done = subprocess.run(
            [*COMMAND, "--option", "hash=1", "--option", "seed=7", "--option", "log_file=/dev/stderr"],
            input=f"play f5\nsave {name}\nname\nquit\n".encode(),
            stdout=output if is_file else subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            timeout=TIMEOUT_S,
        )
    text = log.read_text().removeprefix("before\n") if is_file else done.stdout.decode()
    saved = text.removeprefix("=\n\n").removesuffix("=\n\n= othello-bot\n\n=\n\n")
    assert saved.rstrip("\n") == "f5 # seed 7"
    assert log.read_text().startswith("before\n") and b"# seed" not in done.stderr
