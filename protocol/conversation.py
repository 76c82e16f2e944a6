"""What a controller and an engine say to each other, without any input or output.

A conversation is a generator.  It yields what it wants (``Send``, ``Receive``, ``Emit``) and is given the result, so
one and the same text of it serves the synchronous client, the asyncio client and a test that plays the engine's part
from a list.  It keeps what the controller knows of the game: the start and the moves, passes included.  It knows no
rules: whether a move is legal, its caller must say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from protocol.clocks import ClockState, TimeSettings
from protocol.detect import Dialect
from protocol.errors import EngineError, EngineGarbage, EngineStalled, EngineUnsupported
from protocol.notation import START, Board, Color
from protocol.refusals import shown

MOST_NOISE_LINES: Final = 1000
"""So many lines that mean nothing are ignored while one answer is waited for; more are not the protocol."""

FOREVER_S: Final = 1e8


@dataclass(frozen=True, slots=True)
class Send:
    """Wish: send this line (its end is added).  The result is the time when it went, in seconds."""

    line: str


@dataclass(frozen=True, slots=True)
class Receive:
    """Wish: the next line.  The result is a ``Heard``; EngineStalled is thrown in ``within_s`` seconds after ``since``.

    ``since`` is a result of ``Send`` or a time of arrival: chatter does not push the deadline away.
    """

    since: float
    within_s: float
    phase: str = "reply"


@dataclass(frozen=True, slots=True)
class Emit:
    """Wish: hand this on to whoever listens to the analysis."""

    info: Info


class Heard(Protocol):
    """A line and when it arrived (seconds, the clock of ``Send``'s result)."""

    @property
    def text(self) -> str:
        """The line."""

    @property
    def at(self) -> float:
        """The time of arrival."""


T = TypeVar("T")
Wish: TypeAlias = Send | Receive | Emit
Script: TypeAlias = Generator[Wish, Any, T]


class StopAnalysis(Exception):
    """Thrown into an analysis by its driver: come to an end in order, the engine included."""


class Analysis:
    """Cuts the conversation of an analysis into pieces that end at each ``Emit``, for a driver that can only run.

    ``next`` returns the next info, None at the end; ``finish`` ends the analysis in order, and does nothing when it
    has ended already.
    """

    def __init__(self, script: Script[None]) -> None:
        self._script = script
        self._begun = False
        self._over = False

    def next(self) -> Script[Info | None]:
        """Go on to the next info."""
        return self._until_emitted(None)

    def finish(self) -> Script[None]:
        """Go on to the end, without listening."""
        if not self._begun:
            self._over = True
        stop: StopAnalysis | None = StopAnalysis()
        while not self._over:
            yield from self._until_emitted(stop)
            stop = None

    def _until_emitted(self, stop: StopAnalysis | None) -> Script[Info | None]:
        # Whatever ends this piece but an info has ended the whole.
        over = True
        try:
            wish = self._script.send(None) if stop is None else self._script.throw(stop)
            self._begun = True
            while not isinstance(wish, Emit):
                try:
                    result = yield wish
                except EngineError as error:
                    wish = self._script.throw(error)
                else:
                    wish = self._script.send(result)
            over = False
            return wish.info
        except StopIteration:
            return None
        finally:
            self._over = over


class Faults(Protocol):
    """Makes an error with the circumstances of the engine at hand (``EngineProcess.fault``)."""

    def __call__(self, kind: type[E], message: str, /) -> E:
        """Return the error, for the caller to raise."""


E = TypeVar("E", bound=EngineError)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long an engine may take, in seconds, before it counts as stalled.

    Attributes:
        start_s: until the first answer after the start.
        reply_s: for everything that needs no search.
        move_s: for a move without a clock.
        grace_s: for a move with a clock, beyond what the clock allows; who lost on time is the arena's business.
    """

    start_s: float = 10.0
    reply_s: float = 10.0
    move_s: float = 600.0
    grace_s: float = 5.0


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Who the engine says it is."""

    name: str = ""
    version: str = ""
    commands: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to "your move".

    Attributes:
        move: 0..63, 64 for a pass; None when the engine resigned.
        time_s: from the command to the answer's arrival.
        score: discs from the mover's view, where the engine says so.
        depth: how deep, in the engine's words.
        nodes: positions searched, where the engine says so.
        pv: the expected moves, where the engine says so.
    """

    move: int | None
    time_s: float
    score: float | None = None
    depth: str = ""
    nodes: int | None = None
    pv: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Info:
    """One piece of a running analysis: what is now thought of one move.

    Attributes:
        move: 0..63, 64 for a pass.
        score: discs from the mover's view.
        order: 0 for the best, where the engine orders them.
        depth: how deep, in the engine's words.
        exact: the score is proven.
        nodes: positions searched.
        time_s: seconds since the analysis began.
        pv: the expected moves, this one first.
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

    All methods that return a ``Script`` raise, inside of it, EngineGarbage for what is not the dialect, EngineRefused
    for a refusal and EngineUnsupported for what the dialect or the engine cannot do; the driver raises the rest.
    """

    dialect: Dialect
    farewell: str = "quit\n"
    """What tells the engine to end."""

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
        """Begin: find out who it is and what it can do."""

    @abstractmethod
    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Begin a new game, forgetting the old one; with a time control where it is given."""

    @abstractmethod
    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Go to the position after ``moves`` (passes included) from ``start``."""

    @abstractmethod
    def play(self, move: int) -> Script[None]:
        """Play a move of the side to move."""

    @abstractmethod
    def best_move(
        self,
        clocks: tuple[ClockState, ClockState] | None = None,
        within_s: float | None = None,
        thoughts: bool = False,
    ) -> Script[BestMove]:
        """Have the engine choose a move; it is played in its game and in ours.

        ``clocks`` (black, white) are told to the engine first.  EngineStalled comes after ``within_s``; without it,
        after the clock and ``Deadlines.grace_s``, or ``Deadlines.move_s``.  With ``thoughts`` an engine that has to be
        asked for score, nodes and line is asked for them, where its dialect has a way to.
        """

    @abstractmethod
    def analyse(self, moves: int = 1, duration_s: float | None = None) -> Script[None]:
        """Emit ``Info`` about the best ``moves`` moves, until ``duration_s`` is over or ``StopAnalysis`` is thrown."""

    @abstractmethod
    def ping(self) -> Script[float]:
        """Return the seconds that the engine needs to show that it lives."""

    @abstractmethod
    def set_option(self, name: str, value: str) -> Script[None]:
        """Set an option by the engine's own name for it."""

    # -- for the dialects ---------------------------------------------------------------------------------------------

    def move_deadline_s(self, clocks: tuple[ClockState, ClockState] | None, within_s: float | None) -> float:
        """Return how long the engine may take for its move before it counts as stalled."""
        if within_s is not None:
            return within_s
        if clocks is None:
            return self.deadlines.move_s
        own = clocks[self.to_move]
        return max(0.0, own.move_s) + self.deadlines.grace_s

    def garbage(self, message: str, line: str) -> EngineGarbage:
        """Return the error for a line that is not the dialect."""
        error = self.faults(EngineGarbage, f"{message}: {shown(line)}")
        error.line = line
        return error

    def unsupported(self, what: str) -> EngineUnsupported:
        """Return the error for something that cannot be asked of this engine."""
        return self.faults(EngineUnsupported, f"cannot {what} in this dialect ({self.dialect.value})")

    def hear(self, since: float, within_s: float, phase: str, noise: list[str]) -> Script[Heard]:
        """Receive a line; a silence after ``noise`` is garbage, because that it said something is the better hint."""
        try:
            heard: Heard = yield Receive(since, within_s, phase)
        except EngineStalled:
            if noise:
                raise self.garbage("printed no answer but", noise[0]) from None
            raise
        return heard

    def ignore(self, noise: list[str], line: str) -> None:
        """Note a line that means nothing.  Raises EngineGarbage when there were too many instead of an answer."""
        if line:
            noise.append(line)
        if len(noise) > MOST_NOISE_LINES:
            raise self.garbage(f"printed {len(noise)} lines that mean nothing, the first", noise[0])
