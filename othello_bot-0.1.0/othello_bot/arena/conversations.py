"""How the arena speaks with engines: over GTP one command at a time, with our own session a whole turn at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from othello_bot.arena.config import PlayerDialect
from othello_bot.base.clocks import ClockStates
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import RESIGN, Board, Color, NotationError, move_name, parse_decimal, parse_integer
from othello_bot.protocol.conversation import Script, Send
from othello_bot.protocol.conversation_gtp import GtpConversation, Passes
from othello_bot.protocol.conversation_json import BotzoneConversation, JsonConversation, SimpleBotzoneConversation
from othello_bot.protocol.conversation_nboard import NBoardConversation
from othello_bot.protocol.errors import Awaited
from othello_bot.protocol.gtp import Reply


class StatsConversation(GtpConversation):
    """GTP, one command at a time, which every engine understands; `stats` tells how a move was found."""

    _last = ""

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


class PipelinedConversation(StatsConversation):
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


CONVERSATIONS: Final[
    dict[PlayerDialect, type[GtpConversation | NBoardConversation | JsonConversation | BotzoneConversation]]
] = {
    PlayerDialect.NATIVE: PipelinedConversation,
    PlayerDialect.GTP: StatsConversation,
    PlayerDialect.NBOARD: NBoardConversation,
    PlayerDialect.JSON: JsonConversation,
    PlayerDialect.BOTZONE: BotzoneConversation,
    PlayerDialect.BOTZONE_SIMPLE: SimpleBotzoneConversation,
}
