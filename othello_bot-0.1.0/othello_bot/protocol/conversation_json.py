"""The controller's side of two protocols of one JSON object a line, for programs that only want to choose moves.

``JsonConversation`` is this project's own: every turn has the board, the legal moves, the last move and the clocks, and
the answer is a move. ``BotzoneConversation`` speaks as botzone.org.cn speaks to bots for Reversi
(https://wiki.botzone.org.cn/index.php?title=Bot): the opponent's moves are ``requests``, the bot's are ``responses``. A
bot is started anew for each turn and gets the whole game, or it asks to be kept, and then gets the last move alone.
``SimpleBotzoneConversation`` is the same in Botzone's "simple interaction": numbers on lines of their own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from othello_bot.base.clocks import ClockState, ClockStates, TimeSettings
from othello_bot.base.errors import brief
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import (
    PASS,
    RESIGN,
    START,
    Board,
    Color,
    NotationError,
    format_transcript,
    integer_of,
    move_name,
    number_of,
    parse_integer,
    parse_move,
)
from othello_bot.protocol.conversation import Conversation, EngineInfo, Heard, Receive, Script, Send
from othello_bot.protocol.errors import Awaited, EngineEnded, EngineStalled, EngineUnsupported

VERSION: Final = 1

KEEP_RUNNING: Final = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""The line after its response with which a bot asks to be kept."""

END_S: Final = 2.0
"""Seconds that a bot has after its response to ask to be kept, or to end."""


