"""The program that `match check` examines: its processes, one after the other, and games that it plays with itself."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from othello_bot.arena.adjudication import Failure, Overtime
from othello_bot.arena.config import A_DAY
from othello_bot.arena.heartbeat import Heartbeat
from othello_bot.base import posix
from othello_bot.base.boards import parse_board
from othello_bot.base.clocks import Clocks, TimeSettings
from othello_bot.base.errors import brief, counted
from othello_bot.base.notation import PASS, RESIGN, Color, move_name
from othello_bot.game import LiveGame
from othello_bot.protocol.client import Client
from othello_bot.protocol.conversation import Deadlines
from othello_bot.protocol.conversation_gtp import GtpConversation, Passes
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import EngineError
from othello_bot.protocol.process import Patience
from othello_bot.rules import Game, Position

SENT_LINES: Final = 4
"""Most lines shown of what was sent before a fault."""

INIT_S: Final = 0.5
"""Seconds in which the answers to init lines come."""

UNASKED_S: Final = 0.3
"""Seconds in which nothing may come unasked."""

_LOAD: Final = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"


class FailedCheck(Exception):
    """A check failed: the lines that were sent, what came, and what is right (empty: what the check says)."""

    def __init__(self, came: str, sent: Sequence[str] = (), right: str = "") -> None:
        super().__init__(came)
        self.came = came
        self.sent = tuple(sent)
        self.right = right


class Skip(Exception):
    """A check that does not apply to this program; the message is the reason."""


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """What is examined, and how long it may take.

    init         lines that it is sent after its start
    start_s      for the first answer
    reply_s      for an answer that needs no search, and for the end after `quit`
    move_s       for a move without a clock
    margin_s     of a game by which it may exceed its clock, as in a match
    memory_mib   resident memory of the program and of what it starts
    """

    command: tuple[str, ...]
    dialect: Dialect = Dialect.GTP
    folder: str = ""
    init: tuple[str, ...] = ()
    start_s: float = 10.0
    reply_s: float = 5.0
    move_s: float = 60.0
    margin_s: float = 0.2
    memory_mib: float = 2048.0


class Probe:
    """The running process of the program, replaced after a fault. A context manager."""

    def __init__(self, settings: ProbeSettings) -> None:
        self.settings = settings
        self._client: Client | None = None
        self._greeted = False
        self._sent: deque[str] = deque(maxlen=SENT_LINES)

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    # -- the process --------------------------------------------------------------------------------------------------

    def launched(self) -> Client:
        """Return a new process to which nothing has been sent."""
        client = self._new()
        client.process.start()
        return client

    def fresh(self) -> Client:
        """Return a new process after the handshake."""
        client = self._new()
        client.start()
        for line in self.settings.init:
            client.process.send(f"{line}\n", self.settings.reply_s)
        if self.settings.init:
            # The answers, of which NBoard has none, are read before the next question.
            self.unasked(INIT_S)
        self._greeted = True
        return client

    def _new(self) -> Client:
        self.end()
        settings = self.settings
        patience = Patience(settings.reply_s, settings.reply_s, settings.reply_s)
        self._sent.clear()
        self._client = Client(
            settings.command,
            settings.dialect,
            deadlines=Deadlines(settings.start_s, settings.reply_s, settings.move_s, settings.reply_s),
            patience=patience,
            cwd=settings.folder or None,
            name="it",
            on_line=self._note,
        )
        return self._client

    def engine(self) -> Client:
        """Return the present process after the handshake, or a new one."""
        client = self._client
        return client if client is not None and self._greeted and client.process.running else self.fresh()

    def end(self) -> None:
        """Kill the present process and what it has started."""
        if self._client is not None:
            self._client.process.kill()
            self._client, self._greeted = None, False

    def _note(self, mark: str, line: str) -> None:
        if mark == ">":
            self._sent.append(line)

    # -- lines --------------------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Send lines as they are, to the present process."""
        assert self._client is not None
        self._client.process.send(f"{text}\n", self.settings.reply_s)

    def hear(self, within_s: float | None = None) -> str:
        """Return the next line of the present process."""
        assert self._client is not None
        return self._client.process.receive(self.settings.reply_s if within_s is None else within_s).text

    def unasked(self, for_s: float) -> list[str]:
        """Return the lines that come within some seconds without having been asked for."""
        assert self._client is not None
        ends_at, lines = time.monotonic() + for_s, []
        while (left_s := ends_at - time.monotonic()) > 0:
            received = self._client.process.poll()
            if received is None:
                self._client.process.wait(left_s)
            elif received.text:
                lines.append(received.text)
        return lines

    def fault(self, came: str, right: str = "") -> FailedCheck:
        """Return the fault after the last lines sent."""
        return FailedCheck(came, tuple(self._sent), right)

    def fault_of(self, error: EngineError) -> FailedCheck:
        """Return the fault that an error of the engine is."""
        code = "" if error.exit_code is None else f" (exit code {error.exit_code})"
        last = next((line for line in reversed(error.stderr) if line.strip()), "")
        return self.fault(f"it {error.message}{code}{f'; its stderr: {brief(last)}' if last else ''}")

    # -- games --------------------------------------------------------------------------------------------------------

    def play(
        self, plies: int, time_settings: TimeSettings | None = None, opening: str = "", judged: bool = False
    ) -> Game:
        """Let the present process play both sides of a new game for this many plies, and return the game.

        Raise FailedCheck for an illegal move, and, if `judged`, where a match would be lost on time.
        """
        if not judged:
            return self._play(plies, time_settings, opening, None)
        with Heartbeat() as heartbeat:
            return self._play(plies, time_settings, opening, heartbeat)

    def _play(self, plies: int, time_settings: TimeSettings | None, opening: str, heartbeat: Heartbeat | None) -> Game:
        overtimes = [Overtime(self.settings.margin_s) for _ in Color]
        client = self.engine()
        live = LiveGame(Game.from_transcript(opening), Clocks.start(time_settings or TimeSettings()))
        board = parse_board(live.game.start.to_string())
        has_games = self.settings.dialect is not Dialect.CASSIO
        if has_games:
            client.new_game(board, time_settings)
            client.set_position(board, live.game.moves)
        else:
            client.set_option("depth", 4)
        while not live.is_over and live.game.ply < plies:
            if live.position.must_pass:
                live = live.play(PASS)
                if has_games:
                    client.play(PASS)
                continue
            if not has_games:
                client.set_position(parse_board(live.position.to_string()))
            clocks = live.clocks.black.state or A_DAY, live.clocks.white.state or A_DAY
            best = client.best_move(clocks if time_settings else None, self.settings.move_s)
            if best.move == RESIGN:
                break  # resigning is not a fault
            number = f"move {live.game.ply + 1}"
            before = f"after {live.game.transcript()}" if live.game.ply else "from the start"
            self.check_move(live.position, best.move, f"{number} was {move_name(best.move)} {before}")
            if heartbeat is not None:
                try:
                    overtimes[live.color].judge(
                        clocks[live.color], best.time_s or 0.0, 0.0, heartbeat.tick(), live.game.ply + 1
                    )
                except Failure as failure:
                    raise self.fault(f"it {failure.detail}") from failure
            live = live.started(0.0).play(best.move, best.time_s)
        return live.game

    def check_move(self, position: Position, move: int, came: str) -> None:
        """Raise Fault for a move that the rules forbid; a pass is right where the mover must pass."""
        legal = position.legal_moves or (PASS,)
        if move not in legal:
            raise self.fault(came, f"one of {' '.join(map(move_name, legal))}")

    def check_silence(self, right: str, printed: Sequence[str] = ()) -> None:
        """Raise Fault for lines already printed, or printed unasked from now on."""
        if lines := [*printed, *self.unasked(UNASKED_S)]:
            raise self.fault(lines_text(lines), right)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a program must do: `description` completes the sentence "it ..."; `run` raises Fault or Skip."""

    name: str
    description: str
    run: Callable[[Probe], None]


def strict(client: Client) -> None:
    """Send an engine every pass, also after it has refused one."""
    if isinstance(client.conversation, GtpConversation):
        client.conversation.passes = Passes.ON


@contextmanager
def busy_machine() -> Iterator[None]:
    """Keep every core busy within the block."""
    others: list[subprocess.Popen[bytes]] = []
    try:
        with suppress(OSError):
            others += [subprocess.Popen([sys.executable, "-c", _LOAD]) for _ in range(posix.available_cores())]
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def lines_text(lines: Sequence[str], most: int = 3) -> str:
    """Return lines as one text; only the first ones of many."""
    more = f" and {counted(len(lines) - most, 'more line')}" if len(lines) > most else ""
    return " | ".join(map(brief, lines[:most])) + more
