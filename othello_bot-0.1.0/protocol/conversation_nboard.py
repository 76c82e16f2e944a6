"""The controller's side of NBoard 2: the messages of NBoard itself, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from othello_bot.base.clocks import ClockStates, TimeSettings
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import START, Board, NotationError, parse_integer
from othello_bot.protocol import nboard
from othello_bot.protocol.conversation import (
    Conversation,
    EngineInfo,
    Heard,
    Script,
    Send,
)
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import Awaited
from othello_bot.protocol.nboard_values import NBoardError, format_game


class NBoardConversation(Conversation):
    """NBoard 2. Only a ``ping`` is certain to be answered, so one follows every message that must have arrived."""

    dialect = Dialect.NBOARD
    _pings = 0

    def handshake(self) -> Script[EngineInfo]:
        """Open, and wait for the first ``pong``; the name comes unasked, sometimes later."""
        yield Send(str(nboard.Hello()))
        yield from self._synchronise(self.deadlines.start_s, Awaited.START)
        return self.info

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Send the empty game; the games that ``best_move`` sends contain the clocks."""
        yield from self.set_position(start, ())

    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Send the whole game."""
        yield Send(self._game(start, moves, None))
        yield from self._synchronise()
        self.start, self.moves = start, list(moves)

    def play(self, move: int) -> Script[None]:
        """Send ``move``."""
        yield Send(str(nboard.Move(EvaluatedMove(move))))
        yield from self._synchronise()
        self.moves.append(move)

    def best_move(
        self,
        clocks: ClockStates | None = None,
        within_s: float | None = None,
        thoughts: bool = False,
    ) -> Script[EvaluatedMove]:
        """Send the game if clocks are to be sent, then ``go``, then the chosen move."""
        deadline_s = self.move_deadline_s(clocks, within_s)
        if clocks is not None:
            yield Send(self._game(self.start, self.moves, clocks))
        yield from self._synchronise()
        sent_at = yield Send(str(nboard.Go()))
        last: nboard.SearchLine | None = None
        nodes: int | None = None
        noise: list[str] = []
        while True:
            heard = yield from self.hear(sent_at, deadline_s, Awaited.MOVE, noise)
            response = self._parse(heard)
            if isinstance(response, nboard.Chosen):
                break
            if isinstance(response, nboard.SearchLine):
                last = response
            elif isinstance(response, nboard.NodeStats):
                nodes = response.nodes
            elif response is None:
                self.ignore(noise, heard.text)
        played = response.played
        yield Send(str(nboard.Move(played)))
        self.moves.append(played.move)
        if last is not None:
            score = last.evaluation if played.score is None else played.score
            played = replace(played, score=score, pv=last.pv, words=str(last.depth))
        return replace(played, by=self.info.name, nodes=nodes, time_s=max(0.0, heard.at - sent_at))

    def ping(self) -> Script[float]:
        """Send ``ping`` and wait for its ``pong``."""
        return (yield from self._synchronise())

    def set_option(self, name: str, value: str) -> Script[None]:
        """Set ``depth`` or ``contempt``, the only two options."""
        try:
            number = parse_integer(value)
        except NotationError:
            raise self.unsupported(f"set {name} to {value}") from None
        if name == "depth":
            yield Send(str(nboard.SetDepth(number)))
        elif name == "contempt":
            yield Send(str(nboard.SetContempt(number)))
        else:
            raise self.unsupported(f"set the option {name}")
        yield from self._synchronise()

    def raw(self, line: str) -> Script[None]:
        """Send a line; a ping confirms that it was read."""
        yield Send(line)
        yield from self._synchronise()

    # -- parts --------------------------------------------------------------------------------------------------------

    def _game(self, start: Board, moves: Sequence[int], clocks: ClockStates | None) -> str:
        return str(nboard.SetGame(format_game(start, moves, clocks)))

    def _synchronise(self, within_s: float | None = None, awaited: Awaited = Awaited.REPLY) -> Script[float]:
        """Send a ping, and drop everything up to the pong, because it is out of date."""
        self._pings += 1
        sent_at = yield Send(str(nboard.Ping(self._pings)))
        within_s = self.deadlines.reply_s if within_s is None else within_s
        noise: list[str] = []
        while True:
            heard = yield from self.hear(sent_at, within_s, awaited, noise)
            response = self._parse(heard)
            if response == nboard.Pong(self._pings):
                return float(max(0.0, heard.at - sent_at))
            if response is None:
                self.ignore(noise, heard.text)

    def _parse(self, heard: Heard) -> nboard.Response | None:
        try:
            response = nboard.parse_response(heard.text)
        except NBoardError:
            raise self.garbage("printed a damaged line", heard.text) from None
        if isinstance(response, nboard.MyName):
            self.info = EngineInfo(response.name)
        return response