class _JsonConversation(Conversation):
    """The shared part: no commands but turns, no options."""

    name = ""
    has_ping = False

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Begin a game; nothing is sent: every turn tells what matters."""
        yield from self.set_position(start, ())

    def play(self, move: int) -> Script[None]:
        """Note a move; the next turn tells it."""
        self.moves.append(move)
        return
        yield  # a generator, like its siblings

    def ping(self) -> Script[float]:
        """Raise EngineUnsupported."""
        self._never("be pinged")
        yield  # a generator, like its siblings

    def set_option(self, name: str, value: str) -> Script[None]:
        """Raise EngineUnsupported."""
        self._never(f"set the option {name}")
        yield  # a generator, like its siblings

    def _never(self, what: str) -> NoReturn:
        raise self.faults(EngineUnsupported, f"cannot {what} in this dialect ({self.name})")

    def _object(
        self, since: float, within_s: float, awaited: Awaited, *keys: str
    ) -> Script[tuple[dict[str, Any], Heard]]:
        """Return the next line that is a JSON object, with one of the keys if some are named; others are noise."""
        noise: list[str] = []
        while True:
            heard = yield from self.hear(since, within_s, awaited, noise)
            try:
                value = json.loads(heard.text)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict) and (not keys or any(key in value for key in keys)):
                return value, heard
            self.ignore(noise, heard.text)


class JsonConversation(_JsonConversation):
    """One object a turn, one object as the answer; ``protocol/README.md`` describes them.

    The caller, who knows the rules, sets ``board`` and ``legal`` before a turn, and ``illegal``, the moves that it has
    refused in this turn.
    """

    name = "json"
    farewell = '{"type": "quit"}\n'
    games = 0

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.board = START
        self.legal: Sequence[int] = ()
        self.illegal: Sequence[int] = ()

    def handshake(self) -> Script[EngineInfo]:
        """Say hello; the answer is an object, in which the program may name itself."""
        sent_at = yield Send(json.dumps({"type": "hello", "game": "othello", "version": VERSION}))
        told, _ = yield from self._object(sent_at, self.deadlines.start_s, Awaited.START)
        name, version = (brief(str(told[key])) if told.get(key) else "" for key in ("name", "version"))
        self.info = EngineInfo(name, version)
        return self.info

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Count the game."""
        self.games += 1
        yield from super().new_game(start, time)

    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Note the game so far."""
        self.start, self.moves = start, list(moves)
        return
        yield  # a generator, like its siblings

    def best_move(
        self, clocks: ClockStates | None = None, within_s: float | None = None, thoughts: bool = False
    ) -> Script[EvaluatedMove]:
        """Send a turn, and read the answer to it."""
        sent_at = yield Send(json.dumps(self._turn(clocks)))
        answer, heard = yield from self._object(sent_at, self.move_deadline_s(clocks, within_s), Awaited.MOVE, "move")
        used_s = max(0.0, heard.at - sent_at)
        move = RESIGN
        if answer["move"] != "resign":
            try:
                move = parse_move(answer["move"] if isinstance(answer["move"], str) else "")
            except NotationError:
                raise self.garbage("answered a turn with no move", heard.text) from None
            self.moves.append(move)
        score, nodes = number_of(answer.get("score")), number_of(answer.get("nodes"))
        depth = brief(str(answer.get("depth", "")))
        count = None if nodes is None else int(nodes)
        return EvaluatedMove(move, score, words=depth, by=self.info.name, nodes=count, time_s=used_s)

    def _turn(self, clocks: ClockStates | None) -> dict[str, Any]:
        last = move_name(self.moves[-1]) if self.moves else None
        turn: dict[str, Any] = {
            "type": "turn",
            "game": self.games,
            "ply": len(self.moves),
            "color": self.board.to_move.name.lower(),
            "board": self.board.cells,
            "legal": [move_name(move) for move in self.legal],
            "last": last,
            "moves": format_transcript(self.moves),
            "seconds": None if clocks is None else max(0.0, clocks[self.to_move].move_s),
            "clocks": None if clocks is None else {color.name.lower(): _clock(clocks[color]) for color in Color},
        }
        if self.illegal:
            turn["illegal"] = [move_name(move) for move in self.illegal]
        return turn


def _clock(clock: ClockState) -> dict[str, Any]:
    return {"left": clock.remaining_s, "increment": clock.increment_s, "moves": clock.moves_to_go}


class BotzoneConversation(_JsonConversation):
    """Botzone's requests and responses for Reversi; squares are x and y from 0, a pass is -1 and -1.

    As Botzone does, it takes a JSON text as the response, and an object without ``response`` as the response itself.
    """

    name = "botzone"
    farewell = ""

    def raw(self, line: str) -> Script[None]:
        """Raise EngineUnsupported: a bot reads one line and answers it."""
        self._never("take init lines")
        yield  # a generator, like its siblings

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.spent = False
        """Whether the process cannot be asked again: the next turn needs a new one."""
        self._known = -1
        """The moves that a process which asked to be kept knows; -1 for one that has not been asked anything."""
        self._saved: dict[str, Any] = {}
        self._rest: list[str] = []
        """The lines after the last response."""

    def handshake(self) -> Script[EngineInfo]:
        """Return nothing: a bot does not name itself."""
        return self.info
        yield  # a generator, like its siblings

    def renewed(self) -> None:
        """Note that the next turn is for a new process."""
        self.spent, self._known = False, -1

    def new_game(self, start: Board = START, time: TimeSettings | None = None) -> Script[None]:
        """Forget what the bot saved, and a process that knows another game."""
        self._saved = {}
        self._rest = []
        self.moves = []
        self.spent = self.spent or self._known >= 0
        yield from self.set_position(start, ())

    def set_position(self, start: Board, moves: Sequence[int]) -> Script[None]:
        """Note the game so far; a process that knows another one is spent."""
        if start != START:
            self._never("set up a board")
        self.spent = self.spent or (self._known >= 0 and list(moves) != self.moves)
        self.start, self.moves = start, list(moves)
        return
        yield  # a generator, like its siblings

    def play(self, move: int) -> Script[None]:
        """Note a move. A bot is asked for its own passes, too; here it gets the whole game after one."""
        if move == PASS and self._known >= 0 and len(self.moves) != self._known:
            self.spent = True
        yield from super().play(move)

    def best_move(
        self, clocks: ClockStates | None = None, within_s: float | None = None, thoughts: bool = False
    ) -> Script[EvaluatedMove]:
        """Send the whole game, or the last move to a process that was kept; read the response, and whether it stays."""
        # Black's first request says that there is no move before.
        moves = self.moves if len(self.moves) % 2 else [PASS, *self.moves]
        sent_at = 0.0
        for line in self._request(moves[-1]) if self._known >= 0 else self._history(moves):
            sent_at = yield Send(line)
        move, heard = yield from self._response(sent_at, self.move_deadline_s(clocks, within_s))
        self.moves.append(move)
        self.spent = not (yield from self._stays(heard.at))
        self._known = len(self.moves)
        return EvaluatedMove(move, by=self.info.name, time_s=max(0.0, heard.at - sent_at))

    def _request(self, move: int) -> list[str]:
        """Return the lines of a request."""
        return [json.dumps(_place(move))]

    def _history(self, moves: Sequence[int]) -> list[str]:
        """Return the game as a process that knows nothing gets it."""
        places = [_place(move) for move in moves]
        limits = {"time_limit": "", "memory_limit": ""}
        return [json.dumps({"requests": places[::2], "responses": places[1::2], **self._saved, **limits})]

    def _response(self, since: float, within_s: float) -> Script[tuple[int, Heard]]:
        """Return the move of a response."""
        answer, heard = yield from self._object(since, within_s, Awaited.MOVE, "response", "x")
        response = answer.get("response", answer)
        if isinstance(response, str):
            try:
                response = json.loads(response)
            except (ValueError, RecursionError):
                response = None
        self._save(answer.get("data"), answer.get("globaldata"))
        x, y = (response.get("x"), response.get("y")) if isinstance(response, dict) else (None, None)
        return self._square(x, y, heard), heard

    def _save(self, data: object, globaldata: object) -> None:
        """Note what the bot saves: ``data`` for the next turn, ``globaldata`` until it saves another one."""
        told = {"data": data, "globaldata": globaldata or self._saved.get("globaldata")}
        self._saved = {key: value for key, value in told.items() if value is not None}

    def _stays(self, since: float) -> Script[bool]:
        """Return whether the bot asks to be kept."""
        noise: list[str] = []
        self._rest = []
        try:
            while True:
                heard: Heard = yield Receive(since, END_S)
                if heard.text.strip() == KEEP_RUNNING:
                    return True
                self._rest.append(heard.text)
                self.ignore(noise, heard.text)
        except (EngineEnded, EngineStalled):
            return False

    def _square(self, x: object, y: object, heard: Heard) -> int:
        x, y = integer_of(x, -1, 7), integer_of(y, -1, 7)
        if x is not None and y is not None:
            if (x, y) == (-1, -1):
                return PASS
            if min(x, y) >= 0:
                return 8 * y + x
        raise self.garbage("answered with coordinates off the board", heard.text)


class SimpleBotzoneConversation(BotzoneConversation):
    """Botzone's simple interaction: the number of requests, then requests and responses in turn, a line each, then data
    and globaldata if there are any. The bot's lines are its response, debug, data, and the rest, which is globaldata.
    """

    name = "botzone-simple"

    def _request(self, move: int) -> list[str]:
        return ["{x} {y}".format_map(_place(move))]

    def _history(self, moves: Sequence[int]) -> list[str]:
        lines = [line for move in moves for line in self._request(move)]
        self._save(self._rest[1] if self._rest[1:] else None, "\n".join(self._rest[2:]))
        saved = [line for text in self._saved.values() for line in text.split("\n")]
        return [str((len(moves) + 1) // 2), *lines, *saved]

    def _response(self, since: float, within_s: float) -> Script[tuple[int, Heard]]:
        heard = yield from self.hear(since, within_s, Awaited.MOVE, [])
        try:
            x, y = map(parse_integer, heard.text.split())
        except (ValueError, NotationError):
            return self._square(None, None, heard), heard
        return self._square(x, y, heard), heard


def _place(move: int) -> dict[str, int]:
    return {"x": -1, "y": -1} if move == PASS else {"x": move % 8, "y": move // 8}
