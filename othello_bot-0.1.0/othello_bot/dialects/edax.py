"""Edax's console, for scripts that drive Edax by its text: lines to jobs, results to what such scripts look for.

A command is answered by its text, the board, the engine's own moves as far as the mode asks for them, and the prompt.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from othello_bot.base.clocks import Clocks, TimeControl
from othello_bot.base.errors import InputError
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.base.output import report
from othello_bot.base.version import __version__
from othello_bot.engine import OPTIONS, ChosenBy, Limits, OptionError, SearchRequest, Steps, find_option
from othello_bot.protocol import edax
from othello_bot.protocol.edax import Diagram, Mode, Played, Refused, UnknownCommand
from othello_bot.protocol.wire import MAX_LINE_BYTES, InputLine
from othello_bot.rules import Game, Position
from othello_bot.session import Answer, DialectAdapter, Job, JobOutcome, Output, Session, refusal

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of an option of Edax: our options with their values, a clock for each side, a note for stderr."""

    options: tuple[tuple[str, str], ...] = ()
    control: TimeControl | None = None
    note: str = ""


Translate = Callable[[str, str], Meaning | None]
"""Return the meaning of an option's name and value, None for an unknown name; raise InputError for a bad value."""


@dataclass(frozen=True, slots=True)
class Console:
    """How a console begins: who plays, how much it shows (`othello_bot.protocol.edax`), and what its options mean."""

    translated: Translate
    mode: int = 3
    verbosity: int = edax.NORMAL


