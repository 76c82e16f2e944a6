"""NBoard 2: the GUI's messages to jobs, results to the engine's messages.

NBoard merges our stderr into stdout; lines of `traffic.report` do not begin with a keyword of the protocol.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from othello_bot.base.clocks import Clocks, ClockState, PlayerClock, TimeSettings
from othello_bot.base.errors import FormatError, InputError, shown
from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.notation import PASS, Color
from othello_bot.base.output import report
from othello_bot.book import BookError, BookHeld, BookMove
from othello_bot.engine import CHAMPION, ENGINE_STRATEGY, MAXIMUM_LEVEL, ChosenBy, Limits, SearchRequest, Steps
from othello_bot.game import MoveNote
from othello_bot.protocol import nboard
from othello_bot.protocol.nboard import Analysis, Chosen, Learned, MyName, NodeStats, Pong, Response, SearchLine, Status
from othello_bot.protocol.nboard_values import Depth, NBoardError, parse_game
from othello_bot.protocol.wire import MAX_LINE_BYTES, InputLine
from othello_bot.rules import Game, Position
from othello_bot.session import Answer, DialectAdapter, Job, JobOutcome, Output, Session, refusal

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult

FULL_PRECISION = 100
"""Selectivity in percent of a search without selective pruning."""

LOWEST_CONTEMPT, HIGHEST_CONTEMPT = -199, 199
"""Limit of the option in hundredths of a disc: a draw is never worth as much as a win or a loss."""


def report_ignored(message: str, error: ValueError) -> None:
    """Report to stderr that a message was ignored, and why."""
    report(f"message ignored: {shown(message)}: {error}")


class NBoardDialect(DialectAdapter):
    """The dialect of one session."""

    def __init__(self, session: Session, output: Output) -> None:
        self.session = session
        self.output = output
        self.refusal = ""
        """Why the last game was refused; empty if there is a position."""
        self._level: int | None = None
        self._to_learn: list[Game] = []
        self._chosen: tuple[Position, int | None, ClockState, ClockState] | None = None
        """The position after the move just chosen, the expected reply, and the clocks, ours first; None at other times."""
        session.use_without(("live_graphics",), clocks=True)
        session.clocks = Clocks()

    def read(self, line: InputLine, asked_at_s: float) -> Job[NBoardDialect] | None:
        """Return the job of a message; unknown and damaged lines are ignored."""
        try:
            command = nboard.parse_command(line.text)
        except NBoardError as error:
            report_ignored(line.text, error)
            return None
        if line.overlong and not isinstance(command, nboard.SetGame):
            report(f"message ignored: a line of {line.length} bytes is too long")
            return None
        if command is None:
            return None
        answer = ANSWERS[type(command)]
        if line.overlong:
            answer = refusal(NBoardError(str(command), f"a line of at most {MAX_LINE_BYTES} bytes"))
        return Job(self, command, answer, asked_at_s)

    def succeed(self, job: Job[Any], text: str) -> None:
        """Write the remaining output; most messages have none."""
        if text:
            self.output.line(text)

    def fail(self, job: Job[Any], error: ValueError) -> None:
        """Report to stderr: a damaged message changes nothing, and NBoard has no message for errors.

        A game is the exception: whatever the GUI asks next is about that game, which is not known then.
        """
        report_ignored(str(job.command), error)
        if isinstance(job.command, nboard.SetGame):
            self.refusal = str(error)

    def prepare(self) -> None:
        """Load what the next move needs."""
        self.session.prepare()

    def when_idle(self) -> None:
        """Think ahead after a chosen move, if that is on and both players have clocks.

        NBoard does not say whose clock is running, but after a move it is the opponent's. A ping ends thinking ahead; the
        next move uses what was found.
        """
        chosen, self._chosen = self._chosen, None
        if chosen is not None:
            self.session.think_ahead(*chosen, level=self._level)

    # -- the game ---------------------------------------------------------------------------------------------------

    def name(self) -> str:
        """Answer with the engine's name, followed by strategy, strength or the depth of its moves if one was set."""
        options = self.session.engine.options
        if options.strategy != ENGINE_STRATEGY:
            return str(MyName(f"{options.name}-{options.strategy}"))
        if options.strength != CHAMPION:
            # Below the champion the strength alone decides how moves are chosen; the depth counts for hints.
            return str(MyName(f"{options.name}-{options.text('strength')}"))
        if self._level is None or options.nodes is not None or options.move_time is not None:
            return str(MyName(options.name))
        return str(MyName(f"{options.name}{min(self._level, options.depth or MAXIMUM_LEVEL)}"))

    def set_depth(self, command: nboard.SetDepth) -> str:
        """Set the level to the depth."""
        # A level is a midgame depth with a matching endgame depth, which is what NBoard means by depth.
        level = min(command.depth, MAXIMUM_LEVEL)
        if level != self._level:
            self.session.stop_thinking_ahead()
        self._level = level
        return self.name()

    def set_game(self, command: nboard.SetGame) -> str:
        """Load a whole game."""
        from othello_bot.formats.record import (  # imported here and below: not each session needs it
            FileMove,
            GameRecord,
        )

        sent = parse_game(command.ggf)
        record = GameRecord(Game(Position.from_board(sent.start)))
        line = [
            FileMove(played.move, number, color, MoveNote(played.score, played.time_s))
            for number, (color, played) in enumerate(sent.moves, start=1)
        ]
        try:
            record.add_line(line)
        except FormatError as error:
            raise InputError(f"move {error.place}: {error.what}", error.value, error.expected) from None
        self.session.take_game(record.game, record)
        self.session.clocks = Clocks(
            *(PlayerClock.start(TimeSettings() if setting is None else setting) for setting in sent.clocks)
        )
        self._charge(0)
        self.refusal = ""
        return ""

    def new(self) -> str:
        """Begin a game from the usual start."""
        self.session.new_game()
        self.session.clocks = Clocks()
        self.refusal = ""
        return ""

    def set_contempt(self, command: nboard.SetContempt) -> str:
        """Set the value of a draw for Black."""
        value = max(LOWEST_CONTEMPT, min(HIGHEST_CONTEMPT, round(command.contempt)))
        self.session.set_option("contempt", value)
        return ""

    def move(self, command: nboard.Move) -> str:
        """Play a move, and record its score and time."""
        played, session = command.played, self.session
        before = session.game.ply
        session.play(None, (played.move,))
        if session.game.ply > before:
            session.live = session.live.noted(MoveNote(played.score, played.time_s))
        self._charge(before)
        return ""

    def _charge(self, first: int) -> None:
        """Charge both clocks for the moves from ply `first` on: GGF has the time at the start and that of each move."""
        live, clocks = self.session.live, self.session.clocks
        for ply in range(first, live.game.ply):
            note = live.known.get(ply)
            clocks = clocks.spent(live.game.color_at(ply), 0.0 if note is None else note.seconds or 0.0)
        self.session.clocks = clocks

    # -- thinking ---------------------------------------------------------------------------------------------------

    def _limits(self, clock: ClockState | None = None) -> Limits:
        limits = self.session.engine.default_limits(clock)
        return limits if self._level is None else replace(limits, level=self._level)

    def ping(self, job: Job[NBoardDialect]) -> str:
        """Stop thinking ahead as well, but keep what was found."""
        self.session.engine.stop()
        return str(Pong(job.command.number))

    def go(self, job: Job[NBoardDialect]) -> Steps[str]:
        """Choose a move without playing it."""
        session = self.session
        position = session.position
        if position.is_over:
            return str(Chosen(EvaluatedMove(PASS)))
        self._write(Status("Thinking"))
        limits = self._limits(session.clocks.state(position.color))
        choice = yield from session.chosen(position, limits, self._reporter(position.color))
        evaluation = time_s = None
        if choice.result is not None:
            self._reporter(position.color)(choice.result)
            evaluation, time_s = self._evaluation(choice, position.color), choice.time_s
        elif choice.source is ChosenBy.BOOK:
            for known in session.engine.book.lookup(position):
                if known.move == choice.move:
                    self._write(self._book_line(position, known))
        clocks = session.clocks.spent(position.color, time.monotonic() - job.asked_at_s)
        ours, theirs = clocks.state(position.color), clocks.state(position.color.opponent)
        if ours is not None and theirs is not None and choice.move != PASS and not job.interrupted:
            self._chosen = position.play(choice.move), choice.expected, ours, theirs
        self._write(Status())
        return str(Chosen(EvaluatedMove(choice.move, evaluation, time_s=time_s)))

    def hint(self, command: nboard.Hint) -> Steps[str]:
        """Report the best moves until the next message."""
        count = command.moves
        position = self.session.position
        if position.is_over:
            return ""
        self._write(Status("Analyzing"))
        for known in self.session.engine.book.lookup(position)[:count] if self.session.engine.options.book else ():
            self._write(self._book_line(position, known))
        limits = replace(self._limits(), multi_pv=max(1, min(count, position.legal_bits.bit_count())))
        if self._level is None:
            limits = replace(limits, level=None, infinite=True)
        result = yield SearchRequest(position, limits, on_report=self._reporter(position.color))
        self._reporter(position.color)(result)
        return str(Status())

    def analyze(self, job: Job[NBoardDialect]) -> Steps[str]:
        """Evaluate every position of the game, the last one first."""
        game = self.session.game
        self._write(Status("Analyzing the game"))
        for ply in range(game.ply, -1, -1):
            if job.interrupted:
                break
            position = game.position_at(ply)
            if position.is_over:
                self._write(Analysis(ply, float(position.score())))
                continue
            result = yield SearchRequest(position, self._limits())
            if not job.interrupted:
                self._write(Analysis(ply, self._evaluation(result.best, position.color)))
        return str(Status())

    def learn(self, job: Job[NBoardDialect]) -> Steps[str]:
        """Add the game's opening to the book, as far as it is judged when the GUI sends the next message.

        A game that cannot be learned because another process writes the book is learned before the next one.
        """
        from othello_bot.book_growing import learn_game

        engine = self.session.engine
        self._write(Status("Learning"))
        self._to_learn.append(self.session.game.copy())
        try:
            store = engine.book_use.learning()
            while self._to_learn and not job.interrupted:
                yield from learn_game(self._to_learn[0], store, self._limits, lambda: job.interrupted)
                del self._to_learn[0]
        except BookHeld as error:
            report(f"{error}; games to learn with the next one: {len(self._to_learn)}")
        except (OSError, BookError) as error:
            self._to_learn.clear()
            reason = error.strerror if isinstance(error, OSError) else error
            report(f"the book {engine.options.book_file} cannot be written: {reason}")
        self._write(Status())
        return str(Learned())

    def _reporter(self, color: Color) -> Callable[[SearchResult], None]:
        """Return an observer that writes intermediate results for the player of that colour."""

        def write(result: SearchResult) -> None:
            for line in result.lines:
                if line.depth:
                    depth = depth_of(line, self.session.position.empties)
                    self._write(SearchLine(line.pv, self._evaluation(line, color), depth, line.reached()))
            self._write(NodeStats(result.nodes, result.time_s))

        return write

    def _book_line(self, position: Position, known: BookMove) -> SearchLine:
        """Return a move of the book, with the opening's name, if there is one, instead of a comment."""
        name = self.session.engine.book.name(position.play(known.move)) or ""
        depth = Depth(FULL_PRECISION, solve=True) if known.exact else Depth(known.depth)
        return SearchLine((known.move,), float(known.discs), depth, name, book=True, games=known.games)

    def _evaluation(self, line: EvaluatedMove, color: Color) -> float:
        """Return a line's score; a proven draw has the value that contempt sets."""
        if line.exact and line.score == 0:
            contempt = self.session.engine.options.contempt / 100
            return contempt if color is Color.BLACK else -contempt
        return float(line.discs)

    def _write(self, response: Response) -> None:
        self.output.line(str(response))


