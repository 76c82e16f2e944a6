"""A session on a terminal: prompt, editing, history, completion, the drawn board, suggestions."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from othello_bot.rules.position import Position
from othello_bot.terminal.prompt import PROMPT, draw, draw_plain
from tests.session.harness import COMMAND, TIMEOUT_S

UP, TAB = "\x1b[A", "\t"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[pexpect.spawn]:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm", "COLUMNS": "120"}
    environment.pop("NO_COLOR", None)
    child = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], "--option", "hash=1"],
        env=environment,
        timeout=TIMEOUT_S,
        encoding="utf-8",
        dimensions=(40, 120),
    )
    child.expect_exact(PROMPT)
    yield child
    child.close(force=True)


def ask(terminal: pexpect.spawn, line: str) -> str:
    terminal.sendline(line)
    terminal.expect_exact(PROMPT)
    return str(terminal.before)


def test_moves_and_the_drawn_board(terminal: pexpect.spawn) -> None:
    assert "=" in ask(terminal, "f5")
    board = ask(terminal, "showboard")
    assert board.count("●") == 5 and "\x1b[42m" in board and "white to move; black 4, white 1" in board
    ask(terminal, "play d6")
    assert "f5d6" in ask(terminal, "transcript")


def test_a_mistyped_command_is_answered_with_what_may_have_been_meant(terminal: pexpect.spawn) -> None:
    assert "did you mean showboard?" in ask(terminal, "shwboard")
    assert "? unknown command: 'xyzzy'" in ask(terminal, "xyzzy")


def test_completion_and_history(terminal: pexpect.spawn) -> None:
    terminal.send("protocol_v" + TAB)
    terminal.expect_exact("protocol_version ")
    terminal.sendline("")
    terminal.expect("= 2")
    terminal.expect_exact(PROMPT)
    terminal.sendline(UP)
    terminal.expect("= 2")
    terminal.expect_exact(PROMPT)
    terminal.send("getoption mov" + TAB)
    terminal.expect_exact("e_")
    terminal.sendline("time")
    terminal.expect("= 0")


def test_stop_can_be_typed_while_a_search_runs(terminal: pexpect.spawn) -> None:
    ask(terminal, "setoption book off")
    ask(terminal, "setoption level 60")
    terminal.sendline("genmove")
    terminal.sendline("stop")
    terminal.expect("= (d3|c4|f5|e6)")
    terminal.expect_exact(PROMPT)
    assert "black" not in ask(terminal, "gogui-rules_side_to_move")


def test_another_dialect_is_understood_on_a_terminal_too(terminal: pexpect.spawn) -> None:
    """Some programs drive engines through a pseudo terminal."""
    terminal.sendline("nboard 2")
    terminal.expect_exact("set myname othellobot")
    terminal.sendline("ping 4")
    terminal.expect_exact("pong 4")
    assert PROMPT not in terminal.before


def test_the_end_of_input_ends_the_session_and_keeps_the_history(terminal: pexpect.spawn, tmp_path: Path) -> None:
    ask(terminal, "name")
    terminal.sendeof()
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 0
    assert (tmp_path / "othello-bot" / "history").read_text().splitlines()[-1] == "name"


def test_quit_ends_the_session(terminal: pexpect.spawn) -> None:
    terminal.sendline("quit")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 0


@pytest.mark.parametrize("busy", [False, True])
def test_control_c_ends_the_session_without_a_trace(terminal: pexpect.spawn, busy: bool) -> None:
    if busy:
        ask(terminal, "setoption book off")
        ask(terminal, "setoption level 60")
        terminal.sendline("genmove")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 128 + signal.SIGINT
    assert "Traceback" not in terminal.before


def test_the_board_without_colour() -> None:
    text = draw_plain(Position.start())
    assert "\x1b" not in text and text.count("X") == 2 and text.count("O") == 2 and text.count("·") == 4


def test_both_drawings_show_the_same_board() -> None:
    position = Position.start().play(37)
    plain, coloured = draw_plain(position), draw(position)
    assert coloured.count("●") == plain.count("X") + plain.count("O")
    assert plain.split("\n")[-1] == coloured.split("\n")[-1]
