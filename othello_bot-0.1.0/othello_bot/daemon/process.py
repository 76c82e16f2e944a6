"""The process around a session: input and output, threads, signals, and the exit.

However the session ends (end of input, `quit`, a signal, a closed output), the search stops and its thread ends before
the process exits.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from othello_bot.base import posix
from othello_bot.base.clocks import Clocks, TimeControl
from othello_bot.base.output import report
from othello_bot.dialects.choice import EDAX, AnyDialect, make
from othello_bot.engine import Engine, Options
from othello_bot.protocol.wire import InputLine, LineReader, LineWriter, claim_stdout
from othello_bot.session import CommandLoop, Event, Inbox, InputEnded, LineArrived, Output, OutputFailed, Session

if TYPE_CHECKING:
    from othello_bot.dialects.edax import Console

SIGNALLED = 128
"""Exit code, plus the signal's number, of a process that a signal ended, as in shells."""

PATIENCE_S = 3.0
"""Seconds that shutting down after a signal may take. It takes milliseconds unless the signal arrived while a lock was
taken.
"""


class Terminated(SystemExit):
    """A signal requested the end of the process."""


LOOK_S = 0.25
"""Seconds between two checks whether the output still has a reader, once the input has ended."""


class PipeSource:
    """Events from the reader's thread and from the search, in order of arrival.

    After the end of input, a search may still run. If its answer no longer has a reader, for example because the host
    died, that counts as a failed output, so that no search is left behind.
    """

    def __init__(self, inbox: Inbox, writer: LineWriter) -> None:
        self._inbox = inbox
        self._writer = writer
        self._input_ended = False

    def next_event(self, busy: bool, timeout_s: float | None) -> Event | None:
        """Return the next event; None if there is none within the timeout."""
        if self._input_ended:
            timeout_s = LOOK_S if timeout_s is None else min(LOOK_S, timeout_s)
        event = self._inbox.get(timeout_s)
        if event is None and self._input_ended and self._writer.reader_is_gone():
            return OutputFailed()
        self._input_ended = self._input_ended or isinstance(event, InputEnded)
        return event


def run(
    protocol: str | None, options: Options, control: TimeControl | None = None, console: Console | None = None
) -> int:
    """Run a session on standard input and output until it ends; return the exit code.

    `control` sets the clock of each side, as `time_settings` does. `console` is for the protocol `edax`.

    The exit code is 0 after `quit`, the end of input, or the loss of the reader; 1 if reading or writing failed for
    another reason; and 128 plus the signal's number after SIGTERM or SIGINT.
    """
    end_on_signals(PATIENCE_S)
    _open_missing_descriptors()
    interactive = protocol in (None, "native") and os.isatty(0) and os.isatty(1)
    inbox = Inbox()
    problems: list[OSError] = []

    def output_failed(problem: OSError) -> None:
        problems.append(problem)
        inbox.put(OutputFailed())

    writer = _screen(output_failed) if interactive else LineWriter(claim_stdout(), output_failed)
    try:
        with Engine(options) as engine:
            session = Session(engine)
            if control is not None:
                session.clocks = Clocks.start(control.settings)
            try:
                readable = _converse(session, writer, inbox, protocol, interactive, console)
            finally:
                session.traffic.close()
        return _exit_code(problems) or int(not readable)
    except Exception:
        # A signal may interrupt Python's own locks and threads between two steps; their error then hides it.
        if not _received:
            raise
        raise Terminated(SIGNALLED + _received[0]) from None
    finally:
        _ignore_signals()


def _converse(
    session: Session,
    writer: LineWriter,
    inbox: Inbox,
    protocol: str | None,
    interactive: bool,
    console: Console | None,
) -> bool:
    """Hold the conversation; return False if the input could not be read."""
    output = Output(writer, session.traffic)
    if interactive:
        _converse_with_person(session, writer, output, inbox)
        return True
    forced = None if protocol is None else make(protocol, session, output, console=console)
    if protocol == EDAX:
        inbox.put(LineArrived(InputLine("", 0), time.monotonic()))  # it shows the board, and may move, before it reads
    unreadable: list[OSError] = []

    def input_ended(problem: BaseException | None) -> None:
        if isinstance(problem, OSError):
            unreadable.append(problem)
            problem = None
        inbox.put(InputEnded(problem))

    LineReader(0, lambda line: inbox.put(LineArrived(line, time.monotonic())), input_ended).start()
    CommandLoop(lambda: session.engine, AnyDialect(session, output, forced), inbox, PipeSource(inbox, writer)).run()
    if unreadable:
        report(f"cannot read the input: {unreadable[0].strerror}")
    return not unreadable


def _screen(output_failed: Callable[[OSError], None]) -> LineWriter:
    from othello_bot.terminal.picture import look_of  # imported here and below: a pipe needs no terminal
    from othello_bot.terminal.screen import Screen

    # Readline draws the prompt and the edited line on descriptor 1 itself.
    return Screen(1, look_of(sys.stdout), output_failed)


def _converse_with_person(session: Session, writer: LineWriter, output: Output, inbox: Inbox) -> None:
    from othello_bot.dialects.completion import session_completion
    from othello_bot.terminal.keyboard import Keyboard
    from othello_bot.terminal.screen import Screen
    from othello_bot.terminal.source import SessionSource

    assert isinstance(writer, Screen)
    dialect = AnyDialect(session, output, interactive=True)
    with (
        Keyboard(writer, session_completion(session), lambda: dialect.for_people, keeps_history=True) as keyboard,
        SessionSource(inbox, session, keyboard, lambda: dialect.for_people) as source,
    ):
        CommandLoop(lambda: session.engine, dialect, inbox, source, observer=source).run()


def _exit_code(problems: list[OSError]) -> int:
    """Return the exit code after the output failed with these errors, or with none."""
    if not problems or problems[0].errno == errno.EPIPE:
        return 0
    report(f"cannot write: {problems[0].strerror}")
    return 1


_received: list[int] = []


def end_on_signals(patience_s: float | None = None) -> None:
    """Make SIGTERM and SIGINT end the process by `Terminated`, raised in the main thread, without a traceback.

    If shutting down takes longer than `patience_s`, the process ends immediately.
    """

    def terminate(number: int, frame: FrameType | None) -> None:
        _ignore_signals()  # a second signal must not disturb the shutdown
        _received.append(number)
        if patience_s is not None:
            posix.call_after(patience_s, _give_up)
        raise Terminated(SIGNALLED + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, terminate)


def _ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def _give_up() -> None:
    os._exit(SIGNALLED + _received[0])


def _open_missing_descriptors() -> None:
    """Open /dev/null for a missing standard input, output or error; otherwise another file would take its place."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 - lives as long as the process
