"""The password: sent once a connection, and in no log, message or trace, whatever the server sends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from othello_bot.ggs import command
from othello_bot.ggs.client import LoginRefused
from othello_bot.protocol.ggs import LONGEST_LINE
from othello_bot.protocol.ggs_commands import MASK, Password
from tests.ggs.fake_server import FakeServer
from tests.ggs.playing import PlayingClient, running, until

PASSWORD = "Hunter2"


@pytest.mark.parametrize(
    ("secret", "text"),
    (
        ("Hunter2", ": +ack:  Hunter2 => HUNTER2"),
        ("Hunter2", "xhunter2y"),
        ("Hunter2", "HUN\nTER2"),
        ("Hunter2", "|hunt  \n| er2 too"),
        ("a.b*c", "say a.b*c"),
        ("my  secret ", "My secret"),
        ("grün", "gr\ufffdn gr\xc3\xbcn GRÜN gr\\xfcn"),
        ("a\\b'c", repr("a\\b'c\"")),
        ("straße", "STRASSE"),
        ("password", "(password)"),
        ("x" * 200, "X" * 200),
    ),
)
def test_a_text_is_shown_without_the_password(secret: str, text: str) -> None:
    hidden = Password(secret).hide(text)
    assert MASK in hidden and not any(part in hidden.lower() for part in (secret.lower(), "hunter", "hun", "er2", "gr"))


def test_the_beginning_of_a_password_at_the_end_of_a_cut_line() -> None:
    hidden = Password(PASSWORD).hide("." * (LONGEST_LINE - 4) + "hunt")
    assert "hunt" not in hidden and hidden.endswith(MASK)


def test_other_texts_stay() -> None:
    assert Password(PASSWORD).hide("ann hunts 2 wolves\nsecond line") == "ann hunts 2 wolves\nsecond line"
    assert Password("  ").hide("a  b") == "a  b"


ECHOES = (
    "\n: +ack:  hunter2 => hunter2\nREADY\n",
    "\n/os: accept ERR not found: HUNTER2\nREADY\n",
    "\n/os: look\n|1 (;GM[Othello]PB[hunter2]hunter2\nREADY\n",
    "\n/os: play ERR hun\x1b[0mter2\nREADY\n",
    "\nben: is it hun\n|ter2 ?\nREADY\n",
    "\n/os: timeout .5 hunter2 (*)\nREADY\n",
    "\n/os: + match .77 1720 ann 1720 hunter2 8b R\nREADY\n",
)


@pytest.mark.parametrize("pieces", (0, 3))
def test_an_echo_is_in_no_log_and_no_message(tmp_path: Path, pieces: int) -> None:
    async def match() -> None:
        async with FakeServer(password=PASSWORD) as server:
            server.faults.pieces = pieces
            ann = PlayingClient("ann", server, tmp_path, password=PASSWORD)
            async with running(ann):
                await until(lambda: any("history" in line for _, line in server.received))
                for text in ECHOES:
                    server._write("ann", text)
                server._write("ann", "\nben: the end\nREADY\n")
                await until(lambda: any("tell ben" in line for _, line in server.received))
                await until(lambda: "the end" in (tmp_path / "ann.log").read_text())
                await asyncio.sleep(0.1)
            told = "\n".join((*ann.reports, *ann.statuses, (tmp_path / "ann.log").read_text())).lower()
            assert "not found" in told and MASK in told
            assert not any(part in told for part in ("hunter", "ter2"))

    asyncio.run(asyncio.wait_for(match(), 60.0))


def test_it_is_sent_once_a_connection(tmp_path: Path) -> None:
    async def match() -> None:
        async with FakeServer(password=PASSWORD) as server:
            ann = PlayingClient("ann", server, tmp_path, password=PASSWORD)
            async with running(ann):
                await until(lambda: any("history" in line for _, line in server.received))
                server._write("ann", "\n: Enter your password.\n: who\n: Enter your password.\nREADY\n")
                server._write("ann", "\nben: hello\nREADY\n")
                await until(lambda: any("tell ben" in line for _, line in server.received))
                assert not any(PASSWORD in line for _, line in server.received)
                server.cut("ann")
                await until(lambda: server.connections == 2 and "ann" in server.writers)

    asyncio.run(asyncio.wait_for(match(), 60.0))


def test_a_server_that_asks_again_at_once_refuses(tmp_path: Path) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b": Enter login (yours, or one you'd like to use).\n")
        await reader.readline()
        for _ in range(2):
            writer.write(b"that is wrong\n: Enter your password.\n")
            await reader.readline()
        writer.close()

    async def attempt() -> None:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening, FakeServer() as server:
            server._server, kept = listening, server._server
            ann = PlayingClient("ann", server, tmp_path, password=PASSWORD)
            with pytest.raises(LoginRefused, match="ann"):
                await ann.runner.run()
            ann.log.close()
            server._server = kept

    asyncio.run(asyncio.wait_for(attempt(), 60.0))


def test_a_fault_of_the_program_shows_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(*_: object) -> int:
        raise KeyError(f"the server said {PASSWORD.upper()} and hun\nter2")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(command.PASSWORD_VARIABLE, PASSWORD)
    monkeypatch.setattr(command, "_play", broken)
    from othello_bot import cli

    assert cli.main(["ggs", "--login", "ann"]) == 1
    error = capsys.readouterr().err
    assert "Traceback" in error and "KeyError" in error and MASK in error and "hunter2" not in error.lower()
