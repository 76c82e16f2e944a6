"""The conversation of a controller and an engine, without any input or output.

A conversation is a generator. It yields requests (``Send``, ``Receive``) and receives their results, so the
same code serves the client, the arena's engines and a test that plays the engine's part from a list. It
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
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import START, Board, Color
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import Awaited, EngineError, EngineGarbage, EngineStalled, EngineUnsupported

MOST_NOISE_LINES: Final = 1000
"""Most meaningless lines to ignore while waiting for an answer; more are garbage."""


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


class Heard(Protocol):
    """A line and its time of arrival (seconds, the clock of ``Send``'s result)."""

    @property
    def text(self) -> str:
        """The line."""

    @property
    def at(self) -> float:
        """The time of arrival."""


T = TypeVar("T")
Request: TypeAlias = Send | Receive
Script: TypeAlias = Generator[Request, Any, T]


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


class Conversation(ABC):
    """One controller's side of one dialect.

    Methods that return a ``Script`` raise inside it EngineGarbage for a violation of the dialect, EngineRefused for a
    refusal and EngineUnsupported for what the dialect or the engine cannot do; the driver raises the others.
    """

    dialect: Dialect
    farewell: str = "quit\n"
    """The command that ends the engine."""
    has_ping = True
    """Whether the engine can be asked for a sign of life."""

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
    ) -> Script[EvaluatedMove]:
        """Let the engine choose a move; it is played in the engine's game and in ours.

        ``clocks`` (black, white) are sent first. Raise EngineStalled after ``within_s``; by default, after the clock's
        time and ``Deadlines.grace_s``, or ``Deadlines.move_s``. With ``thoughts``, also request score, nodes and pv if
        the dialect supports it.
        """

    def turn(self, untold: Sequence[int], clocks: ClockStates | None, within_s: float | None) -> Script[EvaluatedMove]:
        """Send the moves that the engine does not know yet, and let it choose a move; see `best_move`."""
        for move in untold:
            yield from self.play(move)
        return (yield from self.best_move(clocks, within_s, thoughts=True))

    def raw(self, line: str) -> Script[None]:
        """Send a line as it is; nothing need answer it."""
        yield Send(line)

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
