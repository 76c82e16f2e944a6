"""What a person types in a game, and what is answered: commands and moves in, plain lines out, without GTP's frames."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from othello_bot.base.errors import InputError, did_you_mean
from othello_bot.dialects.command_table import known_words
from othello_bot.dialects.gtp import GtpDialect
from othello_bot.play.commands import COMMANDS, PlayError
from othello_bot.play.session import PlayingSession
from othello_bot.protocol.gtp import GtpError
from othello_bot.protocol.wire import InputLine, LineWriter
from othello_bot.session import Answer, Job, JobOutcome, Output, refusal

if TYPE_CHECKING:
    from othello_bot.engine import Engine


class PlayDialect(GtpDialect):
    """The dialect of `othello-bot play`, and whose turn it is: a computer's move is due without a line."""

    session: PlayingSession

    def __init__(self, session: PlayingSession) -> None:
        super().__init__(session, Output(LineWriter(-1), session.traffic), interactive=True)
        self.table = COMMANDS

    def read(self, line: InputLine, asked_at_s: float) -> Job[Any] | None:
        """Return the job of a line; the session's commands search with the adviser's engine."""
        job = super().read(line, asked_at_s)
        if job is None or job.command is None:
            return job
        self.session.paused = False
        if job.answer.ends_on_input:
            job.answer = refusal(PlayError(job.command.name, job.command.text, "a number of moves, or nothing"))
        return job

    def due(self) -> Job[Any] | None:
        """Return the move of a computer, or the end of a game that nobody watches; see `PlayingSession.turn`."""
        computer = self.session.turn()
        if computer is not None:
            return Job(self, None, Answer(lambda job: self._computers_move(job, computer)), time.monotonic())
        if not self.session.goes_on:
            return Job(self, None, Answer(lambda job: "", quits=True), time.monotonic())
        return None

    def _computers_move(self, job: Job[Any], computer: Engine) -> JobOutcome:
        session = self.session
        choice = yield from computer.player.choose(session.game, computer.default_limits(session.clock()))
        session.made(choice.move)
        session.paused = job.interrupted and not session.seats.people
        return ""

    def succeed(self, job: Job[Any], text: str) -> None:
        """Show the answer, if there is one."""
        if text:
            self.session.terminal.tell(text.strip("\n"))

    def fail(self, job: Job[Any], error: ValueError) -> None:
        """Show why a line was refused."""
        self.session.terminal.tell(error.message if isinstance(error, GtpError) else str(error))

    def prepare(self) -> None:
        """Do nothing: the engines belong to the seats, and are made when they are needed."""

    def when_idle(self) -> None:
        """Do nothing: at the terminal the engine answers quickly enough without thinking ahead."""

    def unknown(self, name: str) -> InputError:  # type: ignore[override]
        """Return the refusal of a line that is neither a move nor a command."""
        close = did_you_mean(name, known_words(self.table))
        return PlayError("move", name, f"a move such as f5, or a command{close or '; help lists them'}")
