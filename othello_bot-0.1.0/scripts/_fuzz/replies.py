"""Fuzzed engines: whatever an engine sends, the controller's side gets its answer or raises one of its errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Final

from othello_bot.base.clocks import ClockState, TimeSettings, TimeSystem
from othello_bot.base.notation import START
from othello_bot.protocol.client import CONVERSATIONS
from othello_bot.protocol.conversation import Receive, Script, Send
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import EngineError, EngineStalled
from othello_bot.protocol.wire import clean
from tests.protocol.script import ArrivedLine, drive

MOST_STEPS: Final = 20_000
"""Most requests of one conversation; a longer one is a loop."""

CLOCK: Final = ClockState(60, 1)


class ScriptedEngine:
    """Sends the lines of the input, one at each receive, and then nothing more."""

    def __init__(self, data: bytes) -> None:
        self._lines: Iterator[str] = map(clean, data.split(b"\n"))
        self._now = 0.0
        self._steps = 0

    def run(self, script: Script[Any]) -> Any:
        """Drive a script to its end."""
        return drive(script, self._fulfil)

    def _fulfil(self, request: Send | Receive) -> Any:
        self._steps += 1
        assert self._steps < MOST_STEPS, "the conversation does not end"
        if isinstance(request, Send):
            assert "\n" not in request.line, request.line
            return self._now
        assert isinstance(request, Receive)
        line = next(self._lines, None)
        if line is None:
            self._now = max(self._now, request.since + request.within_s)
            raise EngineStalled("silent")
        self._now += 0.001
        return ArrivedLine(line, self._now)


def _converse(dialect: Dialect, data: bytes) -> None:
    def fault(kind: type[Any], message: str) -> Any:
        assert len(message) < 500, f"an error of {len(message)} characters"
        return kind(message)

    conversation = CONVERSATIONS[dialect](fault)
    engine = ScriptedEngine(data)
    settings = TimeSettings(TimeSystem.FISCHER, 60, 1)
    steps: list[Callable[[], object]] = [
        lambda: engine.run(conversation.handshake()),
        lambda: engine.run(conversation.new_game(START, settings)),
        lambda: engine.run(conversation.play(37)),
        lambda: engine.run(conversation.best_move((CLOCK, CLOCK), thoughts=True)),
        lambda: engine.run(conversation.best_move()),
        lambda: engine.run(conversation.ping()),
        lambda: engine.run(conversation.set_option("level", "3")),
        lambda: engine.run(conversation.set_position(START, (37, 43))),
    ]
    for step in itertools.chain(steps, steps):
        try:
            step()
        except EngineError as error:
            assert str(error)


def _run(dialect: Dialect) -> Callable[[bytes], None]:
    return lambda data: _converse(dialect, data)


RUNS: Final = {f"replies-{dialect.value}": _run(dialect) for dialect in (Dialect.GTP, Dialect.NBOARD, Dialect.CASSIO)}
"""A target for each dialect of a controller."""
