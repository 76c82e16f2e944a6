"""The line that tells how far a command is."""

from __future__ import annotations

import io
import itertools
import sys

import pytest

from othello_bot.base.errors import counted
from othello_bot.base.output import ProgressLine, progress_bar


class TerminalText(io.StringIO):
    """A text that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def line_on(stream: io.StringIO, step_s: float = 1.0) -> ProgressLine:
    """Return a line whose clock goes on by a step each time it is read."""
    times = itertools.count(0.0, step_s)
    return ProgressLine(stream, lambda: next(times))


def test_it_is_shown_on_a_terminal_only() -> None:
    for stream, shown in ((TerminalText(), "\r7 games read\x1b[K\r\x1b[K"), (io.StringIO(), "")):
        line = line_on(stream)
        line.show("7 games read")
        line.clear()
        line.clear()
        assert stream.getvalue() == shown


def test_it_is_not_written_too_often() -> None:
    stream = TerminalText()
    line = line_on(stream, 0.2)
    for number in range(6):
        line.show(str(number))
    assert stream.getvalue() == "\r2\x1b[K\r5\x1b[K"


def test_it_leaves_the_last_column_of_the_terminal_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    stream = TerminalText()
    line_on(stream).show("1234567890")
    assert stream.getvalue() == "\r123456...\x1b[K"


def test_items_are_counted_and_all_there() -> None:
    stream = TerminalText()
    assert list(line_on(stream).count("abc", lambda count: counted(count, "letter"))) == ["a", "b", "c"]
    assert stream.getvalue() == "\r1 letter\x1b[K\r2 letters\x1b[K\r3 letters\x1b[K\r\x1b[K"


def test_work_is_told_with_its_rate_and_the_time_that_is_left() -> None:
    stream = TerminalText()
    now_s = [0.0]
    line = ProgressLine(stream, lambda: now_s[0], "positions")
    now_s[0] = 10
    line.told(100, 1300)
    assert "100 of 1,300 positions, 0 a second\x1b" in stream.getvalue()
    now_s[0] = 20
    line.told(200, 1300)
    assert "200 of 1,300 positions, 10 a second, 1.8 min left\x1b" in stream.getvalue()
    line.told(1300, 1300)
    assert stream.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize("installed", [True, False])
def test_a_bar_is_drawn_with_and_without_tqdm(
    installed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not installed:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    told = progress_bar("positions")
    for done in (0, 40, 100):
        told(done, 100)
    shown = capsys.readouterr()
    assert shown.out == "" and ("100/100" in shown.err) is installed
