"""Running the client: the connection, what is due from time to time, and thinking, as tasks of one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.ggs.client import GgsClient
from othello_bot.ggs.games import Following, ahead_of, first_of
from othello_bot.ggs.ledger import Ledger, Log
from othello_bot.ggs.policy import Policy
from othello_bot.protocol.ggs import FrameReader, parse_frame
from othello_bot.protocol.ggs_commands import QUIT, GgsCommand, Password
from othello_bot.protocol.ggs_values import format_time
from othello_bot.rules import Game, Position

_READ_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Pauses:
    """Times in seconds; tests shorten them.

    Attributes:
        connect_s: for a connection to be made.
        first_s: before the first new attempt to connect; each failure doubles it.
        longest_s: most before an attempt.
        tick_s: between two looks at what is due.
        alive_s: between two signs of life.
        silence_s: without a word from the server after which the connection counts as dead.
    """

    connect_s: float = 30.0
    first_s: float = 2.0
    longest_s: float = 300.0
    tick_s: float = 1.0
    alive_s: float = 60.0
    silence_s: float = 200.0


@dataclass(frozen=True, slots=True)
class Server:
    """Where to play, and as whom."""

    host: str
    port: int
    login: str
    password: Password


class AsyncPlayer(Protocol):
    """Who chooses our moves: an `AsyncEngine`, or another player for asyncio."""

    async def choose(self, position: Game, clock: ClockState, /) -> EvaluatedMove:
        """Return the move in a game in which we are to move, also a forced pass. A cancelled task stops it."""

    async def ponder(self, position: Position, expected: int | None, clock: ClockState, /) -> None:
        """Begin to think while the opponent is to move; `choose` and `stop_pondering` end it."""

    async def stop_pondering(self) -> object:
        """Stop thinking ahead."""


class Runner:
    """Plays until `leave` is called; thinks ahead if it `ponders`.

    `report` gets lines for a person, `show` the status line.
    """

    def __init__(
        self,
        server: Server,
        policy: Policy,
        ledger: Ledger,
        player: AsyncPlayer,
        log: Log,
        report: Callable[[str], None],
        show: Callable[[str], None] = lambda text: None,
        pauses: Pauses | None = None,
        *,
        ponders: bool = True,
    ) -> None:
        self._server = server
        self._player = player
        self._ponders = ponders
        self._log = log
        hide = server.password.hide
        self._report: Callable[[str], None] = lambda text: report(hide(text))
        self._show: Callable[[str], None] = lambda text: show(hide(text))
        log.hide = hide
        told = ledger.report
        ledger.report = lambda text: told(hide(text))
        self._pauses = pauses or Pauses()
        self._writer: asyncio.StreamWriter | None = None
        self._changed = asyncio.Event()
        self._gone = asyncio.Event()
        self._heard_at_s = 0.0
        self.connections = 0
        """Connections made so far."""
        self.client = GgsClient(server.login, policy, ledger, self._send, self._report)

    async def run(self) -> None:
        """Play until `leave`. Raise LoginRefused if the server does not let us in at the first attempt."""
        tasks = [asyncio.create_task(self._think()), asyncio.create_task(self._stay_connected())]
        gone = asyncio.create_task(self._gone.wait())
        try:
            await asyncio.wait([*tasks, gone], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            self._send(QUIT)
            await _end([*tasks, gone])
            await self._disconnect()

    def leave(self, *, at_once: bool = False) -> None:
        """Leave the server when our matches have ended, or at once: then rated matches are stored there."""
        if at_once or not self.client.playing:
            self._gone.set()
        self.client.leaving = True

    # -- the connection ---------------------------------------------------------------------------------------------

    def _send(self, command: GgsCommand) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._log.sent(command)
            self._writer.write(f"{command}\n".encode())

    async def _stay_connected(self) -> None:
        """Connect again and again, with growing pauses."""
        pause_s = self._pauses.first_s
        while True:
            reason = await self._connection()
            if self.client.is_ready:
                pause_s = self._pauses.first_s
            self.client.lost()
            self._changed.set()
            await self._disconnect()
            self._tell(f"{reason}; trying again in {pause_s:g} s")
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._pauses.longest_s)

    async def _connection(self) -> str:
        """Hold one connection to its end; return why it ended, in words."""
        where = f"{self._server.host}:{self._server.port}"
        try:
            opening = asyncio.open_connection(self._server.host, self._server.port)
            reader, writer = await asyncio.wait_for(opening, self._pauses.connect_s)
        except asyncio.TimeoutError:  # a class of its own before Python 3.11
            return f"{where} does not answer"
        except OSError as error:
            return f"{where} cannot be reached ({error.strerror or error})"
        self._writer = writer
        self.connections += 1
        self._tell(f"connected to {where} as {self._server.login}")
        self.client.connected(self._server.password)
        self._heard_at_s = time.monotonic()
        upkeep = asyncio.create_task(self._keep_up(writer))
        try:
            return await self._listen(reader)
        except OSError as error:
            return f"the connection broke ({error.strerror or error})"
        finally:
            await _end([upkeep])

    async def _listen(self, reader: asyncio.StreamReader) -> str:
        frames = FrameReader()
        while data := await reader.read(_READ_BYTES):
            self._heard_at_s = time.monotonic()
            for frame in frames.feed(data):
                self._log.received(frame)
                for message in parse_frame(frame):
                    self.client.handle(message)
            self._changed.set()
            if self.client.leaving and not self.client.playing:
                self._gone.set()
        return "the server closed the connection"

    async def _keep_up(self, writer: asyncio.StreamWriter) -> None:
        """Do what is due; end the connection if nothing is heard any more."""
        alive_at_s = time.monotonic()
        while True:
            await asyncio.sleep(self._pauses.tick_s)
            now_s = time.monotonic()
            if now_s - self._heard_at_s > self._pauses.silence_s:
                self._tell("the server is silent")
                writer.transport.abort()
                return
            if now_s - alive_at_s >= self._pauses.alive_s:
                alive_at_s = now_s
                self.client.keep_alive()
            self.client.tick()
            self._show(status(self.client))

    async def _disconnect(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), 1.0)

    def _tell(self, text: str) -> None:
        self._log.note(text)
        self._report(text)

    # -- thinking ---------------------------------------------------------------------------------------------------

    async def _think(self) -> None:
        """Choose moves, one at a time, and think ahead in between."""
        while True:
            game, boards = first_of(self.client.games.values())
            if game is None or not self.client.is_ready:
                await self._think_ahead()
                await self._changed.wait()
                self._changed.clear()
                continue
            ply = game.ply
            thought = await self._choose(game, boards)
            if thought is not None:
                self.client.answer(game, ply, thought)

    async def _choose(self, game: Following, boards: int) -> EvaluatedMove | None:
        """Return the move for a game, None if it went on or ended meanwhile."""
        ply = game.ply
        clock = game.clock(self.client.delay.reserve_s, boards)
        choosing = asyncio.create_task(self._player.choose(game.record.game.copy(), clock))
        try:
            while not choosing.done():
                change = asyncio.create_task(self._changed.wait())
                await asyncio.wait([choosing, change], return_when=asyncio.FIRST_COMPLETED)
                await _end([change])
                if self._changed.is_set():
                    self._changed.clear()
                    if self.client.games.get(game.id) is not game or game.ply != ply or not game.is_our_turn:
                        return None
            return choosing.result()
        finally:
            await _end([choosing])

    async def _think_ahead(self) -> None:
        game = ahead_of(self.client.games.values()) if self.client.is_ready else None
        if game is None:
            await self._player.stop_pondering()
        elif self._ponders:
            clock = game.clock(self.client.delay.reserve_s)
            expected = None if game.answer is None else game.answer.expected
            await self._player.ponder(game.record.game.position, expected, clock)


def status(client: GgsClient) -> str:
    """Return what the client does, in one line."""
    games = [game for game in client.games.values() if not game.ended]
    if not client.is_ready:
        text = "not connected"
    elif games:
        text = ", ".join(map(_told, games))
    else:
        text = "waits for matches"
    return f"ggs {client.login}: {text}; {client.ledger.saved} saved"


def _told(game: Following) -> str:
    """Return who plays, how far the game is, our clock and our score."""
    left = format_time(game.ours.clock.remaining_s)
    return f"{game.opponent} {game.id} move {game.ply}, {left} left {game.thought}".rstrip()


async def _end(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their end; their errors were or will be raised where they are awaited."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
