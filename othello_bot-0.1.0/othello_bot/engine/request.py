"""Requests of searches, their results, and the steps of what needs several searches.

Code that needs searches is a generator, `Steps`: it yields a `SearchRequest` and receives the result, so that a session
can listen to its input in the meantime. `advance` drives one; `carried_out` does so in a caller that can wait.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Generic, Protocol, TypeVar

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS
from othello_bot.engine.limits import Limits
from othello_bot.rules import Position


class Ended(str, Enum):
    """Why a search ended; the values are the words of `stats`."""

    SOLVED = "solved"
    GOAL = "goal"
    """It reached its depth or level."""
    ONLY_MOVE = "only move"
    EASY_MOVE = "easy move"
    DECIDED = "decided"
    """The winner is proven, and more thinking could only change the score by a few discs."""
    OPTIMUM = "optimum"
    MAXIMUM = "maximum"
    """It used its maximum time."""
    NODES = "nodes"
    STOP = "stop"

    __str__ = str.__str__


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: the best lines, best first, and their cost. `stopped`: it ended before its own goal.

    `ended` says why it ended; None for the move of a chooser. `position` is what an engine searched, None where only
    its bitboards were known. `near`: the other moves that lose at most `Limits.near` discs, as far as they were tested.
    """

    lines: tuple[EvaluatedMove, ...]
    nodes: int
    time_s: float
    stopped: bool = False
    ended: Ended | None = field(default=None, compare=False)
    position: Position | None = field(default=None, compare=False)
    near: tuple[EvaluatedMove, ...] = ()

    def __repr__(self) -> str:
        lines = ", ".join(map(repr, self.lines))
        stopped = ", stopped" if self.stopped else ""
        return f"<SearchResult [{lines}], {self.nodes} nodes, {self.time_s:.3f} s{stopped}>"

    def _repr_svg_(self) -> str | None:
        """Return a picture of the position with the scores of the lines on their squares; notebooks show it."""
        from othello_bot import svg

        if self.position is None:
            return None
        return svg.board(self.position, values={line.move: line.discs for line in self.lines if line.move != PASS})

    @property
    def best(self) -> EvaluatedMove:
        """The best line; IndexError if the game is over."""
        return self.lines[0]

    @property
    def move(self) -> int:
        """The best move: a square, or PASS."""
        return self.best.move

    @property
    def score(self) -> int:
        """Score in discs, from the mover's view."""
        return self.best.discs

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation."""
        return self.best.pv

    @property
    def depth(self) -> int:
        """Depth of the deepest completed iteration in plies; 0 before the first."""
        return self.lines[0].depth if self.lines else 0

    @property
    def selectivity(self) -> int:
        """Selectivity of the best line in percent."""
        return self.lines[0].selectivity if self.lines else 100

    @property
    def exact(self) -> bool:
        """Whether the score is proven to the end of the game."""
        return bool(self.lines) and self.lines[0].exact

    @property
    def rate(self) -> float:
        """Nodes a second."""
        return self.nodes / self.time_s if self.time_s > 0 else 0.0

    def reached(self) -> str:
        """Return the depth of the search in words: "14@73%", "22@98%" or "exact"."""
        return self.lines[0].reached() if self.lines else "0@100%"


Chooser = Callable[["Position", Callable[[], bool]], int]
"""Chooses a move instead of a search; it calls its argument often to learn whether it should end with its current
result.
"""


T = TypeVar("T")


class SearchEngine(Protocol):
    """What answers requests: an `Engine`."""

    def begin(
        self, request: SearchRequest, on_done: Callable[[SearchResult | BaseException], None] | None = None
    ) -> None:
        """Start what a request asks for, and return."""

    def answer(self, request: SearchRequest) -> SearchResult:
        """Return the result of what a request asks for; block until then."""

    def stop(self) -> None:
        """Stop it, from any thread."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search to be made.

    `on_report` is called with each improvement, or, if `report_every_s` is set, with the latest result at that interval
    in seconds. A `chooser` replaces the search; of the limits it sees only the times. `label` names one of several searches
    in a few words. The time counts from `asked_at_s` (of `time.monotonic`; None: from the start of the search).
    `engine` is the one that searches; None for that of whoever carries the request out.
    """

    position: Position
    limits: Limits
    on_report: Callable[[SearchResult], None] | None = None
    report_every_s: float | None = None
    chooser: Chooser | None = None
    label: str = ""
    asked_at_s: float | None = None
    engine: SearchEngine | None = None


Steps = Generator[SearchRequest, SearchResult, T]
"""A generator of the searches that a task needs, one after the other; it returns the task's result."""


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The end of steps, with the value that they returned."""

    value: T


def advance(steps: Steps[T], outcome: SearchResult | BaseException | None) -> SearchRequest | Finished[T]:
    """Hand the outcome of the last request to the steps, None at first; return their next request, or their end."""
    try:
        return steps.throw(outcome) if isinstance(outcome, BaseException) else steps.send(outcome)  # type: ignore[arg-type]  # None starts a generator
    except StopIteration as end:
        return Finished(end.value)


def answered(request: SearchRequest) -> SearchResult:
    """Return the result of a request that names its engine."""
    assert request.engine is not None
    return request.engine.answer(request)


def carried_out(
    steps: Steps[T], search: Callable[[SearchRequest], SearchResult] = answered, asked_at_s: float | None = None
) -> T:
    """Return the result of the steps, with each request answered by `search`; `asked_at_s`: see `SearchRequest`.

    The steps receive what `search` raises.
    """
    step = advance(steps, None)
    while isinstance(step, SearchRequest):
        if asked_at_s is not None:
            step = replace(step, asked_at_s=asked_at_s)
        try:
            outcome: SearchResult | BaseException = search(step)
        except BaseException as error:  # noqa: BLE001 - raised by the steps, unless they handle it
            outcome = error
        step = advance(steps, outcome)
    return step.value