class EdaxDialect(DialectAdapter):
    """The console of one session. Its first line is empty and stands for the start of the process."""

    def __init__(self, session: Session, output: Output, console: Console) -> None:
        self.session = session
        self.output = output
        self.mode = Mode(console.mode)
        self._translated = console.translated
        self._verbosity = console.verbosity
        self._spent_s = [0.0, 0.0]
        self._turn_began_s = time.monotonic()
        self._greeted = False
        session.use_without(("contempt", "live_graphics"))

    def read(self, line: InputLine, asked_at_s: float) -> Job[EdaxDialect]:
        """Return the job of a line."""
        try:
            if line.overlong:
                raise InputError("command", line.text, f"a line of at most {MAX_LINE_BYTES} bytes")
            command = edax.parse_command(line.text)
        except InputError as error:
            return Job(self, None, refusal(error), asked_at_s)
        if command == edax.Word("quit"):
            return Job(self, command, Answer(lambda job: "", quits=True), asked_at_s)
        stops = command == edax.Word("stop")
        return Job(self, command, Answer(lambda job: job.dialect.answer(job), stops=stops), asked_at_s)

    def succeed(self, job: Job[Any], text: str) -> None:
        """Write the prompt."""
        self.output.write(text)

    def fail(self, job: Job[Any], error: ValueError) -> None:
        """Write what is wrong, the board, and the prompt."""
        self.output.write(f"{Refused(str(error))}{self.board()}{self.prompt()}")

    def prepare(self) -> None:
        """Load what the next move needs."""
        self.session.prepare()

    def when_idle(self) -> None:
        """Think ahead, if that is on."""
        self.session.when_idle()

    def answer(self, job: Job[EdaxDialect]) -> Steps[str]:
        """Execute a command and write its text, the board, and the moves that the engine plays on its own."""
        command = job.command
        outcome = HANDLERS[command.name if isinstance(command, edax.Word) else type(command)](job)
        text = outcome if isinstance(outcome, str) else (yield from outcome)
        if not isinstance(command, edax.Nothing) or not self._greeted:
            self._greeted = True
            text += self.board()
        self.output.write(text)
        while not job.interrupted and not self._position.is_over and self.mode.plays(self._position.color):
            text = yield from self.go(job)
            self.output.write(text + self.board())
        return self.prompt()

    def board(self) -> str:
        """Return the board, empty if it is not shown."""
        game, position = self.session.game, self._position
        black, white = (
            frozenset(Position.from_colors(position.black, position.white, color).legal_moves) for color in Color
        )
        spent_s = (self._spent_s[0], self._spent_s[1])
        return self._if_shown(str(Diagram(position.board, (black, white), game.start.board, game.moves, spent_s)))

    def prompt(self) -> str:
        """Return the end of every answer."""
        over = edax.GAME_OVER if self._position.is_over else ""
        return over + self._if_shown("\n") + edax.PROMPT

    # -- the game ---------------------------------------------------------------------------------------------------

    def begin(self, start: Position | None) -> str:
        """Begin a game from the usual start or from a position."""
        self.session.new_game(start)
        return self._reset()

    def set_board(self, command: edax.SetBoard) -> str:
        """Set up a position; the engine keeps what it has learned."""
        self.session.take_game(Game(Position.from_board(command.board)))
        return self._reset()

    def move(self, command: edax.Move) -> str:
        """Play a move of the side to move."""
        position = self._position
        legal = position.legal_moves or ((PASS,) if position.must_pass else ())
        if command.move not in legal:
            names = " ".join("ps" if move == PASS else move_name(move) for move in legal)
            raise UnknownCommand(command.line, names or "init or new, because the game is over")
        self.session.play(None, (command.move,))
        self.session.clocks = self.session.clocks.spent(position.color, self._charge(position.color))
        return str(Played(by_edax=False, move=command.move))

    def play(self, command: edax.Play) -> str:
        """Play moves."""
        self.session.play(None, command.moves)
        self._turn_began_s = time.monotonic()
        return ""

    def take_back(self, step: Callable[[int], None]) -> str:
        """Take back or play again one move; with an opponent, one of each side."""
        step(2 if self.mode.number < 2 else 1)
        self._turn_began_s = time.monotonic()
        return ""

    def set_mode(self, mode: Mode) -> str:
        """Set who plays."""
        self.mode = mode
        return ""

    # -- thinking ---------------------------------------------------------------------------------------------------

    def go(self, job: Job[EdaxDialect]) -> Steps[str]:
        """Choose a move and play it."""
        session, position = self.session, self._position
        if position.is_over:
            return "\n"
        color = position.color
        progress = _Progress(self.output, color)
        told = progress if self._verbosity >= edax.PROGRESS else None
        choice = yield from session.chosen(position, session.move_limits(color), told)
        session.finish_move(job, color, choice)
        self._charge(color)
        job.asked_at_s = self._turn_began_s  # the next move of this job begins now
        table = ""
        if choice.result is not None:
            row = edax.row(_with_cost(choice.result), color)
            table = f"{row}{edax.TABLE_ENDS}" if progress.begun else "\n" + _table([row])
        elif choice.source is ChosenBy.BOOK:
            known = session.engine.book.lookup(position)
            table = "\n" + _table([edax.row(book, color) for book in known if book.move == choice.move])
        return (self._if_shown(table) or "\n") + str(Played(by_edax=True, move=choice.move))

    def hint(self, command: edax.Hint) -> Steps[str]:
        """Show the best moves, those of the book first."""
        position, engine = self._position, self.session.engine
        color = position.color
        known = engine.book.lookup(position)[: command.count] if engine.options.book else ()
        rows = [edax.row(book, color) for book in known]
        others = frozenset(position.legal_moves) - {book.move for book in known}
        wanted = min(command.count - len(known), len(others))
        if wanted > 0:
            limits: Limits = replace(engine.default_limits(), multi_pv=wanted, considered=others)
            result = yield SearchRequest(position, limits)
            rows += [edax.row(line, color) for line in (_with_cost(result), *result.lines[1:])]
        return _table(rows)

    # -- options ----------------------------------------------------------------------------------------------------

    def set(self, command: edax.Set) -> str:
        """Set an option under Edax's name or ours; without a value, show one of ours and change nothing."""
        if not command.value:
            with contextlib.suppress(OptionError):
                return self._shown(find_option(command.name).name)
        meaning = self._translated(command.name, command.value)
        if meaning is None:
            raise UnknownCommand(command.line)
        for name, value in meaning.options:
            self.session.set_option(name, value)
            if name == "level":
                self._think_by_level()
        if meaning.control is not None:
            self.session.clocks = Clocks.start(meaning.control.settings)
        if meaning.note:
            report(meaning.note)
        return ""

    def _think_by_level(self) -> None:
        """Forget the limits of time, as Edax does where a level is set."""
        self.session.set_option("move_time", None)
        self.session.clocks = Clocks()

    def set_verbosity(self, command: edax.Verbose) -> str:
        """Set how much is shown."""
        self._verbosity = command.level
        return ""

    def options(self) -> str:
        """Return the options, one a line."""
        return "".join(self._shown(option.name) for option in OPTIONS)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _shown(self, name: str) -> str:
        return f"\t{name}: {self.session.engine.options.text(name)}\n"

    @property
    def _position(self) -> Position:
        return self.session.position

    def _reset(self) -> str:
        self._spent_s = [0.0, 0.0]
        self._turn_began_s = time.monotonic()
        return ""

    def _charge(self, color: Color) -> float:
        """Add the seconds since the last move to what this side has used, and return them."""
        now_s = time.monotonic()
        used_s, self._turn_began_s = now_s - self._turn_began_s, now_s
        self._spent_s[color] += used_s
        return used_s

    def _if_shown(self, text: str) -> str:
        return text if self._verbosity > edax.SILENT else ""


