"""NBoard 2: what the GUI sends as typed commands, what the engine answers as typed responses, and the reverse.

Sources: Chris Welty's instructions/Protocol.htm of NTest and the parsers of NBoard itself.  Every message is one line.
A line that is not known is to be ignored, by both sides.  The game (GGF) is an opaque string here; how a controller
writes one stands in ``nboard_game``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from protocol import notation
from protocol.notation import PASS, NotationError, format_decimal
from protocol.refusals import ProtocolError
from protocol.wire import clean

PROTOCOL_VERSION: Final = 2

KEYWORDS: Final = frozenset(("===", "pong", "status", "set", "search", "book", "nodestats", "analysis", "learned"))
"""First words that NBoard acts upon.  It merges stderr into stdout, so no log line may begin with one of them."""


class NBoardError(ProtocolError):
    """A known message with damaged arguments."""


# -- values of both directions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A move with what it was thought to be worth (discs, mover's view) and the time it took, where they are known."""

    move: int
    evaluation: float | None = None
    time_s: float | None = None

    def __str__(self) -> str:
        """``F5/1.25/3.2``, ``F5//2.4``, ``F5/1.25`` or ``PA``."""
        evaluation = "" if self.evaluation is None else format_decimal(self.evaluation)
        parts = [_move_text(self.move), evaluation, "" if self.time_s is None else format_decimal(self.time_s)]
        return "/".join(parts).rstrip("/")


_UNKNOWN: Final = ("", "nan")


