"""The ENGINE-PROTOCOL dialect of Cassio, both directions: a stateless analysis service.

A controller sends a position with a window, a depth and a precision; the engine streams improving bounds and ends with
``ready.``. Sources: cassio.free.fr/engine-protocol.htm and Edax's cassio.c. The GUI is gone, scripts still use it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from othello_bot.base import boards, notation
from othello_bot.base.errors import ProtocolError, shown
from othello_bot.base.notation import PASS, Board, NotationError, format_decimal, move_name
from othello_bot.base.visible import visible

PREFIX: Final = "ENGINE-PROTOCOL"

READY: Final = "ready."
"""Ends every answer."""

OK: Final = "ok."
"""The answer to an empty line during a search."""

BYE: Final = "bye bye."
"""Answers ``quit``."""

FULL_PRECISION: Final = 100
DEEPEST: Final = 60


class CassioError(ProtocolError):
    """An invalid line; ``message`` is the text of the ``ERROR:`` answer."""

    def __init__(self, message: str, offending: str, expected: str) -> None:
        super().__init__(offending, expected)
        self.message = message
        self.args = (message,)


# -- controller to engine ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Init:
    """``init``: answered ``ready.``."""

    def __str__(self) -> str:
        return f"{PREFIX} init"


@dataclass(frozen=True, slots=True)
class GetVersion:
    """``get-version``: answered ``version: NAME`` and ``ready.``."""

    def __str__(self) -> str:
        return f"{PREFIX} get-version"


@dataclass(frozen=True, slots=True)
class NewPosition:
    """``new-position``: the following searches are unrelated to the earlier ones."""

    def __str__(self) -> str:
        return f"{PREFIX} new-position"


@dataclass(frozen=True, slots=True)
class EmptyHash:
    """``empty-hash``: forget all earlier searches."""

    def __str__(self) -> str:
        return f"{PREFIX} empty-hash"


@dataclass(frozen=True, slots=True)
class SearchCommand:
    """``midgame-search`` or ``endgame-search``.

    Attributes:
        board: the position.
        alpha, beta: window in discs from the mover's view.
        depth: plies; None for an endgame search, which goes to the end of the game.
        precision: percent of confidence, 100 prunes nothing.
    """

    board: Board
    alpha: float = -64.0
    beta: float = 64.0
    depth: int | None = None
    precision: int = FULL_PRECISION

    def __str__(self) -> str:
        name = "endgame-search" if self.endgame else "midgame-search"
        # An endgame search uses whole discs: Edax reads integers there.
        digits = 0 if self.endgame else 2
        window = f"{format_decimal(self.alpha, digits)} {format_decimal(self.beta, digits)}"
        depth = "" if self.depth is None else f" {self.depth}"
        return f"{PREFIX} {name} {_board_text(self.board)} {window}{depth} {self.precision}"

    @property
    def endgame(self) -> bool:
        """Whether it is an endgame search."""
        return self.depth is None


@dataclass(frozen=True, slots=True)
class FeedHash:
    """``feed-hash``: bounds (discs, mover's view), depth, precision and pv that the controller knows for a board."""

    board: Board
    lower: float
    upper: float
    depth: int
    precision: int
    pv: tuple[int, ...] = ()

    def __str__(self) -> str:
        bounds = f"{format_decimal(self.lower)} {format_decimal(self.upper)}"
        line = f"{bounds} {self.depth} {self.precision} {notation.format_transcript(self.pv)}"
        return f"{PREFIX} feed-hash {_board_text(self.board)} {line}".rstrip()


@dataclass(frozen=True, slots=True)
class Stop:
    """``stop``: end the search at once; the search then answers ``ready.``, and so does an idle engine."""

    def __str__(self) -> str:
        return f"{PREFIX} stop"


@dataclass(frozen=True, slots=True)
class GetSearchInfos:
    """``get-search-infos``: ``node N, time T`` during a search, else ``ready.``."""

    def __str__(self) -> str:
        return f"{PREFIX} get-search-infos"


@dataclass(frozen=True, slots=True)
class Poll:
    """An empty line: ``ok.`` during a search, else ``ready.``."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Quit:
    """``quit``: answered ``bye bye.``."""

    def __str__(self) -> str:
        return f"{PREFIX} quit"


Command: TypeAlias = (
    Init | GetVersion | NewPosition | EmptyHash | SearchCommand | FeedHash | Stop | GetSearchInfos | Poll | Quit
)

_PLAIN: Final[dict[str, Command]] = {
    "init": Init(),
    "get-version": GetVersion(),
    "new-position": NewPosition(),
    "empty-hash": EmptyHash(),
    "stop": Stop(),
    "get-search-infos": GetSearchInfos(),
    "quit": Quit(),
}


def parse_command(line: str) -> Command:
    """Return the command of a line; an empty line is ``Poll``. Raise CassioError, to be answered with ``ERROR:``."""
    words = line.split()
    if not words:
        return Poll()
    if words[0].upper() != PREFIX:
        raise CassioError(f"unknown protocol {shown(words[0])}", line, PREFIX)
    name = words[1].lower() if len(words) > 1 else ""
    if name in _PLAIN:
        return _PLAIN[name]
    try:
        if name in ("midgame-search", "endgame-search"):
            return parse_search(words[2:], endgame=name == "endgame-search")
        if name == "feed-hash":
            return _parse_feed(words[2:])
    except NotationError as error:
        raise CassioError(f"{name}: {error}", error.value, error.expected) from None
    raise CassioError(f"unknown command {shown(name)}", name, "a command of ENGINE-PROTOCOL")


def parse_search(words: list[str], *, endgame: bool = False) -> SearchCommand:
    """Return the search of ``BOARD [alpha [beta [depth [precision]]]]``; an endgame search has no depth.

    Missing arguments stand for the widest window, the deepest search and full precision. Raise NotationError.
    """
    board, rest = _take_board(words)
    if len(rest) > (3 if endgame else 4):
        raise NotationError(" ".join(rest), "alpha, beta, depth and precision at most")
    numbers = iter(rest)
    alpha = notation.parse_decimal(next(numbers, "-64"), -1000, 1000)
    beta = notation.parse_decimal(next(numbers, "64"), -1000, 1000)
    if alpha > beta:
        raise NotationError(f"{alpha} {beta}", "alpha not above beta")
    depth = None if endgame else notation.parse_integer(next(numbers, str(DEEPEST)), 0, 1000)
    precision = notation.parse_integer(next(numbers, str(FULL_PRECISION)), 0, 100)
    return SearchCommand(board, max(alpha, -64.0), min(beta, 64.0), depth, precision)


def _parse_feed(words: list[str]) -> FeedHash:
    board, rest = _take_board(words)
    if len(rest) < 4:
        raise NotationError(" ".join(rest), "lower, upper, depth and precision")
    return FeedHash(
        board,
        notation.parse_decimal(rest[0]),
        notation.parse_decimal(rest[1]),
        notation.parse_integer(rest[2], 0),
        notation.parse_integer(rest[3], 0, 100),
        notation.parse_transcript(" ".join(rest[4:])),
    )


def _take_board(words: list[str]) -> tuple[Board, list[str]]:
    # The specification puts the side directly after the cells; Edax's own board strings separate it.
    if words and len(words[0]) == 64:
        return boards.parse_board(" ".join(words[:2])), words[2:]
    return boards.parse_board(words[0] if words else ""), words[1:]


# -- engine to controller ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a running search: the best move so far with its bounds.

    Attributes:
        board: the searched position.
        move: the best move.
        depth: plies.
        precision: percent.
        lower, upper: bounds of the score in discs, mover's view; equal when it is exact within the window.
        pv: the principal variation.
        nodes: positions searched.
        time_s: seconds since the search began.
    """

    board: Board
    move: int
    depth: int
    precision: int
    lower: float
    upper: float
    pv: tuple[int, ...] = ()
    nodes: int = 0
    time_s: float = 0.0

    def __str__(self) -> str:
        letter = self.board.to_move.letter.upper()
        lower, upper = (f"{letter}{bound + 0.0:+.2f}" for bound in (self.lower, self.upper))
        pv = notation.format_transcript(self.pv).replace("pa", "PA")
        return (
            f"{_board_text(self.board)}, move {_move_text(self.move)}, depth {self.depth}, @{self.precision}%,"
            f" {lower} <= v <= {upper}, {pv}, node {self.nodes}, time {format_decimal(self.time_s, 3)}"
        )


@dataclass(frozen=True, slots=True)
class SearchInfos:
    """``node N, time T``."""

    nodes: int
    time_s: float

    def __str__(self) -> str:
        return f"node {self.nodes}, time {format_decimal(self.time_s, 3)}"


@dataclass(frozen=True, slots=True)
class Version:
    """``version: NAME``."""

    text: str

    def __str__(self) -> str:
        return f"version: {self.text}"


@dataclass(frozen=True, slots=True)
class Ready:
    """``ready.``."""

    def __str__(self) -> str:
        return READY


@dataclass(frozen=True, slots=True)
class Ok:
    """``ok.``."""

    def __str__(self) -> str:
        return OK


@dataclass(frozen=True, slots=True)
class Bye:
    """``bye bye.``."""

    def __str__(self) -> str:
        return BYE


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """``ERROR: TEXT``."""

    text: str

    def __str__(self) -> str:
        return f"ERROR: {visible(' '.join(self.text.split()))}"


Response: TypeAlias = Result | SearchInfos | Version | Ready | Ok | Bye | ErrorReply


_ENDS: Final[dict[str, Response]] = {READY: Ready(), OK: Ok(), BYE: Bye()}


_RESULT: Final = re.compile(
    r"(?P<board>[XO*.\-]{64} ?[XO*]), move (?P<move>\S+), depth (?P<depth>[0-9]+), @(?P<precision>[0-9]+)%?,"
    r" [BW](?P<lower>[+-][0-9.]+) <= v <= [BW](?P<upper>[+-][0-9.]+), (?P<pv>[^,]*),"
    r" node (?P<nodes>[0-9]+), time (?P<time>[0-9.]+)",
    re.ASCII,
)
_INFOS: Final = re.compile(r"node ([0-9]+), time ([0-9.]+)", re.ASCII)


def parse_response(line: str) -> Response | None:
    """Return the response in an engine's line, or None for any other line. Raise CassioError for a damaged one."""
    if line in _ENDS:
        return _ENDS[line]
    if line.lower().startswith("version:"):
        return Version(line[len("version:") :].strip())
    if line.lower().startswith("error:"):
        return ErrorReply(line[len("error:") :].strip())
    try:
        if match := _RESULT.fullmatch(line):
            return _result(match)
        if match := _INFOS.fullmatch(line):
            return SearchInfos(notation.parse_integer(match[1]), notation.parse_decimal(match[2]))
    except NotationError as error:
        raise CassioError(str(error), error.value, error.expected) from None
    return None


def _result(match: re.Match[str]) -> Result:
    return Result(
        boards.parse_board(match["board"]),
        notation.parse_move(match["move"]),
        notation.parse_integer(match["depth"]),
        notation.parse_integer(match["precision"]),
        notation.parse_decimal(match["lower"]),
        notation.parse_decimal(match["upper"]),
        notation.parse_transcript(match["pv"]),
        notation.parse_integer(match["nodes"]),
        notation.parse_decimal(match["time"]),
    )


def _board_text(board: Board) -> str:
    return board.cells + board.to_move.disc


def _move_text(move: int) -> str:
    return "PA" if move == PASS else move_name(move).upper()
