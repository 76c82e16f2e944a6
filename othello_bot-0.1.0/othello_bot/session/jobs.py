"""Jobs: what a line of a dialect asks for, and how it is answered. The loop carries them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from othello_bot.base.errors import InputError
from othello_bot.engine import Steps
from othello_bot.protocol.wire import InputLine

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult
    from othello_bot.rules import Position


Observer = Callable[["SearchResult"], None]
"""Observes the intermediate results of a search. It is called in the loop's thread."""

JobOutcome = str | Steps[str]
"""The result of a handler: its answer, or the steps to it.

So a handler reads from top to bottom although the loop keeps accepting lines during its searches. `on_report` of a
request is called in the loop's thread.
"""


class DialectAdapter:
    """A line protocol, as the loop sees it."""

    def read(self, line: InputLine, asked_at_s: float) -> Job[Any] | None:
        """Return the job of a line, None if it has none (an empty line, a comment). Never raise."""
        raise NotImplementedError

    def succeed(self, job: Job[Any], text: str) -> None:
        """Write the answer to a command, or the rest of it."""
        raise NotImplementedError

    def fail(self, job: Job[Any], error: ValueError) -> None:
        """Write that a command was refused, and why; nothing has changed."""
        raise NotImplementedError

    def observer(self, job: Job[Any], position: Position) -> Observer | None:
        """Return the observer of a search that its command does not observe; None for none."""
        return None

    def due(self) -> Job[Any] | None:
        """Return the job to begin now without a line, such as a move of the engine that nobody asks for; None for none."""
        return None

    def prepare(self) -> None:
        """Load now, while no line waits, what the next move would load while its clock runs."""

    def when_idle(self) -> None:
        """Do the remaining work once every request is answered."""
        raise NotImplementedError


D = TypeVar("D", bound=DialectAdapter)


@dataclass(frozen=True, slots=True)
class Answer(Generic[D]):
    """How a command is answered.

    handler        executes it; errors that it raises refuse the command, and nothing has changed
    overtakes      it is answered at once, even during a search, unless that search has begun to write its answer
    stops          it ends all searches requested before it
    ends_on_input  any line that arrives while it runs, even an empty one, ends it
    quits          it ends the session once it is answered
    """

    handler: Callable[[Job[D]], JobOutcome]
    overtakes: bool = False
    stops: bool = False
    ends_on_input: bool = False
    quits: bool = False


def refusal(error: InputError) -> Answer[Any]:
    """Return the answer to a line that is no command: an error, in its turn."""

    def refuse(job: Job[Any]) -> JobOutcome:
        raise error

    return Answer(refuse)


class Job(Generic[D]):
    """One line that a dialect answers; `command` is what the line says."""

    def __init__(self, dialect: D, command: Any, answer: Answer[D], asked_at_s: float) -> None:
        self.dialect = dialect
        self.command = command
        self.answer = answer
        self.asked_at_s = asked_at_s
        """Time of the line's arrival (`time.monotonic`), or of the previous command's answer if that came later."""
        self.interrupted = False
        """Whether a stop has arrived: searches end at once, and no further ones begin."""
        self.searched = False
        """Whether a search has begun for it."""
        self.reply_open = False
        """Whether part of the answer is written; no other answer may come before the rest."""
