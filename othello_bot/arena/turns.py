"""What the arena sends an engine for each of its turns, in each dialect; `players` sends it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from othello_bot.base.boards import parse_board
from othello_bot.base.clocks import ClockState
from othello_bot.base.notation import Board, Color, NotationError, move_name, parse_decimal, parse_integer
from othello_bot.protocol.conversation import BestMove, Conversation, Script, Send
from othello_bot.protocol.conversation_gtp import GtpConversation, Passes
from othello_bot.protocol.conversation_json import BotzoneConversation, JsonConversation
from othello_bot.protocol.conversation_nboard import NBoardConversation
from othello_bot.protocol.gtp import Reply
from othello_bot.rules import Position

Clocks = tuple[ClockState, ClockState]
"""Black's and White's clock."""


class Turns(Conversation):
    """A conversation in turns: the moves since the engine's last one, then the request for its next one."""

    has_ping = True
    """Whether the engine can be asked for a sign of life."""

    def look(self, position: Position, illegal: Sequence[int]) -> None:
        """Note the position of the next turn, and the moves that were refused in it."""

    def turn(self, untold: Sequence[int], clocks: Clocks | None, within_s: float | None) -> Script[BestMove]:
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

    def turn(self, untold: Sequence[int], clocks: Clocks | None, within_s: float | None) -> Script[BestMove]:
        """Send the moves and `genmove`, then ask how the move was found if the engine lists `stats`."""
        if "stats" not in self.info.commands:
            return (yield from super().turn(untold, clocks, within_s))
        for move in untold:
            yield from self.play(move)
        best = yield from self.best_move(clocks, within_s)
        return self._with_thoughts(best, (yield from self._ask("stats")))

    def _with_thoughts(self, best: BestMove, reply: Reply) -> BestMove:
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
        return replace(best, score=score, depth=facts.get("depth", ""), nodes=nodes, planned_s=planned_s)


class NativeTurns(GtpTurns):
    """Our own session: the commands of a whole turn are sent at once and answered one after the other.

    The engine finds its next command when it has answered the last, so neither waits in between.
    """

    passes = Passes.ON

    def turn(self, untold: Sequence[int], clocks: Clocks | None, within_s: float | None) -> Script[BestMove]:
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
            yield from self._reply(sent_at, self.deadlines.reply_s, "reply")
        chosen, heard = yield from self._reply(sent_at, deadline_s, "move")
        best = BestMove(None, max(0.0, heard.at - sent_at))
        for _ in questions:
            reply, _ = yield from self._reply(heard.at, self.deadlines.reply_s, "reply")
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
            reply, _ = yield from self._reply(sent_at, self.deadlines.reply_s, "reply")
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


TURNS: Final[dict[str, type[GtpTurns | NBoardTurns | JsonTurns | BotzoneTurns]]] = {
    "native": NativeTurns,
    "gtp": GtpTurns,
    "nboard": NBoardTurns,
    "json": JsonTurns,
    "botzone": BotzoneTurns,
}
"""By the name of a dialect."""
