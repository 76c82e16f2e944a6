"""The controller's side of GTP 2, for any Othello engine that supports part of it.

Only ``clear_board``, ``play`` and ``genmove`` are assumed: commands missing from ``list_commands`` are not sent, and if
there is no list, the engine may refuse the optional commands. No ids are sent: commands and replies alternate, and some
engines handle ids wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from othello_bot.base import notation
from othello_bot.base.clocks import ClockState, ClockStates, TimeLeft, TimeSettings, TimeSystem
from othello_bot.base.errors import brief, shown
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, RESIGN, START, Board, Color, NotationError
from othello_bot.protocol import analysis, gtp, time_commands
from othello_bot.protocol.conversation import (
    Conversation,
    EngineInfo,
    Heard,
    Receive,
    Script,
    Send,
)
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import Awaited, EngineRefused, EngineStalled

_THOUGHTS_CS: Final = 5
"""Centiseconds between two reports while a move is chosen: only the last counts, and it should be recent."""


class Passes(str, Enum):
    """Whether passes are sent to an engine; the value is the name in settings.

    Some engines pass by themselves if the rules force them to, and refuse ``play w pass`` (GRhino does).
    """

    LEARN = "learn"
    """Until it refuses one."""
    ON = "on"
    OFF = "off"

    __str__ = str.__str__


class GtpConversation(Conversation):
    """GTP 2, or our own session, which is GTP with more commands."""

    dialect = Dialect.GTP
    passes: Passes = Passes.LEARN
    """Whether passes are sent; a refused pass changes ``LEARN`` to ``OFF``."""

    def handshake(self) -> Script[EngineInfo]:
        """Request name, version and commands; accept an engine that knows none of these.

        An engine that lists ``set_game`` may play several games, so it is told which one.
        """
        name = yield from self._ask("name", self.deadlines.start_s, Awaited.START)
        version = yield from self._ask("version")
        listed = yield from self._ask("list_commands")
        commands = frozenset(listed.text.lower().split()) if listed.ok else frozenset()
        self.info = EngineInfo(name.text if name.ok else "", version.text if version.ok else "", commands)
        if "set_game" in commands:
            yield from self._ask("set_game Othello")
        return self.info

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Clear the board after setting its size, as GTP requires."""
        if self._knows("boardsize"):
            yield from self._ask("boardsize 8")
        yield from self._set_board(start)
        self.start, self.moves = start, []
        if time is not None:
            yield from self._set_time(time)

    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Play the additional moves if the new game continues the known one, else begin again."""
        known = len(self.moves)
        if start != self.start or list(moves[:known]) != self.moves:
            yield from self._set_board(start)
            self.start, self.moves, known = start, [], 0
        for move in moves[known:]:
            yield from self.play(move)

    def play(self, move: int) -> Script[None]:
        """Send ``play``; see ``passes`` for a pass."""
        if move != PASS or self.passes is not Passes.OFF:
            command = f"play {self.to_move.letter} {notation.move_name(move)}"
            reply = yield from self._ask(command)
            if not reply.ok and (move != PASS or self.passes is Passes.ON):
                raise self._refused(command, reply.text)
            if not reply.ok:
                self.passes = Passes.OFF
        self.moves.append(move)

    def best_move(
        self,
        clocks: ClockStates | None = None,
        within_s: float | None = None,
        thoughts: bool = False,
    ) -> Script[EvaluatedMove]:
        """Send both clocks, then ``genmove``; ignore a refusal of the former.

        For ``thoughts``, send ``kata-genmove_analyze`` instead if it is listed.
        """
        deadline_s = self.move_deadline_s(clocks, within_s)
        if clocks is not None and self._knows("time_left"):
            for color in Color:
                yield from self._ask(self._time_left(color, clocks[color]))
        if thoughts and "kata-genmove_analyze" in self.info.commands:
            return (yield from self._best_move_with_thoughts(deadline_s))
        command = f"genmove {self.to_move.letter}"
        sent_at = yield Send(command)
        reply, heard = yield from self._reply(sent_at, deadline_s, Awaited.MOVE)
        if not reply.ok:
            raise self._refused(command, reply.text)
        return self._answer(reply.text.strip(), heard.at - sent_at)

    def _best_move_with_thoughts(self, deadline_s: float) -> Script[EvaluatedMove]:
        command = f"kata-genmove_analyze {self.to_move.letter} {_THOUGHTS_CS}"
        sent_at = yield Send(command)
        reader = gtp.ReplyReader()
        noise: list[str] = []
        thought: EvaluatedMove | None = None
        while True:
            heard = yield from self.hear(sent_at, deadline_s, Awaited.MOVE, noise)
            if not reader.inside and not reader.begin(heard.text):
                self.ignore(noise, heard.text)
            elif heard.text[:1] == "?":
                reply = yield from self._finish(reader, heard)
                raise self._refused(command, reply.text)
            elif not heard.text:
                raise self.garbage("ended its thoughts with no move", command)
            elif heard.text.startswith("play "):
                break
            else:
                thought = next(iter(self._thoughts(heard)), thought)
        yield from self._finish(reader, heard)
        answer = self._answer(heard.text.removeprefix("play ").strip(), heard.at - sent_at)
        if thought is None or thought.move != answer.move:
            return answer
        return replace(thought, by=answer.by, time_s=answer.time_s)

    def _answer(self, text: str, took_s: float) -> EvaluatedMove:
        """Return the move that the engine has chosen, of which nothing else is known, and play it."""
        return EvaluatedMove(self._chosen(text), by=self.info.name, time_s=max(0.0, took_s))

    def _chosen(self, text: str) -> int:
        """Return the move that the engine has chosen and play it; RESIGN if it has resigned."""
        if text.lower() == "resign":
            return RESIGN
        try:
            move = notation.parse_move(text)
        except NotationError:
            raise self.garbage("answered genmove with no move", text) from None
        self.moves.append(move)
        return move

    def ping(self) -> Script[float]:
        """Send ``ping`` if it is known, else another harmless command."""
        sent_at = yield Send("ping 1" if "ping" in self.info.commands else "protocol_version")
        _, heard = yield from self._reply(sent_at, self.deadlines.reply_s, Awaited.REPLY)
        return float(max(0.0, heard.at - sent_at))

    def set_option(self, name: str, value: str) -> Script[None]:
        """Send ``setoption``, or the equivalent of KataGo or neural-reversi."""
        if "setoption" in self.info.commands:
            yield from self._demand(f"setoption name {name} value {value}")
        elif "kata-set-param" in self.info.commands:
            yield from self._demand(f"kata-set-param {name} {value}")
        elif f"set_{name}" in self.info.commands:
            yield from self._demand(f"set_{name} {value}")
        else:
            raise self.unsupported(f"set the option {name}")

    def raw(self, line: str) -> Script[None]:
        """Send a line; raise EngineRefused if the engine refuses it."""
        yield from self._demand(line)

    # -- parts --------------------------------------------------------------------------------------------------------

    def _knows(self, command: str) -> bool:
        """Return whether a command may be sent: it is listed, or there is no list."""
        return not self.info.commands or command in self.info.commands

    def _set_board(self, start: Board) -> Script[None]:
        if start == START:
            yield from self._demand("clear_board")
        elif "setposition" in self.info.commands:
            yield from self._demand(f"setposition {start}")
        elif "gogui-setup" in self.info.commands:
            yield from self._demand("clear_board")
            discs = [
                f"{'bw'['XO'.index(cell)]} {notation.move_name(at)}"
                for at, cell in enumerate(start.cells)
                if cell != "-"
            ]
            yield from self._demand("gogui-setup " + " ".join(discs))
            yield from self._demand(f"gogui-setup_player {start.to_move.letter}")
        else:
            raise self.unsupported("set up a board")

    def _set_time(self, time: TimeSettings) -> Script[None]:
        with_increment = time.system in (TimeSystem.FISCHER, TimeSystem.FISCHER_CAPPED, TimeSystem.BYOYOMI)
        if with_increment and "kata-time_settings" in self.info.commands:
            yield from self._demand(time_commands.format_kata_time_settings(time))
        elif self._knows("time_settings"):
            yield from self._ask(time_commands.format_time_settings(time))

    def _time_left(self, color: Color, clock: ClockState) -> str:
        # Engines that follow GTP strictly accept only whole seconds; those with KataGo's extensions accept decimals.
        exact = "kata-time_settings" in self.info.commands
        left_s = max(0.0, clock.remaining_s)
        return time_commands.format_time_left(TimeLeft(color, left_s if exact else int(left_s), clock.moves_to_go or 0))

    def _ask(self, command: str, within_s: float | None = None, awaited: Awaited = Awaited.REPLY) -> Script[gtp.Reply]:
        sent_at = yield Send(command)
        reply, _ = yield from self._reply(sent_at, self.deadlines.reply_s if within_s is None else within_s, awaited)
        return reply

    def _demand(self, command: str) -> Script[gtp.Reply]:
        reply = yield from self._ask(command)
        if not reply.ok:
            raise self._refused(command, reply.text)
        return reply

    def _reply(self, sent_at: float, within_s: float, awaited: Awaited) -> Script[tuple[gtp.Reply, Heard]]:
        """Read one reply; also return its first line as received, because that is when the answer was known."""
        reader = gtp.ReplyReader()
        noise: list[str] = []
        heard = yield from self.hear(sent_at, within_s, awaited, noise)
        while not reader.begin(heard.text):
            self.ignore(noise, heard.text)
            heard = yield from self.hear(sent_at, within_s, awaited, noise)
        return (yield from self._finish(reader, heard)), heard

    def _finish(self, reader: gtp.ReplyReader, begun: Heard) -> Script[gtp.Reply]:
        lines: list[str] = []
        reply = None
        while reply is None:
            try:
                heard: Heard = yield Receive(begun.at, self.deadlines.reply_s)
            except EngineStalled as stall:
                stall.message += f", and no empty line has ended its reply: {shown(begun.text)}"
                raise
            reply = reader.feed(heard.text)
            self.ignore(lines, heard.text)
        return reply

    def _thoughts(self, heard: Heard) -> tuple[EvaluatedMove, ...]:
        """Return the moves of a report, the best first."""
        try:
            return analysis.parse_info(heard.text.lstrip("= "))
        except NotationError as error:
            raise self.garbage("printed a damaged analysis", error.value) from None

    def _refused(self, command: str, reason: str) -> EngineRefused:
        error = self.faults(EngineRefused, f"refused {shown(command)}: {brief(reason)}")
        error.command, error.reason = command, brief(reason)
        return error