def parse_timed_move(text: str) -> TimedMove:
    """Return the move of ``F5/1.25/3.2``; also with spaces for slashes (Edax) and letters after the move (``PASS``).

    Raises NBoardError.
    """
    word, *numbers = re.sub(r"\s+", "/", text.strip()).split("/")
    if len(numbers) > 2 or not re.fullmatch(r"[A-Za-z0-9]{2,8}|--|@@(@@)?", word):
        raise NBoardError(text, "a move like F5/1.25/3.2")
    evaluation, time_s = (
        _number(number) if number.lower() not in _UNKNOWN else None for number in [*numbers, "", ""][:2]
    )
    return TimedMove(_move(word[:2]), evaluation, time_s)


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep: plies, or percent of a solve.

    NBoard takes every ``%`` for a probable solve, so a selective midgame search says its plies alone.

    Attributes:
        number: plies, or percent with ``solve``.
        solve: the number is the confidence of an endgame solve, 100 means proven.
        wld: only win, draw or loss was solved.
    """

    number: int
    solve: bool = False
    wld: bool = False

    @property
    def exact(self) -> bool:
        """Whether the score is proven to the disc."""
        return self.solve and self.number == 100 and not self.wld

    def __str__(self) -> str:
        """``14``, ``98%``, ``100%`` or ``100%W``."""
        return f"{self.number}{'%' if self.solve else ''}{'W' if self.solve and self.wld else ''}"


def parse_depth(text: str) -> Depth:
    """Return the depth; any text may follow the number, and one that contains ``%`` marks a solve.

    ``14@73%`` is read as the 14 plies that its writer meant.  Raises NBoardError.
    """
    match = re.match(r"([0-9]{1,9})(.*)", text, re.ASCII | re.DOTALL)
    if match is None:
        raise NBoardError(text, "a depth that begins with an integer")
    solve = match[2].startswith("%")
    return Depth(int(match[1]), solve, solve and match[2].upper().startswith("%W"))


# -- GUI to engine ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """``nboard N``: the first line."""

    version: int = PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class SetDepth:
    """``set depth N``: the greatest midgame depth, plies; the engine answers with its name."""

    depth: int


@dataclass(frozen=True, slots=True)
class SetGame:
    """``set game GGF``: the whole game, its clocks included; everything later is about its last position."""

    ggf: str


@dataclass(frozen=True, slots=True)
class SetContempt:
    """``set contempt N``: hundredths of a disc that a draw is worth to black."""

    contempt: float


@dataclass(frozen=True, slots=True)
class Move:
    """``move F5/1.25/3.2``, or the bare ``F5`` of version 1."""

    played: TimedMove


@dataclass(frozen=True, slots=True)
class Hint:
    """``hint N``: analyse the best N moves, without limit, until the next command."""

    moves: int = 1


@dataclass(frozen=True, slots=True)
class Go:
    """``go``: choose a move and do not play it."""


@dataclass(frozen=True, slots=True)
class Ping:
    """``ping N``: stop thinking, then ``pong N``; nothing from before may be printed after it."""

    number: int


@dataclass(frozen=True, slots=True)
class Learn:
    """``learn``: add the game to the book."""


@dataclass(frozen=True, slots=True)
class Analyze:
    """``analyze``: evaluate every position of the game."""


@dataclass(frozen=True, slots=True)
class New:
    """``new [8]``, an extra of NTest: a new game from the usual start."""


@dataclass(frozen=True, slots=True)
class Quit:
    """``quit``."""


Command: TypeAlias = Hello | SetDepth | SetGame | SetContempt | Move | Hint | Go | Ping | Learn | Analyze | New | Quit

_WORDS_ALONE: Final[dict[str, Command]] = {
    "go": Go(),
    "learn": Learn(),
    "analyze": Analyze(),
    "quit": Quit(),
    "new": New(),
}


def parse_command(line: str) -> Command | None:
    """Return the GUI's command, or None for a line to be ignored: empty, or none that is known.

    Raises NBoardError for a known command whose argument cannot be read; the state stays as it was.
    """
    verb, rest = _split(clean(line))
    name = verb.lower()
    if name in _WORDS_ALONE:
        return _WORDS_ALONE[name]
    if name == "nboard":
        return Hello(_integer(rest or "1"))
    if name == "set":
        variable, value = _split(rest)
        return _parse_set(variable.lower(), value)
    if name == "move":
        return Move(parse_timed_move(rest))
    if name == "hint":
        return Hint(max(1, _integer(_split(rest)[0] or "1")))
    if name == "ping":
        return Ping(_integer(_split(rest)[0]))
    if not rest and notation.is_move(verb.partition("/")[0]):
        return Move(parse_timed_move(verb))
    return None


def _parse_set(variable: str, value: str) -> Command | None:
    if variable == "depth":
        return SetDepth(max(1, _integer(value)))
    if variable == "contempt":
        return SetContempt(_number(value))
    if variable == "game":
        if not value:
            raise NBoardError(value, "a game in GGF")
        return SetGame(value)
    return None


def format_command(command: Command) -> str:
    """Return the line, without its end, that a GUI sends."""
    if isinstance(command, Hello):
        return f"nboard {command.version}"
    if isinstance(command, SetDepth):
        return f"set depth {command.depth}"
    if isinstance(command, SetGame):
        return f"set game {command.ggf}"
    if isinstance(command, SetContempt):
        return f"set contempt {format_decimal(command.contempt).removesuffix('.00')}"
    if isinstance(command, Move):
        return f"move {command.played}"
    if isinstance(command, Hint):
        return f"hint {command.moves}"
    if isinstance(command, Ping):
        return f"ping {command.number}"
    return type(command).__name__.lower()


# -- engine to GUI ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """``=== F5/12.34/1.5``: the answer to ``go``, and only to ``go``."""

    played: TimedMove


@dataclass(frozen=True, slots=True)
class SearchLine:
    """``search`` or ``book``: one move's evaluation while analysing.

    Attributes:
        pv: the expected moves, the one considered first.
        evaluation: discs, from the mover's view; may be NaN where an engine has none.
        depth: how deep, or how proven.
        text: anything.
        book: the value comes from the opening book.
        games: with ``book``, the number of games; else 0.
        white_draws: the evaluation when draws count for white, where an engine gives two.
    """

    pv: tuple[int, ...]
    evaluation: float
    depth: Depth
    text: str = ""
    book: bool = False
    games: int = 0
    white_draws: float | None = None


@dataclass(frozen=True, slots=True)
class NodeStats:
    """``nodestats``: positions and seconds since the search began."""

    nodes: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Status:
    """``status``: the text of the GUI's status line, empty to clear it."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class MyName:
    """``set myname``: one word."""

    name: str


@dataclass(frozen=True, slots=True)
class Pong:
    """``pong N``."""

    number: int


@dataclass(frozen=True, slots=True)
class Learned:
    """``learned``."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """``analysis N eval``: the mover's value after N moves, passes counted, 0 is the start."""

    moves_made: int
    evaluation: float


Response: TypeAlias = Chosen | SearchLine | NodeStats | Status | MyName | Pong | Learned | Analysis


