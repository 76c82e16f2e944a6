"""The conversation of a controller and an engine, without any input or output.

A conversation is a generator. It yields requests (``Send``, ``Receive``, ``Emit``) and receives their results, so the
same code serves the synchronous client, the asyncio client and a test that plays the engine's part from a list. It
stores the controller's game: the start and the moves, including passes. It does not know the rules: the caller checks
whether a move is legal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from othello_bot.base.clocks import ClockStates, TimeSettings
from othello_bot.base.errors import counted, shown
from othello_bot.base.notation import START, Board, Color
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import Awaited, EngineError, EngineGarbage, EngineStalled, EngineUnsupported

MOST_NOISE_LINES: Final = 1000
"""Most meaningless lines to ignore while waiting for an answer; more are garbage."""

FOREVER_S: Final = 1e8


@dataclass(frozen=True, slots=True)
class Send:
    """Request to send this line (its end is added). The result is the time of sending in seconds."""

    line: str


@dataclass(frozen=True, slots=True)
class Receive:
    """Request for the next line. The result is a ``Heard``; EngineStalled is raised ``within_s`` seconds after
    ``since``.

    ``since`` is a result of ``Send`` or a time of arrival: meaningless lines do not extend the deadline.
    """

    since: float
    within_s: float
    awaited: Awaited = Awaited.REPLY


@dataclass(frozen=True, slots=True)
class Emit:
    """Request to pass this on to the receiver of the analysis."""

    info: Info


class Heard(Protocol):
    """A line and its time of arrival (seconds, the clock of ``Send``'s result)."""

    @property
    def text(self) -> str:
        """The line."""

    @property
    def at(self) -> float:
        """The time of arrival."""


T = TypeVar("T")
Request: TypeAlias = Send | Receive | Emit
Script: TypeAlias = Generator[Request, Any, T]


class StopAnalysis(Exception):
    """Thrown into an analysis by its driver: end it properly, including the engine's."""


class StepwiseAnalysis:
    """Divides the conversation of an analysis into pieces that end at each ``Emit``, for a driver that only runs
    scripts.

    ``next`` returns the next info, None at the end; ``finish`` ends the analysis properly, or does nothing if it has
    ended already.
    """

    def __init__(self, script: Script[None]) -> None:
        self._script = script
        self._begun = False
        self._over = False

    def next(self) -> Script[Info | None]:
        """Run to the next info and return it."""
        return self._until_emitted(None)

    def finish(self) -> Script[None]:
        """Run to the end, discarding infos."""
        if not self._begun:
            self._over = True
        stop: StopAnalysis | None = StopAnalysis()
        while not self._over:
            yield from self._until_emitted(stop)
            stop = None

    def _until_emitted(self, stop: StopAnalysis | None) -> Script[Info | None]:
        # A piece that does not end with an info has ended the whole conversation.
        over = True
        try:
            request = self._script.send(None) if stop is None else self._script.throw(stop)
            self._begun = True
            while not isinstance(request, Emit):
                try:
                    result = yield request
                except EngineError as error:
                    request = self._script.throw(error)
                else:
                    request = self._script.send(result)
            over = False
            return request.info
        except StopIteration:
            return None
        finally:
            self._over = over


class Faults(Protocol):
    """Creates an error with the circumstances of the current engine (``EngineProcess.fault``)."""

    def __call__(self, kind: type[E], message: str, /) -> E:
        """Return the error, for the caller to raise."""


E = TypeVar("E", bound=EngineError)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds that an engine may take before it counts as stalled.

    Attributes:
        start_s: until the first answer after the start.
        reply_s: for replies that need no search.
        move_s: for a move without a clock.
        grace_s: for a move with a clock, beyond the clock's time; the arena decides who lost on time.
    """

    start_s: float = 10.0
    reply_s: float = 10.0
    move_s: float = 600.0
    grace_s: float = 5.0


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The engine's own description of itself."""

    name: str = ""
    version: str = ""
    commands: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BestMove:
    """The engine's answer to a request for a move.

    Attributes:
        move: 0..63, 64 for a pass; None if the engine resigned.
        time_s: from the command to the answer's arrival.
        score: discs from the mover's view; None if unknown.
        depth: depth in the engine's own words.
        nodes: positions searched; None if unknown.
        pv: the principal variation, empty if unknown.
        planned_s: seconds that the engine wanted to use; None if unknown.
    """

    move: int | None
    time_s: float
    score: float | None = None
    depth: str = ""
    nodes: int | None = None
    pv: tuple[int, ...] = ()
    planned_s: float | None = None


@dataclass(frozen=True, slots=True)
class Info:
    """One piece of a running analysis: the current evaluation of one move.

    Attributes:
        move: 0..63, 64 for a pass.
        score: discs from the mover's view.
        order: 0 for the best, if the engine orders them.
        depth: depth in the engine's own words.
        exact: the score is proven.
        nodes: positions searched.
        time_s: seconds since the analysis began.
        pv: the principal variation, beginning with this move.
    """

    move: int
    score: float
    order: int = 0
    depth: str = ""
    exact: bool = False
    nodes: int = 0
    time_s: float = 0.0
    pv: tuple[int, ...] = ()


class Conversation(ABC):
    """One controller's side of one dialect.

    Methods that return a ``Script`` raise inside it EngineGarbage for a violation of the dialect, EngineRefused for a
    refusal and EngineUnsupported for what the dialect or the engine cannot do; the driver raises the others.
    """

    dialect: Dialect
    farewell: str = "quit\n"
    """The command that ends the engine."""

    def __init__(self, faults: Faults, deadlines: Deadlines | None = None) -> None:
        self.faults = faults
        self.deadlines = deadlines or Deadlines()
        self.info = EngineInfo()
        self.start = START
        self.moves: list[int] = []

    @property
    def to_move(self) -> Color:
        """The side to move: colours alternate, because passes are moves here."""
        return Color(self.start.to_move ^ (len(self.moves) & 1))

    @abstractmethod
    def handshake(self) -> Script[EngineInfo]:
        """Begin the conversation; find out the engine's name and abilities."""

    @abstractmethod
    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Begin a new game and forget the old one; set a time control if one is given."""

    @abstractmethod
    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Go to the position after ``moves`` (passes included) from ``start``."""

    @abstractmethod
    def play(self, move: int) -> Script[None]:
        """Play a move of the side to move."""

    @abstractmethod
    def best_move(
        self,
        clocks: ClockStates | None = None,
        within_s: float | None = None,
        thoughts: bool = False,
    ) -> Script[BestMove]:
        """Let the engine choose a move; it is played in the engine's game and in ours.

        ``clocks`` (black, white) are sent first. Raise EngineStalled after ``within_s``; by default, after the clock's
        time and ``Deadlines.grace_s``, or ``Deadlines.move_s``. With ``thoughts``, also request score, nodes and pv if
        the dialect supports it.
        """

    @abstractmethod
    def analyse(self, moves: int = 1, duration_s: float | None = None) -> Script[None]:
        """Emit ``Info`` about the best ``moves`` moves, until ``duration_s`` is over or ``StopAnalysis`` is thrown."""

    @abstractmethod
    def ping(self) -> Script[float]:
        """Return the seconds that the engine takes to respond."""

    @abstractmethod
    def set_option(self, name: str, value: str) -> Script[None]:
        """Set an option by the engine's own name for it."""

    # -- for the dialects ---------------------------------------------------------------------------------------------

    def move_deadline_s(self, clocks: ClockStates | None, within_s: float | None) -> float:
        """Return how long the engine may take for its move before it counts as stalled."""
        if within_s is not None:
            return within_s
        if clocks is None:
            return self.deadlines.move_s
        own = clocks[self.to_move]
        return max(0.0, own.move_s) + self.deadlines.grace_s

    def garbage(self, message: str, line: str) -> EngineGarbage:
        """Return the error for a line that violates the dialect."""
        error = self.faults(EngineGarbage, f"{message}: {shown(line)}")
        error.line = line
        return error

    def unsupported(self, what: str) -> EngineUnsupported:
        """Return the error for a request that this engine cannot fulfil."""
        return self.faults(EngineUnsupported, f"cannot {what} in this dialect ({self.dialect.value})")

    def hear(self, since: float, within_s: float, awaited: Awaited, noise: list[str]) -> Script[Heard]:
        """Receive a line. If silence follows ``noise``, report that as garbage, which is the better hint."""
        try:
            heard: Heard = yield Receive(since, within_s, awaited)
        except EngineStalled:
            if noise:
                raise self.garbage("printed no answer but", noise[0]) from None
            raise
        return heard

    def ignore(self, noise: list[str], line: str) -> None:
        """Record a meaningless line. Raise EngineGarbage if there were too many instead of an answer."""
        if line:
            noise.append(line)
        if len(noise) > MOST_NOISE_LINES:
            raise self.garbage(f"printed {counted(len(noise), 'line')} without meaning, the first", noise[0])
