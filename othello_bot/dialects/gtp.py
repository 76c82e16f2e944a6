"""GTP 2 and the native session, which is GTP with more commands: lines to jobs, results to framed replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from othello_bot.base import notation
from othello_bot.base.errors import FormatError, shown
from othello_bot.base.notation import NotationError, OutOfRange
from othello_bot.base.output import write_to_stderr
from othello_bot.dialects.command_table import Call, Declaration, assemble, find
from othello_bot.dialects.commands.game import GAME
from othello_bot.dialects.commands.gogui import GOGUI, GOGUI_ANALYZE, live_search
from othello_bot.dialects.commands.kata import KATA, STREAM
from othello_bot.dialects.commands.record import FILES, RECORD
from othello_bot.dialects.commands.search import SEARCH
from othello_bot.dialects.commands.session import SESSION
from othello_bot.dialects.commands.time import TIME
from othello_bot.engine import OPTIONS
from othello_bot.protocol import gogui, gtp
from othello_bot.protocol.gtp import Command, GtpError
from othello_bot.protocol.wire import Line
from othello_bot.rules import Position, PositionError
from othello_bot.session import Job, Observer, Outcome, Output, Session

COMMANDS = assemble((SESSION, GAME, RECORD, FILES, TIME, SEARCH, STREAM, KATA, GOGUI, GOGUI_ANALYZE))
"""All commands by name."""

_UNREADABLE = (PositionError, FormatError, NotationError)
"""Errors that mean unreadable text, which GTP calls a syntax error. All other errors are reported in their own words.
"""


class GtpCall(Call):
    """One GTP command that is being answered."""

    def __init__(self, dialect: GtpDialect, command: Command, asked_at_s: float) -> None:
        super().__init__(dialect.session, command, dialect.table, asked_at_s)
        self._dialect = dialect

    def run(self) -> Outcome:
        """Execute the command."""
        if self._declaration is None:
            raise self._dialect.unknown(self.command.name)
        return self._declaration.handler(self)

    def observer(self, position: Position) -> Observer | None:
        """Return an observer that draws on GoGui's board, if the board shows the searched position."""
        session = self.session
        if not session.draws_live or not session.engine.options.live_graphics or position != session.position:
            return None
        return lambda result: write_to_stderr(gogui.live_graphics(live_search(position, result)))

    def open_stream(self) -> None:
        """Begin the reply now; its lines follow one by one with `stream`."""
        self.reply_open = True
        self._dialect.output.write(gtp.open_stream(self.command.id))

    def stream(self, text: str) -> None:
        """Write one line of an open reply."""
        self._dialect.output.write(gtp.stream_line(text))

    def succeed(self, text: str) -> None:
        """Write the reply, or the rest of an open one."""
        if self.reply_open:
            self._dialect.output.write(gtp.stream_line(text) + gtp.close_stream())
        else:
            self._dialect.output.write(self._dialect.framed(text, self.command.id))

    def fail(self, error: ValueError) -> None:
        """Write the failure; in an open reply its text is the last line."""
        message = failure_text(error)
        if self.reply_open:
            self._dialect.output.write(gtp.stream_line(message) + gtp.close_stream())
        else:
            self._dialect.output.write(gtp.failure(message, self.command.id))


class _Unreadable(GtpCall):
    """A line that is not a command, answered in its turn like one."""

    def __init__(self, dialect: GtpDialect, error: GtpError, asked_at_s: float) -> None:
        super().__init__(dialect, Command("", id=error.id), asked_at_s)
        self._error = error

    def run(self) -> Outcome:
        raise self._error


class _Interrupt(Job):
    """GoGui's comment `# interrupt`: a stop without a reply."""

    overtakes = True
    stops = True

    def run(self) -> Outcome:
        return ""

    def succeed(self, text: str) -> None:
        """Do nothing: a comment is not answered."""

    def fail(self, error: ValueError) -> None:
        """Do nothing: a comment is not answered."""


class GtpDialect:
    """The dialect of one session."""

    def __init__(self, session: Session, output: Output, *, interactive: bool = False) -> None:
        self.session = session
        self.output = output
        self.table: Mapping[str, Declaration] = COMMANDS
        self._interactive = interactive

    def read(self, line: Line, asked_at_s: float) -> Job | None:
        """Return the job of a line, None for an empty line and a comment."""
        if gtp.is_interrupt(line.text):
            return _Interrupt(asked_at_s)
        try:
            command = gtp.parse_line(line)
        except GtpError as error:
            return _Unreadable(self, error, asked_at_s)
        if command is None:
            return None
        return GtpCall(self, self._understood(command), asked_at_s)

    def when_idle(self) -> None:
        """Think ahead, if that is on."""
        self.session.when_idle()

    def framed(self, text: str, identity: str | None) -> str:
        """Return a success reply; on a terminal, keep the colours of a drawn board."""
        if not self._interactive or "\033" not in text:
            return gtp.success(text, identity)
        board = text.removeprefix("\n")
        return f"{gtp.open_stream(identity)}{board}\n\n"

    def unknown(self, name: str) -> GtpError:
        """Return the refusal of an unknown command, on a terminal with a suggestion."""
        what = shown(name)
        close = []
        if self._interactive:
            import difflib  # imported here: a session starts without it

            options = [f"setoption {option.name}" for option in OPTIONS if option.name == name.lower()]
            close = options or difflib.get_close_matches(name, self.table, n=1)
        reason = f"{what}, did you mean {close[0]}?" if close else what
        return GtpError(gtp.error_text(gtp.UNKNOWN_COMMAND, reason))

    def _understood(self, command: Command) -> Command:
        """Return the command under its main name: `go` stands for `genmove`, `f5` or a transcript for `play f5`."""
        declaration = find(self.table, command.name)
        if declaration is not None:
            return replace(command, name=declaration.name)
        text = f"{command.name} {command.text}".strip()
        try:
            moves = notation.parse_transcript(text)
        except notation.NotationError:
            return command
        return Command("play", tuple(text.split()), command.id, text) if moves else command


def failure_text(error: ValueError) -> str:
    """Return the text of a refusal: a standard error text, and the reason."""
    if isinstance(error, GtpError):
        return error.message
    if isinstance(error, _UNREADABLE) and not isinstance(error, OutOfRange):
        return gtp.error_text(gtp.SYNTAX_ERROR, str(error))
    return str(error)