def format_response(response: Response) -> str:
    """Return the line, without its end, that an engine prints."""
    if isinstance(response, Chosen):
        return f"=== {response.played}"
    if isinstance(response, SearchLine):
        return _format_search(response)
    if isinstance(response, NodeStats):
        return f"nodestats {max(0, response.nodes)} {format_decimal(max(0.0, response.time_s), 3)}"
    if isinstance(response, Status):
        return f"status {' '.join(response.text.split())}".rstrip()
    if isinstance(response, MyName):
        return f"set myname {one_word(response.name)}"
    if isinstance(response, Pong):
        return f"pong {response.number}"
    if isinstance(response, Analysis):
        return f"analysis {response.moves_made} {format_decimal(response.evaluation)}"
    return "learned"


def _format_search(line: SearchLine) -> str:
    pv = "".join(_move_text(move) for move in line.pv) or "PA"
    evaluation = _evaluation_text(line.evaluation)
    if line.white_draws is not None:
        evaluation += "," + _evaluation_text(line.white_draws)
    games = line.games if line.book else 0
    head = f"{'book' if line.book else 'search'} {pv} {evaluation} {games} {line.depth}"
    return f"{head} {' '.join(line.text.split())}".rstrip()


def one_word(name: str) -> str:
    """Return ``name`` as NBoard can read it: one word of letters and digits."""
    return re.sub(r"[^A-Za-z0-9]", "", name) or "engine"


def parse_response(line: str) -> Response | None:
    """Return what an engine printed, or None for a line that means nothing to a GUI.

    Raises NBoardError for a known line with damaged arguments (NBoard shows an error dialog then).
    """
    verb, rest = _split(clean(line))
    if verb == "===":
        return Chosen(parse_timed_move(rest))
    if verb in ("search", "book"):
        return _parse_search(rest, book=verb == "book")
    if verb == "nodestats":
        nodes, time_s = _words(rest, 2, "nodestats NODES SECONDS")
        return NodeStats(int(_number(nodes)), _number(time_s))
    if verb == "status":
        return Status(rest)
    if verb == "set":
        variable, value = _split(rest)
        if variable != "myname" or not value:
            raise NBoardError(line, "set myname NAME")
        return MyName(value.split()[0])
    if verb == "pong":
        return Pong(_integer(_words(rest, 1, "pong N")[0]))
    if verb in ("learned", "learn"):
        # NTest says "learn"; a program that waits for the end of learning should not hang on one letter.
        return Learned()
    if verb == "analysis":
        moves_made, evaluation = _words(rest, 2, "analysis MOVES EVAL")
        return Analysis(_integer(moves_made), _number(evaluation))
    return None


def _parse_search(rest: str, *, book: bool) -> SearchLine:
    words = rest.split(maxsplit=4)
    if len(words) < 4:
        raise NBoardError(rest, "PV EVAL GAMES DEPTH [TEXT]")
    evaluation, _, white_draws = words[1].partition(",")
    return SearchLine(
        _parse_pv(words[0]),
        _evaluation(evaluation),
        parse_depth(words[3]),
        words[4] if len(words) > 4 else "",
        book,
        _integer(words[2]),
        _evaluation(white_draws) if white_draws else None,
    )


def _parse_pv(text: str) -> tuple[int, ...]:
    # Only the first two characters are promised; what cannot be read after them is no reason to lose the line.
    first = _move(text[:2])
    try:
        return notation.parse_transcript(text)
    except NotationError:
        return (first,)


# -- small parts ------------------------------------------------------------------------------------------------------


def _split(text: str) -> tuple[str, str]:
    words = text.split(maxsplit=1)
    return (words[0] if words else "", words[1].strip() if len(words) > 1 else "")


def _words(text: str, count: int, usage: str) -> list[str]:
    words = text.split()
    if len(words) < count:
        raise NBoardError(text, usage)
    return words[:count]


def _move_text(move: int) -> str:
    return "PA" if move == PASS else notation.move_name(move).upper()


def _move(text: str) -> int:
    try:
        return notation.parse_move(text)
    except NotationError as error:
        raise NBoardError(error.value, error.expected) from None


def _integer(text: str) -> int:
    try:
        return notation.parse_integer(text)
    except NotationError as error:
        raise NBoardError(error.value, error.expected) from None


def _number(text: str) -> float:
    try:
        return notation.parse_decimal(text)
    except NotationError as error:
        raise NBoardError(error.value, error.expected) from None


def _evaluation(text: str) -> float:
    return math.nan if text.lower() == "nan" else _number(text)


def _evaluation_text(evaluation: float) -> str:
    return "NaN" if math.isnan(evaluation) else format_decimal(evaluation)
