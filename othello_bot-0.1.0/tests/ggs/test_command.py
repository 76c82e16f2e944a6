"""`othello-bot ggs` from the command line."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot import cli
from othello_bot.base import posix
from othello_bot.formats import ggf
from othello_bot.ggs import command
from othello_bot.ggs.ledger import FILES, Log
from othello_bot.protocol.ggs_commands import Password

POLICY = """
[[offer]]
type = "s8r18"
clock = "5:00//2:00"
opponent = "ben"
"""

SESSION = b"""
: Enter login (yours, or one you'd like to use).
: Enter your password.
READY

/os: +   .8 1720.0 ben      10:00//02:00       8k R 1720.0 ann
READY

/os: +   .9 1720.0 ben      10:00//02:00       s8r18 R 1720.0 ann
READY
ben: hello
READY
"""


class Typed(io.TextIOWrapper):
    """A standard input with bytes."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(command.PASSWORD_VARIABLE, raising=False)
    monkeypatch.setattr(sys, "stdin", Typed(io.BytesIO(b"")))
    return tmp_path


def test_a_dry_run_prints_what_would_be_sent(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "policy.toml").write_text(POLICY)
    assert cli.main(["ggs", "--login", "ann", "--policy", "policy.toml", "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["> ann", "> (password)", "> vt100 -"]
    assert "> tell /os open 1" in lines and "> tell /os ask s8r18 05:00//02:00 ben" in lines
    assert not list(folder.glob("*.ggf"))


def test_a_dry_run_answers_a_recorded_session(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(io.BytesIO(SESSION)))
    assert cli.main(["ggs", "--login", "ann", "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "> tell /os decline .8" in lines and "> tell /os accept .9" in lines
    assert any(line.startswith("> tell ben Sorry, I play only 8x8") for line in lines)
    assert any(line.startswith("> tell ben I am a program") for line in lines)


@pytest.mark.parametrize(
    ("words", "named"),
    (
        ((), "--login"),
        (("--login", "x"), "2 to 8"),
        (("--login", "far-too-long"), "2 to 8"),
        (("--login", "a\x1bb"), "2 to 8"),
        (("--login", "ann", "--port", "0"), "1 to 65535"),
        (("--login", "ann", "--password", "hunter2"), "--password"),
    ),
)
def test_wrong_arguments(words: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["ggs", *words])
    assert end.value.code == 2 and named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("policy", "named"), (("[accept", "TOML"), ("[accept]\ntypes = 3", "accept.types"), (None, "can be read"))
)
def test_a_policy_that_cannot_be_used(
    folder: Path, policy: str | None, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if policy is not None:
        (folder / "policy.toml").write_text(policy)
    assert cli.main(["ggs", "--login", "ann", "--policy", "policy.toml", "--dry-run"]) == 2
    assert named in capsys.readouterr().err


def test_the_password_comes_from_a_file_the_environment_or_a_question(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda text: f"asked {'in the clear' in text}")
    assert command._password(None) == "asked True"
    monkeypatch.setenv(command.PASSWORD_VARIABLE, "from the environment")
    assert command._password(None) == "from the environment"
    (folder / "password").write_text("from the file\r\nsecond line\n")
    assert command._password(folder / "password") == "from the file"


@pytest.mark.parametrize("secret", ("", "a\x1b[2Jb", "x" * 201))
def test_a_password_that_cannot_be_sent_is_refused_without_being_shown(folder: Path, secret: str) -> None:
    (folder / "password").write_text(secret)
    with pytest.raises(ValueError, match="hidden") as error:
        command._password(folder / "password")
    assert not secret or secret[:150] not in str(error.value)


def test_one_process_a_login(folder: Path) -> None:
    with command._alone("skatgame.net", "ann"):
        with pytest.raises(ValueError, match="another one is running"), command._alone("skatgame.net", "ann"):
            raise AssertionError
        with command._alone("skatgame.net", "ben"), command._alone("localhost", "ann"):
            pass
    with command._alone("skatgame.net", "ann"):
        pass


@pytest.mark.process
def test_a_lock_is_dropped_when_its_process_ends(folder: Path) -> None:
    program = (
        "import sys; from othello_bot.base import posix; held = posix.sole_holder('lock'); held.__enter__();"
        "print('held', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"held\n"
    with posix.sole_holder("lock") as held:
        assert not held
    child.kill()
    child.wait()
    with posix.sole_holder("lock") as held:
        assert held


def test_the_log_rotates(folder: Path) -> None:
    log = Log(folder / "ggs.log", file_bytes=2000)
    log.sent(Password("hunter2"))
    for number in range(500):
        log.received((f"line {number} \ud800",))
    log.close()
    files = sorted(folder.glob("ggs.log*"))
    assert len(files) == FILES + 1 and all(file.stat().st_size <= 2000 for file in files)
    assert "line 499" in (folder / "ggs.log").read_text() and "hunter2" not in "".join(map(Path.read_text, files))


@pytest.mark.process
def test_a_server_that_cannot_be_reached_is_tried_again_until_ctrl_c(folder: Path) -> None:
    environment = {**os.environ, command.PASSWORD_VARIABLE: "hunter2"}
    words = ("ggs", "--login", "ann", "--host", "127.0.0.1", "--port", "1", "--hash", "1", "--log", "log")
    process = subprocess.Popen(
        [sys.executable, "-m", "othello_bot", *words], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert "127.0.0.1:1 cannot be reached" in first and "trying again in 2 s" in first
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 0 and "hunter2" not in first + rest + (folder / "log").read_text()
    assert list(ggf.FORMAT.records((folder / "ggs-ann.ggf").read_text())) == []
