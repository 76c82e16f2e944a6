"""What the arena sends an engine for each of its turns, in each dialect, and the record of a game's traffic.

`players` sends it. The record is a compressed file that is complete after every line, so a killed match leaves readable
files.
"""

from __future__ import annotations

import os
import re
import struct
import threading
import time
import zlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from othello_bot.arena.config import PlayerDialect
from othello_bot.arena.errors import ArenaError
from othello_bot.base.boards import parse_board
from othello_bot.base.clocks import ClockStates
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import RESIGN, Board, Color, NotationError, move_name, parse_decimal, parse_integer
from othello_bot.base.visible import visible
from othello_bot.protocol.conversation import Conversation, Script, Send
from othello_bot.protocol.conversation_gtp import GtpConversation, Passes
from othello_bot.protocol.conversation_json import BotzoneConversation, JsonConversation, SimpleBotzoneConversation
from othello_bot.protocol.conversation_nboard import NBoardConversation
from othello_bot.protocol.errors import Awaited
from othello_bot.protocol.gtp import Reply
from othello_bot.protocol.process import OnLine
from othello_bot.rules import Position


class Turns(Conversation):
    """A conversation in turns: the moves since the engine's last one, then the request for its next one."""

    has_ping = True
    """Whether the engine can be asked for a sign of life."""

    def look(self, position: Position, illegal: Sequence[int]) -> None:
        """Note the position of the next turn, and the moves that were refused in it."""

    def turn(self, untold: Sequence[int], clocks: ClockStates | None, within_s: float | None) -> Script[EvaluatedMove]:
        """Send the moves that the engine does not know yet, and request its move; see `Conversation.best_move`."""
        for move in untold:
            yield from self.play(move)
        return (yield from self.best_move(clocks, within_s, thoughts=True))

    @abstractmethod
    def raw(self, line: str) -> Script[None]:
        """Send a line of the user's as it is."""


class GtpTurns(GtpConversation, Turns):
    """GTP, one command at a time, which every engine understands."""

    _last = ""

    def raw(self, line: str) -> Script[None]:
        """Send a line; raise EngineRefused if the engine refuses it."""
        yield from self._demand(line)

    def turn(self, untold: Sequence[int], clocks: ClockStates | None, within_s: float | None) -> Script[EvaluatedMove]:
        """Send the moves and `genmove`, then ask how the move was found if the engine lists `stats`."""
        if "stats" not in self.info.commands:
            return (yield from super().turn(untold, clocks, within_s))
        for move in untold:
            yield from self.play(move)
        best = yield from self.best_move(clocks, within_s)
        return self._with_thoughts(best, (yield from self._ask("stats")))

    def _with_thoughts(self, best: EvaluatedMove, reply: Reply) -> EvaluatedMove:
        """Add what `stats` reports. If it repeats itself, it is about an earlier move: the book chose this one."""
        if not reply.ok or reply.text == self._last:
            return best
        self._last = reply.text
        facts = dict(re.findall(r"^(depth|score|nodes|planned) (\S+)", reply.text, re.MULTILINE))
        try:
            score = parse_decimal(facts["score"]) if "score" in facts else None
            nodes = parse_integer(facts["nodes"]) if "nodes" in facts else None
            planned_s = parse_decimal(facts["planned"]) if "planned" in facts else None
        except NotationError as error:
            raise self.garbage("answered stats with no number", error.value) from None
        return replace(best, score=score, words=facts.get("depth", ""), nodes=nodes, planned_s=planned_s)


