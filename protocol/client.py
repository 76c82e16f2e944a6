"""One controller-side interface for all dialects: an engine as an object, synchronous or in asyncio.

    with Client(["othello-bot"]) as engine:
        engine.new_game()
        engine.play(parse_move("f5"))
        print(engine.best_move(within_s=5).move)

Both clients only drive a ``Conversation``: they send, wait and pass results on. After a refusal the engine can still be
used. After anything worse (it crashed, stalled, printed garbage, or the caller was interrupted) its process is ended at
once, because answers could no longer be matched to questions.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn

from othello_bot.base.clocks import ClockState, TimeSettings
from othello_bot.base.errors import ProtocolError
from othello_bot.base.notation import START, Board, move_name
from othello_bot.protocol.conversation import (
    Analysis,
    BestMove,
    Conversation,
    Deadlines,
    EngineInfo,
    Heard,
    Info,
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
from othello_bot.protocol.errors import EngineError, EngineIllegalMove, EngineRefused, EngineUnsupported
from othello_bot.protocol.process import CHECK_S, EngineProcess, Patience

CONVERSATIONS: Final[dict[Dialect, type[Conversation]]] = {
    Dialect.NATIVE: GtpConversation,
    Dialect.GTP: GtpConversation,
    Dialect.NBOARD: NBoardConversation,
    Dialect.CASSIO: CassioConversation,
}

Clocks = tuple[ClockState, ClockState]
"""Black's and white's clock."""

LAST_LINES: Final = 40
"""Most lines of the conversation, and of the engine's stderr, that ``last_words`` returns."""

LAST_LINE_CHARACTERS: Final = 500

_HARMLESS: Final = (EngineRefused, EngineUnsupported, ProtocolError)
"""Errors after which the conversation is still synchronised."""


class _Driver:
    """The shared part of both clients: the process, the conversation, and everything that needs no waiting."""

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
        on_stderr: Callable[[str], None] | None = None,
    ) -> None:
        """Store the command; nothing is started yet.

        ``env`` is added to this process's environment, ``name`` is used in errors, ``on_stderr`` receives each line
        that the engine writes to stderr, from a separate thread.
        """
        self.process = EngineProcess(command, cwd=cwd, env=env, name=name, patience=patience, on_stderr=on_stderr)
        self.conversation = CONVERSATIONS[dialect](self.process.fault, deadlines)
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

    def illegal_move(self, move: int) -> EngineIllegalMove:
        """Return the error for an illegal move. The caller knows the rules, and raises it."""
        error = self.process.fault(EngineIllegalMove, f"answered the illegal move {move_name(move)}")
        error.move, error.line = move, move_name(move)
        return error

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


class Client(_Driver):
    """A synchronous controller. A context manager: entering starts the engine, leaving stops it."""

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
        self, clocks: Clocks | None = None, within_s: float | None = None, *, thoughts: bool = False
    ) -> BestMove:
        """Return the engine's move, which is then played in the game (except in Cassio's dialect).

        Raise EngineStalled after ``within_s`` seconds; by default, after the clock's time and a grace, or a fixed time.
        With ``thoughts``, also request its score, nodes and pv if the dialect supports that.
        """
        return self._run(self.conversation.best_move(clocks, within_s, thoughts))

    def analyse(self, moves: int = 1, duration_s: float | None = None) -> Generator[Info, None, None]:
        """Yield the analysis of the best ``moves`` moves, for ``duration_s`` or until the caller stops iterating.

        Leaving the loop stops the analysis; use ``contextlib.closing`` to stop it immediately.
        """
        return self._stream(self.conversation.analyse(moves, duration_s))

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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

    def _stream(self, script: Script[None]) -> Generator[Info, None, None]:
        analysis = Analysis(script)
        try:
            while (info := self._run(analysis.next())) is not None:
                yield info
        finally:
            self._run(analysis.finish())

    def _attempt(self, request: Request) -> tuple[Any, EngineError | None]:
        """Fulfil a request; return the result, or the error to raise in the conversation."""
        try:
            if isinstance(request, Send):
                self._note(">", request.line)
                return self.process.send(request.line + "\n", self.conversation.deadlines.reply_s), None
            if isinstance(request, Receive):
                heard = self.process.receive(_left(request), request.phase)
                self._note("<", heard.text)
                return heard, None
        except EngineError as error:
            return None, error
        raise TypeError(f"not a request that can be fulfilled here: {request}")


