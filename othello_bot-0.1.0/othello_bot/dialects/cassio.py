"""Cassio's ENGINE-PROTOCOL: a stateless analysis service for scripts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from othello_bot.base.notation import Board
from othello_bot.base.version import __version__
from othello_bot.engine import SearchRequest, Steps, TextbookPlayer
from othello_bot.protocol import cassio
from othello_bot.protocol.cassio import Bye, CassioError, ErrorReply, Ok, Ready, Result, SearchInfos, Version
from othello_bot.protocol.wire import InputLine
from othello_bot.rules import Position
from othello_bot.session import Answer, DialectAdapter, Job, Output, Session, bounds, refusal

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


WITHOUT_EFFECT = (
    "strength",
    "ponder",
    "variety",
    "book",
    "book_randomness",
    "book_loss",
    "book_depth",
    "book_avoid",
    "book_file",
    "base_file",
    "selectivity",
    "contempt",
    "live_graphics",
)
"""Options that mean nothing here: there is no game, and every request names its precision."""


class CassioDialect(DialectAdapter):
    """The dialect of one session; it does not touch the session's game."""

    def __init__(self, session: Session, output: Output) -> None:
        self.session = session
        self.output = output
        self._began_s = 0.0
        self._nodes = 0
        session.use_without(WITHOUT_EFFECT, clocks=True)

    def read(self, line: InputLine, asked_at_s: float) -> Job[CassioDialect]:
        """Return the job of a line; an empty line asks whether a search runs."""
        try:
            if line.overlong:
                raise CassioError(f"a line of {line.length} bytes is too long", line.text, "a shorter line")
            command = cassio.parse_command(line.text)
        except CassioError as error:
            return Job(self, None, refusal(error), asked_at_s)
        return Job(self, command, ANSWERS[type(command)], asked_at_s)

    def succeed(self, job: Job[Any], text: str) -> None:
        """Write the answer."""
        if text:
            self.output.line(text)

    def fail(self, job: Job[Any], error: ValueError) -> None:
        """Write what is wrong."""
        self.output.line(f"{ErrorReply(str(error))}\n{Ready()}")

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

    def search(self, asked: cassio.SearchCommand) -> Steps[str]:
        """Search the position; write improving bounds during the search."""
        position = Position.from_board(asked.board)
        limits = self.session.requested_limits(position.empties, asked.depth, asked.alpha, asked.beta, asked.precision)
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


def _ready(job: Job[CassioDialect]) -> str:
    return str(Ready())


def _while_searching(told: Callable[[CassioDialect], str]) -> Callable[[Job[CassioDialect]], str]:
    """Return a handler that gives this answer while a search runs, and otherwise says that the engine is ready."""
    return lambda job: told(job.dialect) if job.dialect.session.engine.searching else _ready(job)


ANSWERS: Mapping[type[cassio.Command], Answer[CassioDialect]] = {
    cassio.Init: Answer(_ready),
    cassio.GetVersion: Answer(lambda job: job.dialect.version()),
    cassio.NewPosition: Answer(_ready),
    cassio.EmptyHash: Answer(lambda job: job.dialect.forget()),
    cassio.SearchCommand: Answer(lambda job: job.dialect.search(job.command)),
    cassio.FeedHash: Answer(_ready),
    # The search that ends here reports that it is ready.
    cassio.Stop: Answer(_while_searching(lambda dialect: ""), overtakes=True, stops=True),
    cassio.GetSearchInfos: Answer(_while_searching(lambda dialect: str(dialect.infos())), overtakes=True),
    cassio.Poll: Answer(_while_searching(lambda dialect: str(Ok())), overtakes=True),
    cassio.Quit: Answer(lambda job: str(Bye()), stops=True, quits=True),
}
"""Every command with its answer."""