class NativeTurns(GtpTurns):
    """Our own session: the commands of a whole turn are sent at once and answered one after the other.

    The engine finds its next command when it has answered the last, so neither waits in between.
    """

    passes = Passes.ON

    def turn(self, untold: Sequence[int], clocks: ClockStates | None, within_s: float | None) -> Script[EvaluatedMove]:
        """Send the moves, both clocks, `genmove` and `stats` at once; the engine's time starts then."""
        plays, times = self._plays(untold), []
        if clocks is not None and self._knows("time_left"):
            times = [self._time_left(color, clocks[color]) for color in Color]
        genmove = f"genmove {self.to_move.letter}"
        questions = ["stats"] if "stats" in self.info.commands else []
        deadline_s = self.move_deadline_s(clocks, within_s)
        sent_at = yield Send("\n".join([*plays, *times, genmove, *questions]))
        yield from self._accepted(plays, sent_at)
        for _ in times:
            # A refusal does no harm: the engine keeps its own clock, and the arena's decides.
            yield from self._reply(sent_at, self.deadlines.reply_s, Awaited.REPLY)
        chosen, heard = yield from self._reply(sent_at, deadline_s, Awaited.MOVE)
        best = EvaluatedMove(RESIGN, by=self.info.name, time_s=max(0.0, heard.at - sent_at))
        for _ in questions:
            reply, _ = yield from self._reply(heard.at, self.deadlines.reply_s, Awaited.REPLY)
            best = self._with_thoughts(best, reply)
        if not chosen.ok:
            raise self._refused(genmove, chosen.text)
        return replace(best, move=self._chosen(chosen.text.strip()))

    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Send the moves of an opening at once if they continue the known game, as in a new game."""
        known = len(self.moves)
        if start != self.start or list(moves[:known]) != self.moves:
            yield from super().set_position(start, moves)
        elif plays := self._plays(moves[known:]):
            yield from self._accepted(plays, (yield Send("\n".join(plays))))

    def _plays(self, moves: Sequence[int]) -> list[str]:
        """Return the commands for moves, and count the moves as played."""
        commands = []
        for move in moves:
            commands.append(f"play {self.to_move.letter} {move_name(move)}")
            self.moves.append(move)
        return commands

    def _accepted(self, commands: Sequence[str], sent_at: float) -> Script[None]:
        """Read the replies to commands. Raise EngineRefused for a refusal; the replies that follow are left unread."""
        for command in commands:
            reply, _ = yield from self._reply(sent_at, self.deadlines.reply_s, Awaited.REPLY)
            if not reply.ok:
                raise self._refused(command, reply.text)


class NBoardTurns(NBoardConversation, Turns):
    """NBoard."""

    def raw(self, line: str) -> Script[None]:
        """Send a line; a ping confirms that it was read."""
        yield Send(line)
        yield from self.ping()


class JsonTurns(JsonConversation, Turns):
    """Our protocol of one JSON object a turn."""

    has_ping = False

    def look(self, position: Position, illegal: Sequence[int]) -> None:
        """Note what the turn tells."""
        self.board = parse_board(position.to_string())
        self.legal = position.legal_moves
        self.illegal = illegal

    def raw(self, line: str) -> Script[None]:
        """Send a line, which nothing answers."""
        yield Send(line)


class BotzoneTurns(BotzoneConversation, Turns):
    """Botzone."""

    has_ping = False

    def raw(self, line: str) -> Script[None]:
        """Raise EngineUnsupported: a bot reads one line and answers it."""
        self._never("take init lines")
        yield  # a generator, like its siblings


class SimpleBotzoneTurns(SimpleBotzoneConversation, BotzoneTurns):
    """Botzone's simple interaction."""


TURNS: Final[dict[PlayerDialect, type[GtpTurns | NBoardTurns | JsonTurns | BotzoneTurns]]] = {
    PlayerDialect.NATIVE: NativeTurns,
    PlayerDialect.GTP: GtpTurns,
    PlayerDialect.NBOARD: NBoardTurns,
    PlayerDialect.JSON: JsonTurns,
    PlayerDialect.BOTZONE: BotzoneTurns,
    PlayerDialect.BOTZONE_SIMPLE: SimpleBotzoneTurns,
}


# -- the record of what is said -----------------------------------------------------------------------------------------

# Each write begins where the data of the last one ended, and brings a new end of the file as gzip demands it.

_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_LAST_BLOCK: Final = b"\x03\x00"
"""The end of deflated data after a flush: an empty block that is marked as the last one."""


class Traffic:
    """The record of one game. A context manager; thread-safe. A game that is played again is appended to the same file."""

    def __init__(self, path: Path, title: str) -> None:
        """Begin with a line; raise ArenaError if the file cannot be written."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
            self._place = os.lseek(self._file, 0, os.SEEK_END)
        except OSError as error:
            raise ArenaError(f"traffic of a game: {path}: {error.strerror or error}") from error
        self._path = path
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._deflate = zlib.compressobj(wbits=-15)
        self._check, self._size = 0, 0
        self._write(f"# {visible(title)}\n", _HEAD)

    def __enter__(self) -> Traffic:
        return self

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            os.close(self._file)
            self._file = -1

    def of(self, who: str) -> OnLine:
        """Return what receives the lines of an engine: seconds, who, the mark of the line, and the line."""

        def write(mark: str, line: str) -> None:
            self._write(f"{time.monotonic() - self._began:10.6f} {who} {mark} {visible(line)}".rstrip() + "\n")

        return write

    def _write(self, text: str, head: bytes = b"") -> None:
        data = text.encode("utf-8", "replace")
        with self._lock:
            if self._file < 0:
                return  # an engine speaks between its games
            packed = head + self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
            self._check = zlib.crc32(data, self._check)
            self._size += len(data)
            end = _LAST_BLOCK + struct.pack("<LL", self._check, self._size & 0xFFFFFFFF)
            try:
                os.lseek(self._file, self._place, os.SEEK_SET)
                os.write(self._file, packed + end)
            except OSError:
                # A full disk ends the record, not the game.
                os.close(self._file)
                self._file = -1
                return
            self._place += len(packed)