class _Progress:
    """Writes a row for each better result of a search, and the head of the table before the first."""

    def __init__(self, output: Output, color: Color) -> None:
        self._output = output
        self._color = color
        self.begun = False

    def __call__(self, result: SearchResult) -> None:
        if not result.lines:
            return
        head = "" if self.begun else "\n" + edax.TABLE_BEGINS
        self.begun = True
        self._output.write(f"{head}{edax.row(_with_cost(result), self._color)}")


def _with_cost(result: SearchResult) -> EvaluatedMove:
    """Return the best move with the time and the nodes of the search, which stand in the first row of a table."""
    return replace(result.best, time_s=result.time_s, nodes=result.nodes)


def _table(rows: list[str]) -> str:
    return f"{edax.TABLE_BEGINS}{''.join(rows)}{edax.TABLE_ENDS}"


HANDLERS: Mapping[str | type[edax.Command], Callable[[Job[EdaxDialect]], JobOutcome]] = {
    edax.Nothing: lambda job: "",
    edax.Move: lambda job: job.dialect.move(job.command),
    edax.Play: lambda job: job.dialect.play(job.command),
    edax.SetBoard: lambda job: job.dialect.set_board(job.command),
    edax.Mode: lambda job: job.dialect.set_mode(job.command),
    edax.Hint: lambda job: job.dialect.hint(job.command),
    edax.Set: lambda job: job.dialect.set(job.command),
    edax.Verbose: lambda job: job.dialect.set_verbosity(job.command),
    "init": lambda job: job.dialect.begin(None),
    "new": lambda job: job.dialect.begin(job.dialect.session.game.start),
    "go": lambda job: job.dialect.go(job),
    # The search that ends here is answered first, with its move.
    "stop": lambda job: job.dialect.set_mode(Mode(3)),
    "undo": lambda job: job.dialect.take_back(job.dialect.session.undo),
    "redo": lambda job: job.dialect.take_back(job.dialect.session.redo),
    "options": lambda job: job.dialect.options(),
    "version": lambda job: f"{job.dialect.session.engine.options.name} {__version__}\n",
    "help": lambda job: edax.help_text(),
}
"""Every command with its handler; those of one word by name. `quit` has no answer."""