class AsyncClient(_Driver):
    """The same for asyncio. The methods are those of ``Client``, awaited; for one task at a time."""

    async def start(self) -> EngineInfo:
        """Do as ``Client.start`` does."""
        # Not in a thread: if this task were cancelled in the meantime, the started process would be lost.
        self.process.start()
        try:
            return self._introduced(await self._run(self.conversation.handshake()))
        except BaseException:
            self.process.kill()
            raise

    async def new_game(self, start: Board = START, time: TimeSettings | None = None) -> None:
        """Do as ``Client.new_game`` does."""
        await self._run(self.conversation.new_game(start, time))

    async def set_position(self, start: Board = START, moves: Sequence[int] = ()) -> None:
        """Do as ``Client.set_position`` does."""
        await self._run(self.conversation.set_position(start, moves))

    async def play(self, move: int) -> None:
        """Do as ``Client.play`` does."""
        await self._run(self.conversation.play(move))

    async def best_move(
        self, clocks: Clocks | None = None, within_s: float | None = None, *, thoughts: bool = False
    ) -> BestMove:
        """Do as ``Client.best_move`` does."""
        return await self._run(self.conversation.best_move(clocks, within_s, thoughts))

    def analyse(self, moves: int = 1, duration_s: float | None = None) -> AsyncGenerator[Info, None]:
        """Do as ``Client.analyse`` does; use ``contextlib.aclosing`` (or a duration) to stop it immediately on leaving."""
        return self._stream(self.conversation.analyse(moves, duration_s))

    async def ping(self) -> float:
        """Do as ``Client.ping`` does."""
        return await self._run(self.conversation.ping())

    async def set_option(self, name: str, value: object) -> None:
        """Do as ``Client.set_option`` does."""
        await self._run(self.conversation.set_option(name, str(value)))

    async def close(self) -> int | None:
        """Do as ``Client.close`` does."""
        return await asyncio.to_thread(self.process.stop, self.conversation.farewell)

    async def __aenter__(self) -> AsyncClient:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, script: Script[T]) -> T:
        try:
            request = next(script)
            while True:
                request = _go_on(script, *await self._attempt(request))
        except StopIteration as end:
            result: T = end.value
            return result
        except BaseException as error:
            self._abandon(script, error)
            raise

    async def _stream(self, script: Script[None]) -> AsyncGenerator[Info, None]:
        analysis = Analysis(script)
        try:
            while (info := await self._run(analysis.next())) is not None:
                yield info
        finally:
            await self._run(analysis.finish())

    async def _attempt(self, request: Request) -> tuple[Any, EngineError | None]:
        """Fulfil a request; return the result, or the error to raise in the conversation."""
        try:
            if isinstance(request, Send):
                self._note(">", request.line)
                within_s = self.conversation.deadlines.reply_s
                return await asyncio.to_thread(self.process.send, request.line + "\n", within_s), None
            if isinstance(request, Receive):
                heard = await self._receive(_left(request), request.phase)
                self._note("<", heard.text)
                return heard, None
        except EngineError as error:
            return None, error
        raise TypeError(f"not a request that can be fulfilled here: {request}")

    async def _receive(self, within_s: float, phase: str) -> Heard:
        """Do as ``EngineProcess.receive`` does without blocking the loop."""
        loop = asyncio.get_running_loop()
        arrived = asyncio.Event()

        def announce() -> None:
            # The loop may be closing while an engine is still writing.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(arrived.set)

        deadline = time.monotonic() + within_s
        self.process.listen(announce)
        try:
            while True:
                arrived.clear()
                over = self.process.over
                if (received := self.process.poll()) is not None:
                    return received
                left = deadline - time.monotonic()
                if over or left <= 0:
                    raise await asyncio.to_thread(self.process.silence, phase, within_s)
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(arrived.wait(), min(left, CHECK_S))
        finally:
            self.process.listen(None)


def _go_on(script: Script[T], result: Any, error: EngineError | None) -> Request:
    """Return the next request; StopIteration is the end of the conversation."""
    return script.send(result) if error is None else script.throw(error)


def _left(request: Receive) -> float:
    return max(0.0, request.since + request.within_s - time.monotonic())
