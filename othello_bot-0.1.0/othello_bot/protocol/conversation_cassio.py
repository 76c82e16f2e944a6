"""The controller's side of ENGINE-PROTOCOL: positions in, bounds and a pv out.

The dialect knows positions but no games. It supports the best move of a board, with the options
``depth``, ``precision``, ``alpha``, ``beta`` and ``endgame``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from othello_bot.base.clocks import ClockStates, TimeSettings
from othello_bot.base.errors import brief
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import START, Board, NotationError, parse_boolean, parse_decimal, parse_integer
from othello_bot.protocol import cassio
from othello_bot.protocol.cassio import CassioError
from othello_bot.protocol.conversation import (
    Conversation,
    Deadlines,
    EngineInfo,
    Faults,
    Heard,
    Script,
    Send,
)
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import Awaited, EngineRefused


class CassioConversation(Conversation):
    """ENGINE-PROTOCOL."""

    dialect = Dialect.CASSIO
    farewell = str(cassio.Quit()) + "\n"

    def __init__(self, faults: Faults, deadlines: Deadlines | None = None) -> None:
        super().__init__(faults, deadlines)
        self._search = cassio.SearchCommand(START, depth=12)
        self._endgame = False

    def handshake(self) -> Script[EngineInfo]:
        """Initialise and request the version."""
        yield from self._ask(cassio.Init(), self.deadlines.start_s, Awaited.START)
        heard = yield from self._ask(cassio.GetVersion())
        versions = [response.text for response in heard if isinstance(response, cassio.Version)]
        name, _, version = (versions[0] if versions else "").rpartition(" ")
        self.info = EngineInfo(name or version, version if name else "")
        return self.info

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Announce a new position."""
        yield from self._ask(cassio.NewPosition())
        self.start, self.moves = start, []

    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Set the board; moves are beyond this dialect."""
        if moves:
            raise self.unsupported("play moves")
        yield from self.new_game(start)

    def play(self, move: int) -> Script[None]:
        """Raise EngineUnsupported."""
        raise self.unsupported("play moves")
        yield  # a generator, like its siblings

    def best_move(
        self,
        clocks: ClockStates | None = None,
        within_s: float | None = None,
        thoughts: bool = False,
    ) -> Script[EvaluatedMove]:
        """Search the board and return the last result; do not play it. Clocks have no meaning here."""
        sent_at = yield Send(str(self._request()))
        heard, responses = yield from self._until_ready(sent_at, self.move_deadline_s(None, within_s), Awaited.MOVE)
        last = next((response for response in reversed(responses) if isinstance(response, cassio.Result)), None)
        if last is None:
            raise self.garbage("searched without a result", heard.text)
        return EvaluatedMove(
            last.move,
            (last.lower + last.upper) / 2,
            last.pv,
            last.depth,
            last.precision,
            by=self.info.name,
            nodes=last.nodes,
            time_s=max(0.0, heard.at - sent_at),
        )

    def ping(self) -> Script[float]:
        """Send an empty line."""
        sent_at = yield Send(str(cassio.Poll()))
        heard, _ = yield from self._until_ready(sent_at, self.deadlines.reply_s, Awaited.REPLY)
        return float(max(0.0, heard.at - sent_at))

    def set_option(self, name: str, value: str) -> Script[None]:
        """Set an option for the next search; nothing is sent."""
        try:
            if name == "depth":
                self._search = replace(self._search, depth=parse_integer(value, 1, cassio.DEEPEST))
            elif name == "precision":
                self._search = replace(self._search, precision=parse_integer(value, 0, 100))
            elif name == "alpha":
                self._search = replace(self._search, alpha=parse_decimal(value, -64, 64))
            elif name == "beta":
                self._search = replace(self._search, beta=parse_decimal(value, -64, 64))
            elif name == "endgame":
                self._endgame = parse_boolean(value)
            else:
                raise self.unsupported(f"set the option {name}")
        except NotationError as error:
            raise self.unsupported(f"set {name}: {error}") from None
        return
        yield  # a generator, like its siblings

    # -- parts --------------------------------------------------------------------------------------------------------

    def _request(self) -> cassio.SearchCommand:
        return replace(self._search, board=self.start, depth=None if self._endgame else self._search.depth)

    def _ask(
        self,
        command: cassio.Command,
        within_s: float | None = None,
        awaited: Awaited = Awaited.REPLY,
        until: type[cassio.Response] = cassio.Ready,
    ) -> Script[list[cassio.Response]]:
        """Send a command and return the responses before ``ready.``, which follows an ``until`` of another type."""
        sent_at = yield Send(str(command))
        within_s = self.deadlines.reply_s if within_s is None else within_s
        _, responses = yield from self._until_ready(sent_at, within_s, awaited, until)
        return responses

    def _until_ready(
        self, sent_at: float, within_s: float, awaited: Awaited, until: type[cassio.Response] = cassio.Ready
    ) -> Script[tuple[Heard, list[cassio.Response]]]:
        """Return the received ``ready.`` and the responses before it. Raise EngineRefused after an ``ERROR:``."""
        responses: list[cassio.Response] = []
        noise: list[str] = []
        seen = False
        while True:
            heard = yield from self.hear(sent_at, within_s, awaited, noise)
            response = self._parse(heard)
            seen = seen or isinstance(response, until)
            if seen and isinstance(response, cassio.Ready):
                self._raise_first([response for response in responses if isinstance(response, cassio.ErrorReply)])
                return heard, responses
            if response is None:
                self.ignore(noise, heard.text)
            else:
                responses.append(response)

    def _parse(self, heard: Heard) -> cassio.Response | None:
        try:
            return cassio.parse_response(heard.text)
        except CassioError:
            raise self.garbage("printed a damaged line", heard.text) from None

    def _raise_first(self, failures: Sequence[cassio.ErrorReply]) -> None:
        # Only after its ready. has been read: until then the conversation would be out of step.
        if failures:
            error = self.faults(EngineRefused, f"refused: {brief(failures[0].text)}")
            error.reason = brief(failures[0].text)
            raise error
