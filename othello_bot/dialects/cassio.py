"""Cassio's ENGINE-PROTOCOL: a stateless analysis service for scripts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from othello_bot.dialects.stateless import stateless_search
from othello_bot.engine import SearchRequest
from othello_bot.files import Output
from othello_bot.session import Job, Outcome, Session, Steps, bounds
from othello_bot.version import __version__
from protocol import cassio
from protocol.cassio import Bye, CassioError, Failure, Ok, Ready, Result, SearchInfos, Version, format_response
from protocol.notation import Board
from protocol.wire import Line

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


class CassioJob(Job):
    """One line on its way to its answer."""

    def __init__(self, dialect: CassioDialect, command: cassio.Command, asked_at_s: float) -> None:
        super().__init__(asked_at_s)
        self._dialect = dialect
        self._command = command
        self.stops = isinstance(command, cassio.Stop)
        self.quits = isinstance(command, cassio.Quit)
        self.overtakes = isinstance(command, (cassio.Stop, cassio.Poll, cassio.GetSearchInfos))

    def run(self) -> Outcome:
        """Carry the command out; the answer is the line, or lines, that end it."""
        command, session = self._command, self._dialect.session
        ready = format_response(Ready())
        searching = session.engine.searching
        if isinstance(command, cassio.Search):
            return self._dialect.search(command)
        if isinstance(command, cassio.GetVersion):
            name = f"{session.engine.options.name} {__version__}"
            return f"{format_response(Version(name))}\n{ready}"
        if isinstance(command, cassio.EmptyHash):
            session.engine.clear()
        elif isinstance(command, cassio.Poll) and searching:
            return format_response(Ok())
        elif isinstance(command, cassio.Stop) and searching:
            return ""  # the search that ends here says that it is ready
        elif isinstance(command, cassio.GetSearchInfos) and searching:
            return format_response(self._dialect.infos())
        elif isinstance(command, cassio.Quit):
            return format_response(Bye())
        return ready

    def succeed(self, text: str) -> None:
        """Write the answer."""
        if text:
            self._dialect.output.line(text)

    def fail(self, error: ValueError) -> None:
        """Write what was wrong."""
        self._dialect.output.line(f"{format_response(Failure(str(error)))}\n{format_response(Ready())}")


class _Unreadable(CassioJob):
    """A line that is no command: answered in its turn."""

    def __init__(self, dialect: CassioDialect, error: CassioError, asked_at_s: float) -> None:
        super().__init__(dialect, cassio.NewPosition(), asked_at_s)
        self._error = error

    def run(self) -> Outcome:
        raise self._error


class CassioDialect:
    """The dialect of one session; the session's game is not touched."""

    def __init__(self, session: Session, output: Output) -> None:
        self.session = session
        self.output = output
        self._began_s = 0.0
        self._nodes = 0

    def read(self, line: Line, asked_at_s: float) -> Job | None:
        """The job that a line asks for; an empty one asks whether a search runs."""
        if line.overlong:
            error = CassioError(f"a line of {line.length} bytes is too long", line.text, "a shorter line")
            return _Unreadable(self, error, asked_at_s)
        try:
            return CassioJob(self, cassio.parse_command(line.text), asked_at_s)
        except CassioError as error:
            return _Unreadable(self, error, asked_at_s)

    def when_idle(self) -> None:
        """Nothing: this dialect has no game to think ahead in."""

    def infos(self) -> SearchInfos:
        """How far the running search is, as last reported."""
        return SearchInfos(self._nodes, time.monotonic() - self._began_s)

    def search(self, asked: cassio.Search) -> Steps:
        """Search the position; improving bounds are written on the way."""
        position, limits = stateless_search(asked)
        ready = format_response(Ready())
        if position.is_over:
            score = float(position.score())
            found = Result(asked.board, 64, 0, cassio.FULL_PRECISION, score, score)
            return f"{format_response(found)}\n{ready}"
        self._began_s, self._nodes = time.monotonic(), 0

        def improved(result: SearchResult) -> None:
            self._nodes = result.nodes
            if result.lines:
                self.output.line(_result_line(asked.board, result))

        # A textbook player has a move but no score in discs; the dialect can say just that.
        chooser = self.session.textbook_player() if position.legal_bits else None
        result = yield SearchRequest(position, limits, improved, chooser=chooser)
        return f"{_result_line(asked.board, result)}\n{ready}"


def _result_line(board: Board, result: SearchResult) -> str:
    line = result.best
    lower, upper = bounds(line)
    return format_response(
        Result(board, line.move, line.depth, line.selectivity, lower, upper, line.pv, result.nodes, result.time_s)
    )
