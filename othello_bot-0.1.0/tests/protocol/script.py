"""The engine's part, played from a list: a conversation is tested without a process and without waiting.

A dialogue is text, one line each: `> play b f5` must be sent next, `< = ` is the engine's next line, `...` is a silence
past any deadline. The clock of this world advances by a second with each line of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.protocol.conversation import Conversation, Receive, Script, Send, T
from othello_bot.protocol.errors import EngineError, EngineStalled


def fault(kind: type[Any], message: str) -> Any:
    """Create an error without a process."""
    return kind(message)


def drive(script: Script[T], fulfil: Callable[[Send | Receive], Any]) -> T:
    """Drive a script to its end, fulfilling its requests; return its result. Raise an engine's errors inside the
    script.
    """
    try:
        request = next(script)
        while True:
            try:
                result = fulfil(request)
            except EngineError as error:
                request = script.throw(error)
            else:
                request = script.send(result)
    except StopIteration as end:
        value: T = end.value
        return value


@dataclass
class ArrivedLine:
    """A line and its time of arrival."""

    text: str
    at: float


@dataclass
class Stage:
    """The rest of the dialogue."""

    dialogue: str
    now: float = 0.5
    waits: list[Receive] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = [line.strip() for line in self.dialogue.strip().splitlines() if line.strip()]

    def fulfil(self, request: Send | Receive) -> Any:
        """Return the result of a request; raise EngineStalled at a silence."""
        if isinstance(request, Send):
            expected = self.lines.pop(0) if self.lines else "(nothing)"
            assert f"> {request.line}".strip() == expected
            return self.now
        assert isinstance(request, Receive)
        self.waits.append(request)
        cue = self.lines.pop(0) if self.lines else "..."
        if cue == "...":
            self.now = request.since + request.within_s
            error = EngineStalled(f"silent: {request.awaited}")
            error.awaited = request.awaited
            raise error
        assert cue[:1] == "<", f"the engine is asked to speak, and the script says {cue!r}"
        self.now += 1
        return ArrivedLine(cue[1:].strip(), self.now)

    def run(self, script: Script[T]) -> T:
        """Drive the conversation to its end and return its result; the dialogue must then be over."""
        result = self.run_on(script)
        assert self.lines == []
        return result

    def run_on(self, script: Script[T]) -> T:
        """Drive the conversation to its end and return its result."""
        return drive(script, self.fulfil)


def best(
    move: int,
    time_s: float,
    score: float | None = None,
    words: str = "",
    nodes: int | None = None,
    pv: tuple[int, ...] = (),
    planned_s: float | None = None,
) -> EvaluatedMove:
    """Return the answer to a request for a move, of which an engine tells this much."""
    return EvaluatedMove(move, score, pv, words=words, nodes=nodes, time_s=time_s, planned_s=planned_s)


def talk(conversation: Conversation, dialogue: str) -> Stage:
    """Run the handshake by a dialogue; return the stage."""
    stage = Stage(dialogue)
    stage.run(conversation.handshake())
    return stage