def depth_of(line: EvaluatedMove, empties: int) -> Depth:
    """Return the depth or certainty of a line in NBoard's form: `14`, `98%`, `100%`, or `100%W` if only the winner is
    known.
    """
    if line.depth < empties:
        return Depth(line.depth)
    if line.exact or line.selectivity < FULL_PRECISION:
        return Depth(line.selectivity, solve=True)
    # Searched to the end without pruning, but stopped with a bound, which may still prove the winner.
    decided = line.discs > 0 if line.bound is Bound.LOWER else line.discs < 0
    return Depth(FULL_PRECISION, solve=True, wld=True) if decided else Depth(line.depth)


def _of_game(handler: Callable[[Job[NBoardDialect]], JobOutcome]) -> Callable[[Job[NBoardDialect]], JobOutcome]:
    """Return a handler for a message about the game; without a game, it answers with the reason."""

    def told(job: Job[NBoardDialect]) -> JobOutcome:
        if job.dialect.refusal:
            return str(Status(f"no position, because set game was refused: {job.dialect.refusal}"))
        return handler(job)

    return told


ANSWERS: Mapping[type[nboard.Command], Answer[NBoardDialect]] = {
    nboard.Hello: Answer(lambda job: job.dialect.name()),
    nboard.SetDepth: Answer(lambda job: job.dialect.set_depth(job.command)),
    nboard.SetGame: Answer(lambda job: job.dialect.set_game(job.command)),
    nboard.SetContempt: Answer(lambda job: job.dialect.set_contempt(job.command)),
    nboard.Move: Answer(_of_game(lambda job: job.dialect.move(job.command))),
    # The GUI changes the position without notice when the user does; the analysis of the old one then ends.
    nboard.Hint: Answer(_of_game(lambda job: job.dialect.hint(job.command)), ends_on_input=True),
    nboard.Go: Answer(_of_game(lambda job: job.dialect.go(job))),
    nboard.Ping: Answer(lambda job: job.dialect.ping(job), stops=True),
    nboard.Learn: Answer(_of_game(lambda job: job.dialect.learn(job))),
    nboard.Analyze: Answer(_of_game(lambda job: job.dialect.analyze(job)), ends_on_input=True),
    nboard.New: Answer(lambda job: job.dialect.new()),
    nboard.Quit: Answer(lambda job: "", stops=True, quits=True),
}
"""Every message of the GUI with its answer."""
