"""The line that tells how far a command is."""

from __future__ import annotations

import io
import itertools

from othello_bot.base.errors import counted
from othello_bot.base.output import ProgressLine


class Terminal(io.StringIO):
    """A text that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def line_on(stream: io.StringIO, step_s: float = 1.0) -> ProgressLine:
    """Return a line whose clock goes on by a step each time it is read."""
    times = itertools.count(0.0, step_s)
    return ProgressLine(stream, lambda: next(times))


def test_it_is_shown_on_a_terminal_only() -> None:
    for stream, shown in ((Terminal(), "\r7 games read\x1b[K\r\x1b[K"), (io.StringIO(), "")):
        line = line_on(stream)
        line.show("7 games read")
        line.clear()
        line.clear()
        assert stream.getvalue() == shown


def test_it_is_not_written_too_often() -> None:
    stream = Terminal()
    line = line_on(stream, 0.2)
    for number in range(6):
        line.show(str(number))
    assert stream.getvalue() == "\r2\x1b[K\r5\x1b[K"


def test_items_are_counted_and_all_there() -> None:
    stream = Terminal()
    assert list(line_on(stream).count("abc", lambda count: counted(count, "letter"))) == ["a", "b", "c"]
    assert stream.getvalue() == "\r1 letter\x1b[K\r2 letters\x1b[K\r3 letters\x1b[K\r\x1b[K"
