"""What the system may lack: a readable input, space for stderr, memory, and threads."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from othello_bot.cli import main
from othello_bot.protocol.wire import LineReader
from tests.session.harness import COMMAND, TIMEOUT_S, in_process, replies


@pytest.mark.process
def test_an_input_that_cannot_be_read_is_told_in_a_line() -> None:
    command = " ".join(COMMAND)
    done = subprocess.run(
        ["sh", "-c", f"{command} --option hash=1 0>/dev/null"], capture_output=True, timeout=TIMEOUT_S, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == "othello-bot: cannot read the input: Bad file descriptor\n"


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["--nboard"], ["--gtp"], ["convert", "/nowhere/x", "/nowhere/y.ggf"]])
def test_a_full_disk_under_stderr_changes_nothing(arguments: list[str]) -> None:
    def code(stderr: str) -> int:
        with open(stderr, "w") as file:
            text = "set game nonsense\nnonsense\nquit\n"
            return subprocess.run(
                [*COMMAND, *arguments], input=text.encode(), stdout=subprocess.PIPE, stderr=file, check=False
            ).returncode

    assert code("/dev/full") == code("/dev/null")


@pytest.mark.process
@pytest.mark.parametrize("words", ["version", "completion bash", "perft 2"])
@pytest.mark.parametrize(
    ("stdout", "reason"), [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")]
)
def test_a_result_that_cannot_be_written_is_told_in_a_line(words: str, stdout: str, reason: str) -> None:
    command = f"{' '.join(COMMAND)} {words} {stdout}"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
    assert (done.returncode, done.stderr.decode()) == (1, f"othello-bot: {reason}\n")


@pytest.mark.process
def test_closed_streams_are_empty_and_take_nothing(tmp_path: Path) -> None:
    games, out = tmp_path / "a.txt", tmp_path / "b.pgn"
    games.write_text("f5d6c3\n")
    for words in (f"convert {games} {out} >&-", f"convert - {tmp_path}/b.ggf <&-", "play <&- >/dev/null", "<&-"):
        command = f"{' '.join(COMMAND)} {words}"
        done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        assert b"Traceback" not in done.stderr
    assert "1. f5 d6" in out.read_text()


def refuse_to_start(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_a_command_that_gets_no_thread_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", refuse_to_start)
    found = replies(in_process("play f5\nsetoption book off\ngenmove w\nhint\ntranscript\n"))
    assert found[2].startswith("? not enough memory for 'a search thread'")
    assert found[3].startswith("? not enough memory for 'a search thread'")
    assert found[4] == "= f5"


def test_a_session_that_gets_no_thread_to_read_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(threading.Thread, "start", refuse_to_start)
    with pytest.raises(MemoryError, match="no memory for the thread that reads the input"):
        LineReader(0, print, print).start()


def test_an_error_of_memory_without_words_gets_some(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> int:
        raise MemoryError

    monkeypatch.setattr("othello_bot.daemon.process.run", refuse)
    with pytest.raises(SystemExit, match="1"):
        main([])
    assert capsys.readouterr().err == "othello-bot: not enough memory; start with a smaller --hash\n"
