"""One controller-side interface for all dialects: an engine as an object.

    with Client(["othello-bot"]) as engine:
        engine.new_game()
        engine.play(parse_move("f5"))
        print(engine.best_move(within_s=5).move)

A client only drives a ``Conversation``: it sends, waits and passes results on. After a refusal the engine can still be
used. After anything worse (it crashed, stalled, printed garbage, or the caller was interrupted) its process is ended at
once, because answers could no longer be matched to questions.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from othello_bot.base.clocks import ClockStates, TimeSettings
from othello_bot.base.errors import ProtocolError
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import START, Board
from othello_bot.protocol.conversation import (
    Conversation,
    Deadlines,
    EngineInfo,
    Faults,
    Receive,
    Request,
    Script,
    Send,
    T,
)
from othello_bot.protocol.conversation_cassio import CassioConversation
from othello_bot.protocol.conversation_gtp import GtpConversation
from othello_bot.protocol.conversation_nboard import NBoardConversation
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import EngineError, EngineRefused, EngineUnsupported
from othello_bot.protocol.process import EngineProcess, OnLine, Patience

CONVERSATIONS: Final[dict[Dialect, type[Conversation]]] = {
    Dialect.NATIVE: GtpConversation,
    Dialect.GTP: GtpConversation,
    Dialect.NBOARD: NBoardConversation,
    Dialect.CASSIO: CassioConversation,
}


LAST_LINES: Final = 40
"""Most lines of the conversation, and of the engine's stderr, that ``last_words`` returns."""

LAST_LINE_CHARACTERS: Final = 500

_HARMLESS: Final = (EngineRefused, EngineUnsupported, ProtocolError)
"""Errors after which the conversation is still synchronised."""


class Client:
    """A synchronous controller. A context manager: entering starts the engine, leaving stops it."""

    def __init__(
        self,
        command: Sequence[str],
        dialect: Dialect = Dialect.GTP,
        *,
        deadlines: Deadlines | None = None,
        patience: Patience | None = None,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str = "",
        on_line: OnLine | None = None,
        talk: Callable[[Faults, Deadlines | None], Conversation] | None = None,
    ) -> None:
        """Store the command; nothing is started yet.

        ``env`` is added to this process's environment, ``name`` is used in errors, ``on_line`` receives each line.
        ``talk`` makes the conversation; None for that of the dialect.
        """
        self.process = EngineProcess(command, cwd=cwd, env=env, name=name, patience=patience, on_line=on_line)
        self.conversation = (talk or CONVERSATIONS[dialect])(self.process.fault, deadlines)
        self.waited_s = 0.0
        """Seconds between what was sent and the lines that answered, of whatever kind."""
        self._since_s = 0.0
        self._named = bool(name)
        self._traffic: deque[str] = deque(maxlen=LAST_LINES)

    def __reduce__(self) -> NoReturn:
        """Raise TypeError: the copy would share the process."""
        raise TypeError(f"a {type(self).__name__} cannot be copied: start another one with the same command")

    @property
    def info(self) -> EngineInfo:
        """Name, version and commands of the engine, once started."""
        return self.conversation.info

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves of the game, including passes (64)."""
        return tuple(self.conversation.moves)

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines sent (``> ``) and received (``< ``), then the last lines of the engine's stderr (``! ``).

        Long lines are cut, empty ones skipped. Useful after a failure, even when the process is gone.
        """
        errors = self.process.stderr_tail[-LAST_LINES:]
        return (*self._traffic, *(f"! {line[:LAST_LINE_CHARACTERS]}" for line in errors))

    def start(self) -> EngineInfo:
        """Start the engine and return its name, version and commands.

        Raise EngineError of every kind; then nothing is left running.
        """
        self.process.start()
        try:
            return self._introduced(self._run(self.conversation.handshake()))
        except BaseException:
            self.process.kill()
            raise

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> None:
        """Begin a new game from ``start``, under a time control if one is given."""
        self._run(self.conversation.new_game(start, time))

    def set_position(self, start: Board = START, moves: Sequence[int] = ()) -> None:
        """Go to the position after ``moves`` (passes included) from ``start``."""
        self._run(self.conversation.set_position(start, moves))

    def play(self, move: int) -> None:
        """Play a move (0..63, 64 for a pass) of the side to move."""
        self._run(self.conversation.play(move))

    def best_move(
        self, clocks: ClockStates | None = None, within_s: float | None = None, *, thoughts: bool = False
    ) -> EvaluatedMove:
        """Return the engine's move, which is then played in the game (except in Cassio's dialect).

        Raise EngineStalled after ``within_s`` seconds; by default, after the clock's time and a grace, or a fixed time.
        With ``thoughts``, also request its score, nodes and pv if the dialect supports that.
        """
        return self._run(self.conversation.best_move(clocks, within_s, thoughts))

    def turn(self, untold: Sequence[int], clocks: ClockStates | None, within_s: float | None) -> EvaluatedMove:
        """Send the moves that the engine does not know yet, and return its choice; see ``best_move``."""
        return self._run(self.conversation.turn(untold, clocks, within_s))

    def raw(self, line: str) -> None:
        """Send a line as it is."""
        self._run(self.conversation.raw(line))

    def ping(self) -> float:
        """Return the seconds that the engine takes to respond."""
        return self._run(self.conversation.ping())

    def set_option(self, name: str, value: object) -> None:
        """Set an option by the engine's own name. Raise EngineRefused or EngineUnsupported."""
        self._run(self.conversation.set_option(name, str(value)))

    def close(self) -> int | None:
        """End the engine for certain and return its exit code."""
        return self.process.stop(self.conversation.farewell)

    def __enter__(self) -> Client:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _introduced(self, info: EngineInfo) -> EngineInfo:
        """Use the engine's own name from now on, unless the caller has named it."""
        if info.name and not self._named:
            self.process.name = info.name
        return info

    def _note(self, mark: str, text: str) -> None:
        """Store a sent or received line for ``last_words``."""
        self._traffic.extend(f"{mark} {line[:LAST_LINE_CHARACTERS]}" for line in text.splitlines() if line)

    def _abandon(self, script: Script[Any], error: BaseException) -> None:
        """End the conversation, and, after an error that leaves it out of step, the process."""
        script.close()
        if not isinstance(error, _HARMLESS):
            self.process.kill()

    def _run(self, script: Script[T]) -> T:
        try:
            request = next(script)
            while True:
                request = _go_on(script, *self._attempt(request))
        except StopIteration as end:
            result: T = end.value
            return result
        except BaseException as error:
            self._abandon(script, error)
            raise

    def _attempt(self, request: Request) -> tuple[Any, EngineError | None]:
        """Fulfil a request; return the result, or the error to raise in the conversation."""
        try:
            if isinstance(request, Send):
                self._note(">", request.line)
                sent_at = self.process.send(request.line + "\n", self.conversation.deadlines.reply_s)
                self._since_s = max(self._since_s, sent_at)
                return sent_at, None
            if isinstance(request, Receive):
                heard = self.process.receive(_left(request), request.awaited)
                self.waited_s += max(0.0, heard.at - self._since_s)
                self._since_s = max(self._since_s, heard.at)
                self._note("<", heard.text)
                return heard, None
        except EngineError as error:
            return None, error
        raise TypeError(f"not a request that can be fulfilled here: {request}")


def _go_on(script: Script[T], result: Any, error: EngineError | None) -> Request:
    """Return the next request; StopIteration is the end of the conversation."""
    return script.send(result) if error is None else script.throw(error)


def _left(request: Receive) -> float:
    return max(0.0, request.since + request.within_s - time.monotonic())
