"""Cassio's ENGINE-PROTOCOL: a stateless analysis service for scripts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from othello_bot.base.notation import Board
from othello_bot.base.version import __version__
from othello_bot.engine import SearchRequest, Steps, TextbookPlayer, limits_requested
from othello_bot.protocol import cassio
from othello_bot.protocol.cassio import Bye, CassioError, Failure, Ok, Ready, Result, SearchInfos, Version
from othello_bot.protocol.wire import Line
from othello_bot.rules import Position
from othello_bot.session import Job, Outcome, Output, Session, bounds

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


@dataclass(frozen=True, slots=True)
class Answer:
    """How a line is answered; `overtakes`, `stops` and `quits` are explained in `Job`.

    `handler` takes the dialect and the command. `searching` is the answer to give instead while a search runs.
    """

    handler: Callable[[CassioDialect, Any], Outcome]
    searching: Callable[[CassioDialect], str] | None = None
    overtakes: bool = False
    stops: bool = False
    quits: bool = False


class CassioJob(Job):
    """One line that is being answered."""

    def __init__(self, dialect: CassioDialect, command: cassio.Command, asked_at_s: float) -> None:
        super().__init__(asked_at_s)
        self._dialect = dialect
        self._command = command
        self._answer = ANSWERS[type(command)]
        self.stops = self._answer.stops
        self.quits = self._answer.quits
        self.overtakes = self._answer.overtakes

    def run(self) -> Outcome:
        """Execute the command; the answer is its last line or lines."""
        if self._answer.searching is not None and self._dialect.session.engine.searching:
            return self._answer.searching(self._dialect)
        return self._answer.handler(self._dialect, self._command)

    def succeed(self, text: str) -> None:
        """Write the answer."""
        if text:
            self._dialect.output.line(text)

    def fail(self, error: ValueError) -> None:
        """Write what is wrong."""
        self._dialect.output.line(f"{Failure(str(error))}\n{Ready()}")


class _Unreadable(CassioJob):
    """A line that is not a command, answered in its turn."""

    def __init__(self, dialect: CassioDialect, error: CassioError, asked_at_s: float) -> None:
        super().__init__(dialect, cassio.NewPosition(), asked_at_s)
        self._error = error

    def run(self) -> Outcome:
        raise self._error


class CassioDialect:
    """The dialect of one session; it does not touch the session's game."""

    def __init__(self, session: Session, output: Output) -> None:
        self.session = session
        self.output = output
        self._began_s = 0.0
        self._nodes = 0

    def read(self, line: Line, asked_at_s: float) -> Job | None:
        """Return the job of a line; an empty line asks whether a search runs."""
        if line.overlong:
            error = CassioError(f"a line of {line.length} bytes is too long", line.text, "a shorter line")
            return _Unreadable(self, error, asked_at_s)
        try:
            return CassioJob(self, cassio.parse_command(line.text), asked_at_s)
        except CassioError as error:
            return _Unreadable(self, error, asked_at_s)

    def when_idle(self) -> None:
        """Do nothing: this dialect has no game to think ahead in."""

    def infos(self) -> SearchInfos:
        """Return the progress of the running search, as last reported."""
        return SearchInfos(self._nodes, time.monotonic() - self._began_s)

    def version(self) -> str:
        """Answer with the engine's name and version."""
        return f"{Version(f'{self.session.engine.options.name} {__version__}')}\n{Ready()}"

    def forget(self) -> str:
        """Clear the transposition table."""
        self.session.engine.clear()
        return str(Ready())

    def search(self, asked: cassio.Search) -> Steps[str]:
        """Search the position; write improving bounds during the search."""
        position = Position.from_board(asked.board)
        limits = limits_requested(position.empties, asked.depth, asked.alpha, asked.beta, asked.precision)
        if position.is_over:
            score = float(position.score())
            found = Result(asked.board, 64, 0, cassio.FULL_PRECISION, score, score)
            return f"{found}\n{Ready()}"
        self._began_s, self._nodes = time.monotonic(), 0

        def improved(result: SearchResult) -> None:
            self._nodes = result.nodes
            if result.lines:
                self.output.line(_result_line(asked.board, result))

        # A textbook player has a move but no score in discs, and the dialect can express that.
        player = self.session.engine.player
        chooser = player.chooser if isinstance(player, TextbookPlayer) and position.legal_bits else None
        result = yield SearchRequest(position, limits, improved, chooser=chooser)
        return f"{_result_line(asked.board, result)}\n{Ready()}"


def _result_line(board: Board, result: SearchResult) -> str:
    line = result.best
    lower, upper = bounds(line)
    return str(
        Result(board, line.move, line.depth, line.selectivity, lower, upper, line.pv, result.nodes, result.time_s)
    )


def _ready(dialect: CassioDialect, command: cassio.Command) -> str:
    return str(Ready())


ANSWERS: Mapping[type[cassio.Command], Answer] = {
    cassio.Init: Answer(_ready),
    cassio.GetVersion: Answer(lambda dialect, command: dialect.version()),
    cassio.NewPosition: Answer(_ready),
    cassio.EmptyHash: Answer(lambda dialect, command: dialect.forget()),
    cassio.Search: Answer(lambda dialect, command: dialect.search(command)),
    cassio.FeedHash: Answer(_ready),
    # The search that ends here reports that it is ready.
    cassio.Stop: Answer(_ready, searching=lambda dialect: "", overtakes=True, stops=True),
    cassio.GetSearchInfos: Answer(_ready, searching=lambda dialect: str(dialect.infos()), overtakes=True),
    cassio.Poll: Answer(_ready, searching=lambda dialect: str(Ok()), overtakes=True),
    cassio.Quit: Answer(lambda dialect, command: str(Bye()), quits=True),
}
"""Every command with its answer."""
