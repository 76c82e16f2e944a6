"""GTP 2 and the native session, which is GTP with more commands: lines to jobs, results to framed replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from othello_bot.base import notation
from othello_bot.base.errors import FormatError, did_you_mean, shown
from othello_bot.base.notation import NotationError, OutOfRange
from othello_bot.base.output import write_to_stderr
from othello_bot.base.visible import plain
from othello_bot.dialects.command_table import Call, Declaration, assemble, find, known_words
from othello_bot.dialects.commands.explore import EXPLORE
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
from othello_bot.protocol.wire import InputLine, strip_comment
from othello_bot.rules import Position, PositionError
from othello_bot.session import Answer, DialectAdapter, Job, Observer, Output, Session, refusal

if TYPE_CHECKING:
    from othello_bot.base.boards import PastedBoard

COMMANDS = assemble((SESSION, GAME, RECORD, FILES, TIME, SEARCH, EXPLORE, STREAM, KATA, GOGUI, GOGUI_ANALYZE))
"""All commands by name."""

SEAT_WORDS = ("side", "switch", "black", "white")
"""Commands of `othello-bot play` about who plays; a session chooses a move only when it is asked to."""

_UNREADABLE = (PositionError, FormatError, NotationError)
"""Errors that mean unreadable text, which GTP calls a syntax error. All other errors are reported in their own words.
"""


_CUT_OFF = GtpError("drawn board: expected 8 rows of 8 squares")


_INTERRUPT: Answer[GtpDialect] = Answer(lambda job: "", overtakes=True, stops=True)
"""GoGui's comment `# interrupt`: a stop without a reply."""


class GtpDialect(DialectAdapter):
    """The dialect of one session."""

    def __init__(self, session: Session, output: Output, *, interactive: bool = False) -> None:
        self.session = session
        self.output = output
        self.table: Mapping[str, Declaration] = COMMANDS
        self._interactive = interactive
        self._pasted: PastedBoard | None = None
        session.use_without(("contempt",))

    def read(self, line: InputLine, asked_at_s: float) -> Job[GtpDialect] | None:
        """Return the job of a line, None for an empty line and a comment."""
        if gtp.is_interrupt(line.text):
            return Job(self, None, _INTERRUPT, asked_at_s)
        was_open = self._pasted is not None and self._pasted.is_open
        name = line.text.split(maxsplit=1)[:1]
        is_command = name and find(self.table, plain(name[0])) and " to move" not in line.text
        if not is_command:
            pasted = self._with_row(line.text)
            if pasted is not None:
                return self._board(pasted, asked_at_s)
        self._pasted = None
        if was_open:
            self.fail(Job(self, Command(""), refusal(_CUT_OFF), asked_at_s), _CUT_OFF)
        try:
            command = gtp.parse_line(line)
        except GtpError as error:
            return Job(self, Command("", id=error.id), refusal(error), asked_at_s)
        if command is None:
            return None
        declaration = find(self.table, plain(command.name))
        if declaration is None:
            # `f5` or a transcript stands for `play f5`.
            from othello_bot.formats.transcripts import moves_to_play  # imported here: hosts never need it

            text = strip_comment(line.text).strip().removeprefix(command.id or "").strip()
            try:
                moves = moves_to_play(text, self.session.position)
            except notation.TranscriptError as error:
                reason = error if error.begins_as_moves else self.unknown(command.name)
                return Job(self, command, refusal(reason), asked_at_s)
            played = notation.format_transcript(moves, separator=" ")
            command, declaration = Command("play", tuple(played.split()), command.id, played), self.table["play"]
        return Call(self, replace(command, name=declaration.name), declaration, asked_at_s)

    def _with_row(self, row: str) -> PastedBoard | None:
        """Return the board that is being pasted with one more row; None if the row belongs to none."""
        if self._pasted is None:
            from othello_bot.base.boards import PastedBoard  # imported here: hosts draw no boards

            self._pasted = PastedBoard()
        return self._pasted if self._pasted.add(row) else None

    def _board(self, pasted: PastedBoard, asked_at_s: float) -> Job[GtpDialect] | None:
        """Return the job that sets up a board that was pasted row by row; None while rows are missing."""
        try:
            board = pasted.board()
        except notation.NotationError as error:
            self._pasted = None
            return Job(self, Command(""), refusal(error), asked_at_s)
        if board is None:
            return None
        cells, color = str(board).split()
        return Call(
            self, Command("setposition", (cells, color), None, str(board)), self.table["setposition"], asked_at_s
        )

    def succeed(self, job: Job[Any], text: str) -> None:
        """Write the reply, or the rest of an open one; a comment has none."""
        if job.reply_open:
            self.output.write(gtp.stream_line(text) + gtp.close_stream())
        elif job.command is not None:
            self.output.write(self.framed(text, job.command.id))

    def fail(self, job: Job[Any], error: ValueError) -> None:
        """Write the failure; in an open reply its text is the last line."""
        message = failure_text(error)
        if job.reply_open:
            self.output.write(gtp.stream_line(message) + gtp.close_stream())
        else:
            self.output.write(gtp.failure(message, job.command.id))

    def observer(self, job: Job[Any], position: Position) -> Observer | None:
        """Return an observer that draws on GoGui's board, if the board shows the searched position."""
        session = self.session
        if not session.draws_live or not session.engine.options.live_graphics or position != session.position:
            return None
        return lambda result: write_to_stderr(gogui.live_graphics(live_search(position, result)))

    def prepare(self) -> None:
        """Load what the next move needs."""
        self.session.prepare()

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
        """Return the refusal of an unknown command, with what may have been meant."""
        options = [f", did you mean setoption {option.name}?" for option in OPTIONS if option.name == name.lower()]
        suggestion = options[0] if options else did_you_mean(name, known_words(self.table))
        if name.lower() in SEAT_WORDS:
            suggestion = "; `othello-bot play` has seats, here `go` plays a move for the side to move"
        return GtpError(gtp.error_text(gtp.UNKNOWN_COMMAND, f"{shown(name)}{suggestion}"))


def failure_text(error: ValueError) -> str:
    """Return the text of a refusal: a standard error text, and the reason."""
    if isinstance(error, GtpError):
        return error.message
    if isinstance(error, _UNREADABLE) and not isinstance(error, OutOfRange):
        return gtp.error_text(gtp.SYNTAX_ERROR, str(error))
    return str(error)
